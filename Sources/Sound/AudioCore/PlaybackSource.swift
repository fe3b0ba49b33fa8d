public import SystemPackage

/// One file, or a part of one, that is to be played, once.
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
  /// Which part of the file it is, where it is not the whole.
  public let segment: SourceSegment?
  /// By how much it is made louder or softer.
  public var gain: SourceGain

  /// The playing `id` of the file at `path`, or of a part of it.
  public init(id: ID, path: FilePath, segment: SourceSegment? = nil, gain: SourceGain = .unity) {
    self.id = id
    self.path = path
    self.segment = segment
    self.gain = gain
  }
}
