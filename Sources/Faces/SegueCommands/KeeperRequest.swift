public import MusicModel
public import SystemPackage

/// What a command wants of the queue that is kept.
public struct KeeperRequest {
  /// What a command does with the queue.
  public enum Use {
    /// It changes it.
    case edit
    /// It plays it to this output, in the user's words; `nil` for an automatic choice.
    case play(output: String?)
  }

  /// The state directory.
  public var directory: FilePath
  /// Whether the kept volume counts.
  public var takesVolume: Bool
  /// The modes of a queue that begins, where none is kept.
  public var newModes: QueueModes
  /// What it does with it.
  public var use: Use
}
