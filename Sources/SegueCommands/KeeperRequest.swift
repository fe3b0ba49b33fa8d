public import SystemPackage

/// What a command wants of the queue that is kept.
public struct KeeperRequest {
  /// The state directory.
  public var directory: FilePath
  /// Whether the kept volume counts.
  public var takesVolume: Bool
  /// Whether this process plays.
  public var isPlayer: Bool
}
