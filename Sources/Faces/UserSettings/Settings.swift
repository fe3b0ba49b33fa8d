// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
package import SystemPackage
package import Tagging

/// The settings in effect, with their origins. An option takes precedence over the environment, the environment over
/// the file, and the file over the default.
package struct Settings: Sendable {
  /// A value and its origin.
  struct Chosen: Sendable, Equatable {
    let value: SettingValue
    let origin: SettingOrigin
  }

  /// The values that are not defaults.
  private var chosen: [SettingName: Chosen] = [:]
  /// The text that each alias stands for.
  package private(set) var aliases: [String: FileSettings.Entry<String>] = [:]
  /// The problems found, one line each.
  package private(set) var problems: [SettingsProblem] = []

  /// Creates the defaults.
  package init() {}

  /// Creates the settings from `file` and the variables that `environment` returns.
  init(file: FileSettings?, environment: (String) -> String?) {
    if let file {
      chosen = file.values.mapValues { Chosen(value: $0.value, origin: .file(line: $0.line)) }
      aliases = file.aliases
      problems = file.problems
    }
    for setting in SettingsTable.shared {
      guard let variable = setting.environment, let text = environment(variable) else { continue }
      if let value = Self.value(of: setting, text) {
        chosen[setting.name] = Chosen(value: value, origin: .environment(variable))
      } else {
        let message = "invalid value \"\(text)\": use \(setting.kind.expectation)"
        problems.append(SettingsProblem(place: "$\(variable)", message: message))
      }
    }
  }

  /// Returns the value of a variable. Unlike in the file, its paths may be relative.
  private static func value(of setting: Setting, _ text: String) -> SettingValue? {
    switch setting.kind {
    case .path: return .text(text)
    case .paths:
      let paths = SettingKind.split(text)
      return paths.isEmpty ? nil : .paths(paths)
    default: return setting.kind.value(parsing: text)
    }
  }

  /// Returns the settings from the file and the environment of this process. No alias may be one of `commands`.
  package static func ofProcess(commands: () -> [String]) -> Settings {
    do throws(SettingsProblem) {
      let file = try SettingsFile.read(Environment.settingsFile, commands: commands)
      return Settings(file: file, environment: Environment.value)
    } catch {
      var settings = Settings(file: nil, environment: Environment.value)
      settings.problems.insert(error, at: 0)
      return settings
    }
  }

  /// Returns the settings with `options` applied on top.
  package func choosing(_ options: [SettingName: SettingValue]) -> Settings {
    var settings = self
    for (name, value) in options {
      let option = SettingsTable.shared.first { $0.name == name }?.option ?? ""
      settings.chosen[name] = Chosen(value: value, origin: .option(option))
    }
    return settings
  }

  /// The value of `name`; `nil` if it is not set.
  package subscript(name: SettingName) -> SettingValue? { chosen[name]?.value }

  /// Returns the origin of `name`.
  package func origin(of name: SettingName) -> SettingOrigin { chosen[name]?.origin ?? .standard }
}

/// Conversions of settings to the types that use them.
extension Settings {
  /// The music directories, unless a command names others. Those of the environment are read byte for byte.
  package var library: LibraryRoots {
    let environment = LibraryRoots(Environment.libraryDirectories) ?? LibraryRoots("/")
    guard case .paths(let texts)? = self[.library] else { return environment }
    if case .environment = origin(of: .library) { return environment }
    return LibraryRoots(texts.map { FilePath(typed: $0) }) ?? environment
  }

  /// Patterns of the file names to ignore in the library.
  package var ignoredPatterns: [String] {
    if case .list(let patterns)? = self[.ignore] { return patterns }
    return []
  }

  /// The encoding of legacy text files, if set.
  package var textEncoding: LegacyText.Encoding? { word(.textEncoding).flatMap { LegacyText.Encoding(named: $0) } }

  /// The directory of saved playlists, if set.
  package var playlists: FilePath? { path(.playlists) ?? Environment.playlistDirectory }

  /// The modes of the queue in a new state directory.
  package var modes: QueueModes {
    var modes = QueueModes()
    modes.repeat = word(.repeatMode).flatMap(QueueModes.Repeat.init(rawValue:)) ?? modes.repeat
    modes.random = word(.randomMode).flatMap(QueueModes.Random.init(rawValue:)) ?? modes.random
    modes.single = word(.singleMode).flatMap(QueueModes.Single.init(rawValue:)) ?? modes.single
    modes.consume = self[.consumeMode] == .flag(true)
    return modes
  }

  /// Whether playback continues when the terminal is lost.
  package var keepsPlayingOnHangup: Bool { word(.onHangup) == "keep" }

  /// Whether a server resumes what the last one was playing.
  package var restoresPlayback: Bool { self[.restore] == .flag(true) }

  /// The volume step of a key, in percent.
  package var volumeStep: Int { whole(.volumeStep) ?? 5 }

  /// The key bindings of the now-playing view.
  package var keyBindings: KeyBindings {
    var chosen: [KeyAction: [String]] = [:]
    for action in KeyAction.allCases {
      if case .list(let names)? = self[action.setting] { chosen[action] = names }
    }
    return KeyBindings(chosen)
  }

  /// The text styles, for output with colours.
  package var palette: Palette {
    var styles: [Palette.Role: TextStyle] = [:]
    for role in Palette.Role.allCases {
      styles[role] = TextStyle(parsing: word(role.setting) ?? role.standard)
    }
    return Palette(styles)
  }

  /// Returns the value of `name`, if it is set to text.
  package func word(_ name: SettingName) -> String? {
    if case .text(let text)? = self[name] { return text }
    return nil
  }

  /// Returns the value of `name`, if it is set to an integer.
  package func whole(_ name: SettingName) -> Int? {
    if case .whole(let number)? = self[name] { return number }
    return nil
  }

  /// Returns the value of `name`, if it is set to a number.
  package func number(_ name: SettingName) -> Double? {
    if case .number(let number)? = self[name] { return number }
    return nil
  }

  /// Returns the value of `name`, if it is set to on or off.
  package func flag(_ name: SettingName) -> Bool? {
    if case .flag(let isOn)? = self[name] { return isOn }
    return nil
  }

  /// Returns a path from the file. `nil` for one from the environment, which the caller reads byte for byte.
  private func path(_ name: SettingName) -> FilePath? {
    if case .environment = origin(of: name) { return nil }
    return word(name).map { FilePath(typed: $0) }
  }
}

/// The origin of a setting's value.
package enum SettingOrigin: Sendable, Equatable {
  /// The default.
  case standard
  /// The file, with the line if that was found.
  case file(line: Int?)
  /// This environment variable.
  case environment(String)
  /// This option.
  case option(String)

  /// The origin in one word, for JSON.
  package var word: String {
    switch self {
    case .standard: "default"
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    }
  }
}
