/// Where in the current source to go.
public enum SeekTarget: Sendable, Hashable {
  /// So far from its beginning.
  case to(Duration)
  /// So much further from where it is, or back where negative.
  case by(Duration)
}

extension SeekTarget {
  /// The place that is meant where `position` is heard of what lasts for `duration`, as far as that is known: not
  /// before its beginning, nor behind its end.
  public func place(from position: Duration, within duration: Duration?) -> Duration {
    let wanted =
      switch self {
      case .to(let place): place
      case .by(let distance): position + distance
      }
    return max(.zero, min(wanted, duration ?? .seconds(Int64.max)))
  }
}
