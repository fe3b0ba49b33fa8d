// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import Screens
import Terminal
import UnicodeText
import UserSettings

/// The `set` command: changes settings of the running player, and saves them in the settings file.
struct SetCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change settings now, or save them.",
    discussion: """
      NAME is a setting that `segue config` lists, volume, or stop-after. These take effect at once: volume, repeat, random, single, \
      consume, stop-after, replay-gain, preamp, fallback-gain, clipping, crossfade, crossfade-albums, crossfade-on-next and outputs; on the full \
      screen, also what it looks like and its keys. With --save, settings are written to the settings file, whose comments stay; the others need it, and take \
      effect when Segue is started next. Without arguments, all settings are listed.

      Examples:
        set replay-gain=album crossfade=4
        set random=albums
        set theme=light --save
      """)

  @Argument(help: ArgumentHelp("Setting and its new value, NAME=VALUE.", valueName: "setting"))
  var words: [String] = []

  @Flag(name: .long, help: "Write the settings to the settings file, too.")
  var save = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws { try run(in: session, onScreen: false) }

  /// Performs the command. If it is `onScreen`, returns the settings that a full screen applies by itself.
  @discardableResult
  func run(in session: Session, onScreen: Bool) throws -> [SettingName: SettingValue] {
    let file = Environment.settingsFile
    let listing = SettingsListing(session.settings, file: file)
    if words.isEmpty {
      session.printLines(
        session.outputStyle.isPlain ? listing.plainLines : listing.lines(columns: session.columns))
      return [:]
    }
    if words.count == 1, !words[0].contains("=") {
      let entry = try listing.entry(words[0])
      session.printLine(data: (entry.value?.text ?? entry.defaultText).safeForTerminal)
      return [:]
    }
    // If one of them is invalid, none is changed.
    let wanted = try assignments.map { name, value in try WantedSetting(name, value) }
    try wanted.forEach { setting throws(PlayerError) in try setting.check(isSaved: save, onScreen: onScreen) }
    try change(wanted, in: session)
    for setting in wanted { session.confirm("\(setting.name) \(setting.text)".safeForTerminal) }
    let fileSettings = wanted.compactMap(\.assignment)
    let shown = onScreen ? fileSettings.filter(\.setting.isOfScreen) : []
    let settings = Dictionary(shown.map { ($0.setting.name, $0.value) }, uniquingKeysWith: { $1 })
    guard save else {
      if !settings.isEmpty { session.confirm("until Segue ends; --save keeps it") }
      return settings
    }
    for assignment in fileSettings {
      let name = assignment.setting.name
      try SettingsFileEdit.save(assignment.value, as: name, in: file)
      if case .environment(let variable) = session.settings.origin(of: name) {
        session.printError("segue: $\(variable) overrides \(name.rawValue) in the settings file", level: .warning)
      }
    }
    session.printRemark("saved in \(file.shown)".safeForTerminal)
    return settings
  }

  /// The names and the values. NAME VALUE is accepted for NAME=VALUE.
  private var assignments: [(String, String)] {
    get throws(PlayerError) {
      if words.count == 2, !words[0].contains("=") { return [(words[0], words[1])] }
      return try words.map { word throws(PlayerError) in
        guard let sign = word.firstIndex(of: "=") else {
          throw PlayerError(.usage, "\"\(word.brief)\" is no assignment: use NAME=VALUE, as in theme=light")
        }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
      }
    }
  }

  /// Changes the running player, and the modes of the queue. If the settings are saved, no player needs to run.
  private func change(_ wanted: [WantedSetting], in session: Session) throws {
    for case .mode(let change)? in wanted.map(\.effect) { _ = try session.settings(.mode(change), .queue(state)) }
    do {
      for case .change(let change)? in wanted.map(\.effect) { _ = try session.settings(change, .player(state)) }
      var options = PlaybackOptions()
      for case .options(let edit)? in wanted.map(\.effect) { edit(&options) }
      guard options != PlaybackOptions() else { return }
      if (options.crossfade == nil) != (options.crossfadesAlbums == nil) {
        let present = try session.settings(nil, .player(state)).crossfade
        options.crossfade = options.crossfade ?? present.crossfade
        options.crossfadesAlbums = options.crossfadesAlbums ?? present.crossfadeAlbums
      }
      _ = try session.settings(.options(options), .player(state))
    } catch let error as PlayerError where error.status == .noPlayer && save {}
  }
}

/// A setting that a user wants to change, and what it does to a player.
struct WantedSetting {
  /// What a setting does to a player at once.
  enum Effect {
    case mode(ModeChange)
    case change(SettingChange)
    case options(@Sendable (inout PlaybackOptions) -> Void)
  }

  let name: String
  /// The value in words.
  let text: String
  /// The assignment in the settings file; `nil` if the file has no such setting.
  let assignment: SettingAssignment?
  /// What it does to a player; `nil` if it has no effect on one that runs.
  let effect: Effect?

  /// Parses the value `text` of the setting `name`.
  ///
  /// - Throws: `PlayerError` or `SettingAssignmentError` if there is no such setting, or if it cannot have this value.
  init(_ name: String, _ text: String) throws {
    switch name {
    case "volume":
      (self.name, self.text, assignment) = (name, text, nil)
      effect = .change(try SettingChange(volume: text))
    case "stop-after":
      (self.name, self.text, assignment) = (name, text, nil)
      effect = .mode(try ModeChange(.stopAfter, text))
    default:
      let assignment = try SettingAssignment(name, text)
      self.assignment = assignment
      self.name = assignment.setting.name.rawValue
      self.text = assignment.value.text
      effect = try Self.effect(of: assignment)
    }
  }

  /// Throws an error if the setting cannot be changed in this way.
  func check(isSaved: Bool, onScreen: Bool) throws(PlayerError) {
    if isSaved, assignment == nil {
      throw PlayerError(.usage, "\(name) is stored with the queue, and not a setting of the file: leave out --save")
    }
    if !isSaved, effect == nil, !(onScreen && assignment?.setting.isOfScreen == true) {
      throw PlayerError(.usage, "\(name) takes effect when Segue is started next: add --save to write it to the file")
    }
  }

  private static func effect(of assignment: SettingAssignment) throws(PlayerError) -> Effect? {
    let value = assignment.value
    switch (assignment.setting.name, value) {
    case (.repeatMode, _): return .mode(try ModeChange(.repeat, value.text))
    case (.randomMode, _): return .mode(try ModeChange(.random, value.text))
    case (.singleMode, _): return .mode(try ModeChange(.single, value.text))
    case (.consumeMode, .flag(let isOn)): return .mode(.consume(isOn))
    case (.replayGain, .text(let mode)):
      let mode = ReplayGainSettings.Mode(rawValue: mode)
      return .options { $0.replayGain = mode }
    case (.clipping, .text(let clipping)):
      let clipping = ReplayGainSettings.Clipping(rawValue: clipping)
      return .options { $0.clipping = clipping }
    case (.preamp, .number(let decibels)): return .options { $0.preamp = decibels }
    case (.fallbackGain, .number(let decibels)): return .options { $0.fallbackGain = decibels }
    case (.crossfade, .number(let seconds)): return .options { $0.crossfade = seconds }
    case (.crossfadeAlbums, .flag(let isOn)): return .options { $0.crossfadesAlbums = isOn }
    case (.outputs, .list(let entries)): return .change(.preferOutputs(entries))
    case (.crossfadeOnNext, .number(let seconds)): return .options { $0.crossfadeOnNext = seconds }
    default: return nil
    }
  }
}
