/// Where in the current source to go.
public enum SeekTarget: Sendable, Hashable {
  /// So far from its beginning.
  case to(Duration)
  /// So much further from where it is, or back where negative.
  case by(Duration)
}
