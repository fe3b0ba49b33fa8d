import MusicModel

/// The modes of a queue, by the names that the user writes.
enum ModeName: String, CaseIterable {
  case `repeat`
  case random
  case single
  case consume
  case stopAfter = "stop-after"

  /// What it can be.
  var values: [String] {
    switch self {
    case .repeat: QueueModes.Repeat.allCases.map(\.rawValue)
    case .random: QueueModes.Random.allCases.map(\.rawValue)
    case .single: QueueModes.Single.allCases.map(\.rawValue)
    case .consume: ["on", "off"]
    case .stopAfter: QueueModes.StopPoint.allCases.map(\.rawValue) + ["off"]
    }
  }

  /// What it is in `modes`.
  func value(in modes: QueueModes) -> String {
    switch self {
    case .repeat: modes.repeat.rawValue
    case .random: modes.random.rawValue
    case .single: modes.single.rawValue
    case .consume: modes.consume ? "on" : "off"
    case .stopAfter: modes.stopAfter?.rawValue ?? "off"
    }
  }
}
