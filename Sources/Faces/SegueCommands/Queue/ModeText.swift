import MusicModel
import QueueFlow

/// How a queue is played, in words.
enum ModeText {
  /// What is not as it is by itself: "repeat all", "random albums", "single once", "consume", "stop after album".
  static func words(_ modes: QueueModes) -> [String] {
    words(
      repeat: modes.repeat.rawValue, random: modes.random.rawValue, single: modes.single.rawValue,
      consume: modes.consume, stopAfter: modes.stopAfter?.rawValue ?? "off")
  }

  /// The same for modes that another process may have told: not yet safe for a terminal.
  static func words(_ modes: PlayerStatus.Modes) -> [String] {
    words(
      repeat: modes.repeat, random: modes.random, single: modes.single, consume: modes.consume,
      stopAfter: modes.stopAfter)
  }

  /// The same for modes that are words already.
  private static func words(repeat: String, random: String, single: String, consume: Bool, stopAfter: String)
    -> [String]
  {
    var words: [String] = []
    if `repeat` != "off" { words.append("repeat \(`repeat`)") }
    if random != "off" { words.append("random \(random)") }
    if single != "off" { words.append(single == "on" ? "single" : "single \(single)") }
    if consume { words.append("consume") }
    if stopAfter != "off" { words.append("stop after \(stopAfter)") }
    return words
  }
}
