import MusicModel
import QueueFlow

/// A mode of the queue, and what it is to be.
enum ModeChange: Equatable {
  case `repeat`(QueueModes.Repeat)
  case random(QueueModes.Random)
  case single(QueueModes.Single)
  case consume(Bool)
  case stopAfter(QueueModes.StopPoint?)

  /// The mode `name` is to be `value`.
  ///
  /// - Throws: `CommandError` where there is no such mode, or no such value of it.
  init(_ name: ModeName, _ value: String) throws(CommandError) {
    let change: ModeChange? =
      switch name {
      case .repeat: QueueModes.Repeat(rawValue: value == "on" ? "all" : value).map { .repeat($0) }
      case .random: QueueModes.Random(rawValue: value == "on" ? "tracks" : value).map { .random($0) }
      case .single: QueueModes.Single(rawValue: value).map { .single($0) }
      case .consume: ["on": true, "off": false][value].map { .consume($0) }
      case .stopAfter:
        value == "off" ? .stopAfter(nil) : QueueModes.StopPoint(rawValue: value).map { .stopAfter($0) }
      }
    guard let change else {
      throw CommandError(
        .usage, "\(name.rawValue) cannot be \"\(value)\": it is one of \(name.values.joined(separator: ", "))"
      )
    }
    self = change
  }

  /// Says it.
  func apply(to actions: PlayerActionCreator) {
    switch self {
    case .repeat(let mode): actions.setRepeat(mode)
    case .random(let mode): actions.setRandom(mode)
    case .single(let mode): actions.setSingle(mode)
    case .consume(let isOn): actions.setConsume(isOn)
    case .stopAfter(let point): actions.stopAfter(point)
    }
  }
}
