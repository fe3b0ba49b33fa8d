public import SystemPackage

/// One file that is to be played, once.
public struct PlaybackSource: Sendable, Hashable, Identifiable {
  /// What tells one playing from every other, also of the same file.
  public struct ID: Sendable, Hashable, BitwiseCopyable {
    /// The number.
    public let rawValue: UInt64

    /// The id with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  /// What tells it from the others.
  public let id: ID
  /// The file.
  public let path: FilePath
  /// By how much it is made louder or softer.
  public var gain: SourceGain

  /// The playing `id` of the file at `path`.
  public init(id: ID, path: FilePath, gain: SourceGain = .unity) {
    self.id = id
    self.path = path
    self.gain = gain
  }
}
