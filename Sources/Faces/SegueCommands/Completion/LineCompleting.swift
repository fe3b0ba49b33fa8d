/// Says what the key that completes does. For the main thread.
protocol LineCompleting: AnyObject {
  /// A new line is begun.
  func begin()

  /// The key was pressed in `line`, with the cursor at `cursor`.
  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect
}
