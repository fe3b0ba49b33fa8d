// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `mode` command: shows or sets the playback modes of the queue.
struct ModeCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "mode", abstract: "Show or set the playback modes.",
    discussion: """
      repeat off|all|one|album: what to repeat; with `one`, `next` still skips to the next track.
      random off|tracks|albums: play tracks or whole albums in random order; queue positions do not change.
      single on|off|once: pause after every track, or only after this one; if repeat is on, repeat the track instead.
      consume on|off: remove tracks from the queue after they have played.
      stop-after current|album|off: stop once, after the current track or album.

      Without a value, the mode is shown; without a mode, all modes are shown. Modes are saved with the queue. Setting a mode never interrupts \
      the current track.

      Examples:
        mode
        mode repeat all
        mode random albums
        mode stop-after album
      """)

  @Argument(help: "Mode: repeat, random, single, consume or stop-after.")
  var name: String?

  @Argument(help: "New value.")
  var value: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    guard let name else { return try show(session.currentOrStoredQueue(state).modes, in: session) }
    guard let mode = ModeName(rawValue: name) else {
      let names = ModeName.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "unknown mode \"\(name)\": use one of \(names)")
    }
    guard let value else { return try show(session.currentOrStoredQueue(state).modes, [mode], in: session) }
    let change = try ModeChange(mode, value)
    let edit = try session.edit(state) { _ in change.apply(to: session.services.actions) }
    if json || !session.outputStyle.isQuiet { try show(edit.after.modes, [mode], in: session) }
  }

  private func show(_ modes: QueueModes, _ names: [ModeName] = ModeName.allCases, in session: Session) throws {
    if json { return try session.printJSON(ListedModes(modes)) }
    if session.outputStyle.isPlain {
      return session.printLines(names.map { "\($0.rawValue): \($0.value(in: modes))" })
    }
    let table = Table(alignments: [.left, .left], flexible: [])
    for line in table.lines(names.map { [$0.rawValue, $0.value(in: modes)] }, columns: nil) {
      session.printLine(line)
    }
  }
}

/// A playback mode of the queue and its new value.
enum ModeChange: Equatable {
  case `repeat`(QueueModes.Repeat)
  case random(QueueModes.Random)
  case single(QueueModes.Single)
  case consume(Bool)
  case stopAfter(QueueModes.StopPoint?)

  /// Creates the change that sets the mode `name` to `value`.
  ///
  /// - Throws: `PlayerError` if the mode has no such value.
  init(_ name: ModeName, _ value: String) throws(PlayerError) {
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
      throw PlayerError(
        .usage, "invalid \(name.rawValue) mode \"\(value)\": use one of \(name.values.joined(separator: ", "))"
      )
    }
    self = change
  }

  /// Applies the change through `actions`.
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

/// The name of a playback mode, as the user writes it.
enum ModeName: String, CaseIterable {
  case `repeat`
  case random
  case single
  case consume
  case stopAfter = "stop-after"

  /// The values that the mode can have, as the user writes them.
  var values: [String] {
    switch self {
    case .repeat: QueueModes.Repeat.allCases.map(\.rawValue)
    case .random: QueueModes.Random.allCases.map(\.rawValue)
    case .single: QueueModes.Single.allCases.map(\.rawValue)
    case .consume: ["on", "off"]
    case .stopAfter: QueueModes.StopPoint.allCases.map(\.rawValue) + ["off"]
    }
  }

  /// Returns the value of the mode in `modes`.
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

/// The JSON object that `mode --json` prints: the modes of the queue, each with a value that `mode` accepts.
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
