// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
package import Flux
package import PlayerFlow
import Terminal

/// A player in a now-playing view, of this process or another. For the main thread.
package protocol ViewedPlayer: AnyObject {
  /// The current track and the next ones, as of the last call of ``refresh()``; `nil` if not known yet.
  var scene: NowPlaying? { get }
  /// The playback state.
  var state: PlayingState { get }
  /// Whether anything has been audible since the player was created.
  var hasBegun: Bool { get }
  /// Whether there is nothing more to show.
  var isOver: Bool { get }
  /// Whether it waits after a track until someone resumes it.
  var isWaiting: Bool { get }
  /// Whether only the view reports its notices.
  var isToldByView: Bool { get }
  /// Whether playback continues without the terminal, if the settings say so; a view of another process ends.
  var outlivesTerminal: Bool { get }
  /// The reason that levels cannot be shown; `nil` if they can.
  var levelRefusal: String? { get }
  /// The levels at this moment; `nil` if nothing is audible or levels are not measured.
  var levels: SoundLevels? { get }

  /// Starts or stops measuring levels.
  func measureLevels(_ isOn: Bool)
  /// Calls `onChange` at once and whenever the content may have changed, on any thread, until the subscription is
  /// cancelled. Changes of only the position are reported always if `everyPosition`, otherwise maybe seldom.
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription
  /// Reads the current state. Never blocks.
  func refresh()
  /// Has the player perform a key. Never blocks.
  func obey(_ key: PlayerKey)
  /// Returns the new notices since the last call, one line each, not yet safe for a terminal.
  func takeNews() -> [String]
  /// Returns the new details for verbose style, in the same way.
  func takeDetails() -> [String]
  /// Returns the started tracks and other changes, for a terminal without drawing: one line each, safe for a terminal.
  func takeLines(hasKeys: Bool) -> [String]
  /// Returns the exit status of the view, if it ``isOver``.
  ///
  /// - Throws: `CommandError` if nothing could be played, or the output failed.
  func status() throws(CommandError) -> ExitStatus
}

/// A request to a player, made by a key.
package enum PlayerKey: Sendable, Equatable {
  case toggle
  case stop
  case next
  case previous
  /// Seeks forward by this number of seconds, or back if it is negative.
  case seek(by: Int)
  /// Raises the volume by this percentage, or lowers it if it is negative.
  case volume(by: Int)

  /// The words of the equivalent command.
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

/// The playback state as the now-playing view shows it, for the player of any process.
package struct PlayingState: Equatable {
  /// The playback phase.
  var phase = PlayerStatus.Phase.stopped
  /// The elapsed time of the track.
  var position = Duration.zero
  /// The duration of the track, if it is known more exactly than from its tags.
  var duration: Duration?
  /// The volume in percent.
  var volume = Volume.full.percent
  /// The format of the file, while something plays.
  var format: PlayerStatus.Format?
  /// The reasons that the output is not bit-perfect; empty if it is, `nil` if there is no output.
  var deviations: [String]?

  /// Creates the state in which nothing plays.
  package init() {}

  /// Creates the state of this process's player.
  package init(_ state: PlaybackState) {
    phase = PlayerStatus.Phase(state.phase)
    position = state.position
    duration = state.duration
    volume = state.volume.percent
    if state.phase != .stopped { format = state.format.map { PlayerStatus.Format($0) } }
    deviations = state.deviations?.map(\.description)
  }

  /// Creates the state of a player in another process, at this position.
  package init(_ status: PlayerStatus, position: Duration) {
    phase = status.phase
    self.position = position
    duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
    volume = status.volume
    format = status.source
    deviations = status.deviations
  }
}
