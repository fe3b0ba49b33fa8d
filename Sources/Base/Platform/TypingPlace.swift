public import SystemPackage

/// Where words were typed that are obeyed in this process: in another process of the same user.
public struct TypingPlace: Sendable {
  /// The place of the words that the running code obeys, where that is not this process.
  @TaskLocal public static var current: TypingPlace?

  /// Where relative paths begin; absolute.
  public let directory: FilePath
  /// The words, byte for byte.
  public let words: [[UInt8]]

  /// A place in `directory`.
  public init(directory: FilePath, words: [[UInt8]]) {
    self.directory = directory
    self.words = words
  }
}
