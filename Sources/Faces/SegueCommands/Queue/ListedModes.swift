import MusicModel

/// What `mode --json` prints: how a queue is played, with the values that `mode` takes.
struct ListedModes: Encodable, Equatable {
  let `repeat`: String
  let random: String
  let single: String
  let consume: Bool
  let stopAfter: String

  init(_ modes: QueueModes) {
    `repeat` = ModeName.repeat.value(in: modes)
    random = ModeName.random.value(in: modes)
    single = ModeName.single.value(in: modes)
    consume = modes.consume
    stopAfter = ModeName.stopAfter.value(in: modes)
  }
}
