// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
package import Flux
package import PlayerFlow
package import PlayerPort
import Terminal

/// A player, in this process or another, as the now-playing view uses it. Used on the main thread.
package protocol ViewedPlayer: AnyObject {
  /// The current and the next tracks, as read by the last call of ``refresh()``; `nil` if they are not known yet.
  var scene: NowPlaying? { get }
  /// The playback state, as read by the last call of ``refresh()``.
  var state: PlayingState { get }
  /// A number that changes whenever the queue does.
  var queueVersion: UInt64 { get }
  /// Whether anything has been audible since the player was created.
  var hasStarted: Bool { get }
  /// Whether playback has ended, so that there is nothing more to show.
  var isOver: Bool { get }
  /// Whether the player is waiting after a track until someone resumes playback.
  var isWaiting: Bool { get }
  /// Whether the view is the only one to report the player's notices; otherwise the REPL reports them, too.
  var isReportedByViewOnly: Bool { get }
  /// Whether the view can continue after its terminal is lost, if the settings say so. False for a view of another
  /// process.
  var outlivesTerminal: Bool { get }
  /// The reason why levels cannot be shown; `nil` if they can.
  var levelRefusal: String? { get }
  /// The current levels; `nil` if nothing is audible, or levels are not measured.
  var levels: SoundLevels? { get }

  /// Starts or stops measuring levels.
  func measureLevels(_ isOn: Bool)
  /// Calls `onChange` at once, and then whenever the content may have changed, until the subscription is cancelled.
  /// Calls come on any thread.
  ///
  /// - Parameter everyPosition: Whether each change of the position is reported. If false, changes of the position
  ///   alone may be reported less often.
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription
  /// Updates the properties from the player. Never blocks.
  func refresh()
  /// Makes the player perform the request of a key. Never blocks.
  func perform(_ key: PlayerKey)
  /// Returns the notices since the last call, one line each; not yet escaped for a terminal.
  func takeNotices() -> [String]
  /// Returns the details for verbose style since the last call, one line each; not yet escaped for a terminal.
  func takeDetails() -> [String]
  /// Returns the tracks that have started and other changes since the last call, for a terminal that cannot be redrawn:
  /// one line each, safe to print.
  func takeLines(hasKeys: Bool) -> [String]
  /// Returns the exit status of the view. Call this only if ``isOver`` or ``isWaiting``.
  ///
  /// - Throws: `PlayerError` if nothing could be played, or the output failed.
  func status() throws(PlayerError) -> ExitStatus
}

/// A request that a key of the view makes to the player.
package enum PlayerKey: Sendable, Equatable {
  case toggle
  case stop
  case next
  case previous
  /// Seeks by this number of seconds: forward if it is positive, back if it is negative.
  case seek(by: Int)
  /// Changes the volume by this number of percentage points.
  case volume(by: Int)

  /// The words of the command that does the same.
  package var words: [String] {
    switch self {
    case .toggle: ["toggle"]
    case .stop: ["stop"]
    case .next: ["next"]
    case .previous: ["previous"]
    case .seek(let seconds): ["seek", Self.step(seconds)]
    case .volume(let percent): ["volume", Self.step(percent)]
    }
  }

  private static func step(_ number: Int) -> String { number < 0 ? "\(number)" : "+\(number)" }
}

/// The playback state that the now-playing view shows, for a player in any process.
package struct PlayingState: Equatable {
  /// Whether the player is playing, paused or stopped.
  var phase = PlayerStatus.Phase.stopped
  /// The elapsed time of the current track.
  var position = Duration.zero
  /// The duration of the current track as determined by playback; `nil` if only its tags state one.
  var duration: Duration?
  /// The volume in percent.
  var volume = Volume.full.percent
  /// The title of the chapter that is playing; `nil` if the file has no chapters.
  var chapter: String?
  /// The format of the file; `nil` if nothing is playing.
  var format: PlayerStatus.Format?
  /// The reasons why the output is not bit-perfect; empty if it is, `nil` if no output is open.
  var deviations: [String]?

  /// Creates the state of a player that is stopped.
  package init() {}

  /// Creates the state of the player in this process.
  package init(_ state: PlaybackState) {
    phase = PlayerStatus.Phase(state.phase)
    position = state.hasRequest ? state.requestedPosition : state.position
    duration = state.hasRequest ? nil : state.duration
    volume = state.volume.percent
    chapter = state.sourceText?.chapter
    if state.phase != .stopped, !state.hasRequest { format = state.format.map { PlayerStatus.Format($0) } }
    deviations = state.deviations?.map(\.description)
  }

  /// Creates the state of a player in another process, whose elapsed time is `position`.
  package init(_ status: PlayerStatus, position: Duration) {
    phase = status.phase
    self.position = position
    duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
    volume = status.volume
    chapter = status.chapter
    format = status.source
    deviations = status.deviations
  }
}
