/// How long changes are gathered before they are told.
public struct WatchPace: Sendable, Hashable {
  /// Changes are told when nothing happened for so long.
  public var quiet: Duration
  /// Changes are told at the latest so long after the first, whatever goes on.
  public var longest: Duration

  /// A pace; at half a second and five seconds, an album that is copied is told once or a few times.
  public init(quiet: Duration = .milliseconds(500), longest: Duration = .seconds(5)) {
    self.quiet = quiet
    self.longest = longest
  }
}
