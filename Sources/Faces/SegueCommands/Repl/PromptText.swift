/// A prompt where C finds it.
@safe
final class PromptText {
  private static let capacity = 1024

  /// Its first byte; behind the last is a NUL.
  let start: UnsafeMutablePointer<CChar>

  /// An empty prompt.
  init() {
    unsafe start = .allocate(capacity: Self.capacity)
    unsafe start.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Makes it `text`, or as much of it as there is room for.
  func set(_ text: String) {
    let bytes = text.utf8.count < Self.capacity ? text : ReplPrompt.idle
    for (index, byte) in bytes.utf8.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.utf8.count] = 0
  }
}
