// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Platform
package import PlayerFlow
package import SystemPackage
package import Tagging

/// The settings in effect, and the origin of each. Options take precedence over the environment, the environment over
/// the file, and the file over the defaults.
package struct Settings: Sendable {
  /// The value of a setting, and where it was set.
  struct Entry: Sendable, Equatable {
    let value: SettingValue
    let origin: SettingOrigin
  }

  /// The values of the settings that have been set anywhere.
  private var entries: [SettingName: Entry] = [:]
  /// What keys of the full screen do, by their names, as the user has chosen.
  package private(set) var bindings: [String: FileSettings.Entry<String>] = [:]
  /// The text for which each alias stands, by name.
  package private(set) var aliases: [String: FileSettings.Entry<String>] = [:]
  /// The problems in the file and the environment, in the order in which they were found.
  package private(set) var problems: [SettingsProblem] = []

  package init() {}

  /// Creates settings from a settings file and from environment variables.
  ///
  /// - Parameters:
  ///   - file: The content of the file; `nil` if there is none.
  ///   - environment: Returns the value of an environment variable, or `nil` if it is not set.
  init(file: FileSettings?, environment: (String) -> String?) {
    if let file {
      entries = file.values.mapValues { Entry(value: $0.value, origin: .file(line: $0.line)) }
      aliases = file.aliases
      bindings = file.bindings
      problems = file.problems
    }
    for setting in SettingsTable.shared {
      guard let variable = setting.environment, let text = environment(variable) else { continue }
      if let value = Self.value(of: setting, text) {
        entries[setting.name] = Entry(value: value, origin: .environment(variable))
      } else {
        let message = "invalid value \"\(text)\": use \(setting.kind.expectation)"
        problems.append(SettingsProblem(location: "$\(variable)", message: message))
      }
    }
  }

  /// Returns the value of a setting from the text of its environment variable. Unlike in the file, paths may be
  /// relative.
  private static func value(of setting: Setting, _ text: String) -> SettingValue? {
    switch setting.kind {
    case .path: return .text(text)
    case .paths:
      let paths = SettingKind.split(text)
      return paths.isEmpty ? nil : .paths(paths)
    default: return setting.kind.value(parsing: text)
    }
  }

  /// Returns the settings from the settings file and the environment of this process. An alias must not have the name
  /// of one of `commands`.
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

  /// Returns these settings with the values of command-line options, which take precedence.
  package func overriding(with options: [SettingName: SettingValue]) -> Settings {
    var settings = self
    for (name, value) in options {
      let option = SettingsTable.shared.first { $0.name == name }?.option ?? ""
      settings.entries[name] = Entry(value: value, origin: .option(option))
    }
    return settings
  }

  /// Returns these settings with values that apply until the program ends.
  package func overriding(for now: [SettingName: SettingValue]) -> Settings {
    var settings = self
    for (name, value) in now { settings.entries[name] = Entry(value: value, origin: .session) }
    return settings
  }

  /// The value of a setting; `nil` if it has not been set.
  package subscript(name: SettingName) -> SettingValue? { entries[name]?.value }

  /// Returns where the value of a setting was set.
  package func origin(of name: SettingName) -> SettingOrigin { entries[name]?.origin ?? .default }
}

/// The settings, converted to the types in which they are used.
extension Settings {
  /// The music directories that apply unless a command names others. A path from the environment is taken byte for
  /// byte.
  package var library: LibraryRoots {
    let environment = LibraryRoots(Environment.libraryDirectories) ?? LibraryRoots("/")
    guard case .paths(let texts)? = self[.library] else { return environment }
    if case .environment = origin(of: .library) { return environment }
    return LibraryRoots(texts.map { FilePath(typed: $0) }) ?? environment
  }

  /// The preferred outputs, the best first. Unlike a single output in the file, one that was named otherwise has
  /// precedence.
  package var preferredOutputs: [String] {
    guard case .list(let entries)? = self[.outputs] else { return [] }
    return switch origin(of: .output) {
    case .default, .file: entries
    case .environment, .option, .session: []
    }
  }

  /// The patterns of file names to ignore in the library.
  package var ignoredPatterns: [String] {
    if case .list(let patterns)? = self[.ignore] { return patterns }
    return []
  }

  /// The encoding of text files that are not UTF-8, if it is set.
  package var textEncoding: LegacyText.Encoding? { word(.textEncoding).flatMap { LegacyText.Encoding(named: $0) } }

  /// The date of tracks and albums that is shown.
  package var dates: DateChoice { word(.dates).flatMap { DateChoice(rawValue: $0) } ?? .original }

  /// The directory of saved playlists, if it is set.
  package var playlists: FilePath? { path(.playlists) ?? Environment.playlistDirectory }

  /// The initial queue modes when a state directory is created.
  package var modes: QueueModes {
    var modes = QueueModes()
    modes.repeat = word(.repeatMode).flatMap(QueueModes.Repeat.init(rawValue:)) ?? modes.repeat
    modes.random = word(.randomMode).flatMap(QueueModes.Random.init(rawValue:)) ?? modes.random
    modes.single = word(.singleMode).flatMap(QueueModes.Single.init(rawValue:)) ?? modes.single
    modes.consume = self[.consumeMode] == .flag(true)
    return modes
  }

  /// Whether playback continues after the terminal is lost.
  package var keepsPlayingOnHangup: Bool { word(.onHangup) == "keep" }

  /// Whether a server resumes the playback of the previous server.
  package var restoresPlayback: Bool { self[.restore] == .flag(true) }

  /// Whether streams are decoded on systems that cannot confine the program that does it.
  package var allowsUnconfinedStreams: Bool { self[.unconfinedStreams] == .flag(true) }

  /// How silence is skipped; `nil` if it is not.
  package var silenceSkipping: SilenceSkipping? { flag(.skipSilence) == true ? silence : nil }

  /// The level below which everything counts as silence, in dB.
  package var silenceThreshold: Double { silence.threshold }

  private var silence: SilenceSkipping {
    var skipping = SilenceSkipping()
    if let threshold = number(.silenceThreshold) { skipping.threshold = threshold }
    if let shortest = number(.silenceShortest) { skipping.shortest = .seconds(shortest) }
    if let gap = number(.silenceGap) { skipping.gap = .seconds(gap) }
    return skipping
  }

  /// The amount by which a key changes the volume, in percentage points.
  package var volumeStep: Int { integer(.volumeStep) ?? 5 }

  /// The keys of the full screen.
  package var keyBindings: ScreenBindings {
    ScreenBindings(bindings.mapValues(\.value), preset: word(.keyPreset).flatMap(KeyPreset.init(rawValue:)) ?? .segue)
  }

  /// The columns that the user has chosen for lists, by the names of these.
  package var columns: [String: [ListColumn.Choice]] {
    let chosen = SettingsTable.all.filter { $0.kind == .columns }.compactMap { setting in
      word(setting.name).flatMap(ListColumn.choices).map { (setting.name.path[1], $0) }
    }
    return Dictionary(uniqueKeysWithValues: chosen)
  }

  /// What is shown beside the cover at first; `nil` for what was shown last.
  package var playingSide: PlayingSide? { word(.playingSide).flatMap(PlayingSide.init(rawValue:)) }

  /// The percentage of the height of the full screen that the cover takes.
  package var coverSize: Int { integer(.coverSize) ?? 60 }

  /// The theme of the full screen, if the user has chosen one.
  package var theme: Theme? { word(.theme).flatMap(Theme.init(rawValue:)) }

  /// How the full screen draws the spectrum.
  package var spectrum: SpectrumStyle { word(.spectrum).flatMap(SpectrumStyle.init(rawValue:)) ?? .bars }

  /// The text styles of the full screen in `theme`, with the colour of a cover if one is given.
  package func palette(_ theme: Theme, accent: (red: UInt8, green: UInt8, blue: UInt8)? = nil) -> Palette {
    Palette(
      Dictionary(
        Palette.Role.allCases.compactMap { role in
          let ofCover = accent.flatMap { theme.style(of: role, $0) }
          return TextStyle(parsing: word(role.setting) ?? ofCover ?? theme.style(of: role)).map { (role, $0) }
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// The text styles for output that has colours.
  package var palette: Palette {
    var styles: [Palette.Role: TextStyle] = [:]
    for role in Palette.Role.allCases {
      styles[role] = TextStyle(parsing: word(role.setting) ?? role.defaultStyle)
    }
    return Palette(styles)
  }

  /// Returns the value of a setting; `nil` if it is not set, or if its value is not text.
  package func word(_ name: SettingName) -> String? {
    if case .text(let text)? = self[name] { return text }
    return nil
  }

  /// Returns the value of a setting; `nil` if it is not set, or if its value is not an integer.
  package func integer(_ name: SettingName) -> Int? {
    if case .integer(let number)? = self[name] { return number }
    return nil
  }

  /// Returns the value of a setting; `nil` if it is not set, or if its value is not a number.
  package func number(_ name: SettingName) -> Double? {
    if case .number(let number)? = self[name] { return number }
    return nil
  }

  /// Returns the value of a setting; `nil` if it is not set, or if its value is not a flag.
  package func flag(_ name: SettingName) -> Bool? {
    if case .flag(let isOn)? = self[name] { return isOn }
    return nil
  }

  /// Returns the value of a setting as a path; `nil` if it is not set. Also returns `nil` if the setting comes from the
  /// environment, because the caller takes that path byte for byte.
  private func path(_ name: SettingName) -> FilePath? {
    if case .environment = origin(of: name) { return nil }
    return word(name).map { FilePath(typed: $0) }
  }
}

/// Where the value of a setting was set.
package enum SettingOrigin: Sendable, Equatable {
  /// Not set, so that the default applies.
  case `default`
  /// In the settings file, on this line if it could be determined.
  case file(line: Int?)
  /// In the environment variable with this name.
  case environment(String)
  /// By the command-line option with this name.
  case option(String)
  /// By a command, until the program ends.
  case session

  /// The origin as one word, for JSON output.
  package var word: String {
    switch self {
    case .default: "default"
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    case .session: "session"
    }
  }
}
