// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import PlayerPort
import Screens

/// The `speed` command: shows or sets the speed.
struct SpeedCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Show or set the speed of playback.",
    discussion: """
      SPEED is 0.5 to 3 (1.5, 1.5x or 150%), a change (+0.1, -0.1), or off. The pitch stays the same. Streams are played at their own speed.

      Examples:
        speed
        speed 1.5
        speed -0.1
        speed off
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("New speed, a change, or off.", valueName: "speed"))
  var speed: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let text = speed.joined(separator: " ")
    let change = speed.isEmpty ? nil : try SettingChange(speed: text)
    let result = try session.settings(change, .player(state)).speed
    let factor = SpeedText.factor(result.speed)
    let note = result.isStream == true && result.speed != 1 ? "; this stream is played at its own speed" : ""
    try session.answer("speed \(factor)\(note)", json ? result : nil, isChanged: change != nil)
  }
}

extension SettingChange {
  /// Creates the change of the speed to the factor or percentage `text`, or by it if it has a sign.
  ///
  /// - Throws: `PlayerError` if it is neither, or cannot be played.
  init(speed text: String) throws(PlayerError) {
    if text == "off" {
      self = .speed(1)
      return
    }
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    let isPercentage = text.hasSuffix("%")
    let digits = isPercentage || text.hasSuffix("x") ? text.dropLast() : text[...]
    let isNumber = digits.dropFirst(isStep ? 1 : 0).allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard isNumber, let number = Double(digits).map({ isPercentage ? $0 / 100 : $0 }),
      isStep ? abs(number) <= PlaybackSpeed.range.upperBound : PlaybackSpeed(number) != nil
    else {
      throw PlayerError(.usage, "invalid speed \"\(text.brief)\": use 0.5 to 3, +0.1, -0.1 or off")
    }
    self = isStep ? .speedStep(number) : .speed(number)
  }
}
