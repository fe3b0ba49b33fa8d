package import MusicModel
package import Platform
package import SystemPackage
package import Tagging

/// What holds for a program, and who has said so: an option before the environment, that before the file, that before
/// the default.
package struct Settings: Sendable {
  /// What a setting is, and who has set it.
  struct Chosen: Sendable, Equatable {
    let value: SettingValue
    let origin: SettingOrigin
  }

  /// What somebody has set.
  private var chosen: [SettingName: Chosen] = [:]
  /// What each alias stands for.
  package private(set) var aliases: [String: FileSettings.Entry<String>] = [:]
  /// What is wrong, a line each.
  package private(set) var problems: [SettingsProblem] = []

  /// The defaults.
  package init() {}

  /// What `file` and the variables that `environment` gives set.
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
        let message = "\"\(text)\" does not hold: write \(setting.kind.expectation)"
        problems.append(SettingsProblem(place: "$\(variable)", message: message))
      }
    }
  }

  /// A path in the environment may be relative, as one typed may.
  private static func value(of setting: Setting, _ text: String) -> SettingValue? {
    switch setting.kind {
    case .path: return .text(text)
    case .paths:
      let paths = SettingKind.split(text)
      return paths.isEmpty ? nil : .paths(paths)
    default: return setting.kind.value(parsing: text)
    }
  }

  /// The settings that the file and the environment of this process set. No alias may be one of `commands`.
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

  /// These settings, but for what options set.
  package func choosing(_ options: [SettingName: SettingValue]) -> Settings {
    var settings = self
    for (name, value) in options {
      let option = SettingsTable.shared.first { $0.name == name }?.option ?? ""
      settings.chosen[name] = Chosen(value: value, origin: .option(option))
    }
    return settings
  }

  /// What somebody has set `name` to; `nil` where nobody has.
  package subscript(name: SettingName) -> SettingValue? { chosen[name]?.value }

  /// Who has set `name`.
  package func origin(of name: SettingName) -> SettingOrigin { chosen[name]?.origin ?? .standard }
}

/// What the settings mean for the parts of the program.
extension Settings {
  /// The directories of music, unless a command names others. Those of the environment are taken byte for byte.
  package var library: LibraryRoots {
    let environment = LibraryRoots(Environment.libraryDirectories) ?? LibraryRoots("/")
    guard case .paths(let texts)? = self[.library] else { return environment }
    if case .environment = origin(of: .library) { return environment }
    return LibraryRoots(texts.map { FilePath(typed: $0) }) ?? environment
  }

  /// Patterns of the names that are left out of the library.
  package var ignoredPatterns: [String] {
    if case .list(let patterns)? = self[.ignore] { return patterns }
    return []
  }

  /// What old texts are encoded in, where somebody says it.
  package var textEncoding: LegacyText.Encoding? { word(.textEncoding).flatMap { LegacyText.Encoding(named: $0) } }

  /// The directory of saved playlists, where somebody names one.
  package var playlists: FilePath? { path(.playlists) ?? Environment.playlistDirectory }

  /// The modes of a queue in a state directory that has none yet.
  package var modes: QueueModes {
    var modes = QueueModes()
    modes.repeat = word(.repeatMode).flatMap(QueueModes.Repeat.init(rawValue:)) ?? modes.repeat
    modes.random = word(.randomMode).flatMap(QueueModes.Random.init(rawValue:)) ?? modes.random
    modes.single = word(.singleMode).flatMap(QueueModes.Single.init(rawValue:)) ?? modes.single
    modes.consume = self[.consumeMode] == .flag(true)
    return modes
  }

  /// Whether the music goes on where the terminal goes.
  package var keepsPlayingOnHangup: Bool { word(.onHangup) == "keep" }

  /// Whether a server resumes what another was playing.
  package var restoresPlayback: Bool { self[.restore] == .flag(true) }

  /// By how many percent a key changes the volume.
  package var volumeStep: Int { whole(.volumeStep) ?? 5 }

  /// The keys of the now-playing view.
  package var keyBindings: KeyBindings {
    var chosen: [KeyAction: [String]] = [:]
    for action in KeyAction.allCases {
      if case .list(let names)? = self[action.setting] { chosen[action] = names }
    }
    return KeyBindings(chosen)
  }

  /// The styles of what is shown, where that has colours.
  package var palette: Palette {
    var styles: [Palette.Role: TextStyle] = [:]
    for role in Palette.Role.allCases {
      styles[role] = TextStyle(parsing: word(role.setting) ?? role.standard)
    }
    return Palette(styles)
  }

  /// What somebody has set `name` to, where that is text.
  package func word(_ name: SettingName) -> String? {
    if case .text(let text)? = self[name] { return text }
    return nil
  }

  /// What somebody has set `name` to, where that is a whole number.
  package func whole(_ name: SettingName) -> Int? {
    if case .whole(let number)? = self[name] { return number }
    return nil
  }

  /// What somebody has set `name` to, where that is a number.
  package func number(_ name: SettingName) -> Double? {
    if case .number(let number)? = self[name] { return number }
    return nil
  }

  /// What somebody has set `name` to, where that is on or off.
  package func flag(_ name: SettingName) -> Bool? {
    if case .flag(let isOn)? = self[name] { return isOn }
    return nil
  }

  /// The path that the file names; the environment's is taken byte for byte by who knows it.
  private func path(_ name: SettingName) -> FilePath? {
    if case .environment = origin(of: name) { return nil }
    return word(name).map { FilePath(typed: $0) }
  }
}

/// Who has set a setting.
package enum SettingOrigin: Sendable, Equatable {
  /// Nobody.
  case standard
  /// The file, in this line, where that was found.
  case file(line: Int?)
  /// This variable of the environment.
  case environment(String)
  /// This option.
  case option(String)

  /// In one word for JSON.
  package var word: String {
    switch self {
    case .standard: "default"
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    }
  }
}
