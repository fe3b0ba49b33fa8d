/// What the process of a keeper does with the queue.
public enum KeeperRole: Sendable {
  /// It changes the queue, and does not play.
  case editor
  /// It plays to listeners: modes and volume are as they were left, and other processes are told what plays.
  case player
  /// It plays into a file, once and as loud as the files are unless it is told otherwise: the kept modes and volume neither count nor
  /// change. Other processes are told what plays.
  case renderer
}
