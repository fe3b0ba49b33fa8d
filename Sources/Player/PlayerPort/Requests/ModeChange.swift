// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import PlayerFlow

/// A playback mode of the queue and its new value.
package enum ModeChange: Codable, Sendable, Equatable {
  case `repeat`(QueueModes.Repeat)
  case random(QueueModes.Random)
  case single(QueueModes.Single)
  case consume(Bool)
  /// Remove only the next track that has been played.
  case consumeOnce
  case stopAfter(QueueModes.StopPoint?)
  /// The text of a `KeepPlaying`; `nil` for none.
  case keepPlaying(String?)

  /// Creates the change that sets the mode `name` to `value`.
  ///
  /// - Throws: `PlayerError` if the mode has no such value.
  package init(_ name: ModeName, _ value: String) throws(PlayerError) {
    let change: ModeChange? =
      switch name {
      case .repeat: QueueModes.Repeat(rawValue: value == "on" ? "all" : value).map { .repeat($0) }
      case .random: QueueModes.Random(rawValue: value == "on" ? "tracks" : value).map { .random($0) }
      case .single: QueueModes.Single(rawValue: value).map { .single($0) }
      case .consume: ["on": true, "off": false][value].map { .consume($0) }
      case .stopAfter:
        value == "off" ? .stopAfter(nil) : QueueModes.StopPoint(rawValue: value).map { .stopAfter($0) }
      case .keepPlaying:
        value == "off"
          ? .keepPlaying(nil) : KeepPlaying(value == "on" ? "similar" : value).map { .keepPlaying($0.text) }
      }
    guard let change else {
      throw PlayerError(
        .usage, "invalid \(name.rawValue) mode \"\(value)\": use one of \(name.values.joined(separator: ", "))"
      )
    }
    self = change
  }

  /// Applies the change through `actions`.
  package func apply(to actions: PlayerActionCreator) {
    switch self {
    case .repeat(let mode): actions.setRepeat(mode)
    case .random(let mode): actions.setRandom(mode)
    case .single(let mode): actions.setSingle(mode)
    case .consume(let isOn): actions.setConsume(isOn)
    case .consumeOnce: actions.setConsume(true, once: true)
    case .stopAfter(let point): actions.stopAfter(point)
    case .keepPlaying(let text): actions.setKeepPlaying(text.flatMap { KeepPlaying($0) })
    }
  }
}

/// The name of a playback mode, as the user writes it.
package enum ModeName: String, Codable, Sendable, CaseIterable {
  case `repeat`
  case random
  case single
  case consume
  case stopAfter = "stop-after"
  case keepPlaying = "keep-playing"

  /// The values that the mode can have, as the user writes them.
  package var values: [String] {
    switch self {
    case .repeat: QueueModes.Repeat.allCases.map(\.rawValue)
    case .random: QueueModes.Random.allCases.map(\.rawValue)
    case .single: QueueModes.Single.allCases.map(\.rawValue)
    case .consume: ["on", "off"]
    case .stopAfter: QueueModes.StopPoint.allCases.map(\.rawValue) + ["off"]
    // A query is a value, too.
    case .keepPlaying: ["off", "similar", "albums similar"]
    }
  }

  /// Returns the value of the mode in `modes`.
  package func value(in modes: PlayerStatus.Modes) -> String {
    switch self {
    case .repeat: modes.repeat
    case .random: modes.random
    case .single: modes.single
    case .consume: modes.consume ? "on" : "off"
    case .stopAfter: modes.stopAfter
    case .keepPlaying: modes.keepPlaying
    }
  }
}

extension QueueModes.Repeat: Codable {}
extension QueueModes.Random: Codable {}
extension QueueModes.Single: Codable {}
extension QueueModes.StopPoint: Codable {}
