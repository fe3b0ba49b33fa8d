import MusicLibrary
import MusicModel
import Platform
import SystemPackage

/// What the settings mean for the parts of the program.
extension Settings {
  /// The directories of music, unless a command names others. Those of the environment are taken byte for byte.
  var library: LibraryRoots {
    let environment = LibraryRoots(Environment.libraryDirectories) ?? LibraryRoots("/")
    guard case .paths(let texts)? = self[.library] else { return environment }
    if case .environment = origin(of: .library) { return environment }
    return LibraryRoots(texts.map { FilePath(typed: $0) }) ?? environment
  }

  /// Patterns of the names that are left out of the library.
  var ignoredPatterns: [String] {
    if case .list(let patterns)? = self[.ignore] { return patterns }
    return []
  }

  /// What old texts are encoded in, where somebody says it.
  var textEncoding: LegacyText.Encoding? { word(.textEncoding).flatMap { LegacyText.Encoding(named: $0) } }

  /// The directory of saved playlists, where somebody names one.
  var playlists: FilePath? { path(.playlists) ?? Environment.playlistDirectory }

  /// The modes of a queue in a state directory that has none yet.
  var modes: QueueModes {
    var modes = QueueModes()
    modes.repeat = word(.repeatMode).flatMap(QueueModes.Repeat.init(rawValue:)) ?? modes.repeat
    modes.random = word(.randomMode).flatMap(QueueModes.Random.init(rawValue:)) ?? modes.random
    modes.single = word(.singleMode).flatMap(QueueModes.Single.init(rawValue:)) ?? modes.single
    modes.consume = self[.consumeMode] == .flag(true)
    return modes
  }

  /// Whether the music goes on where the terminal goes.
  var keepsPlayingOnHangup: Bool { word(.onHangup) == "keep" }

  /// Whether a server resumes what another was playing.
  var restoresPlayback: Bool { self[.restore] == .flag(true) }

  /// By how many percent a key changes the volume.
  var volumeStep: Int { whole(.volumeStep) ?? 5 }

  /// The keys of the now-playing view.
  var keyBindings: KeyBindings {
    var chosen: [KeyAction: [String]] = [:]
    for action in KeyAction.allCases {
      if case .list(let names)? = self[action.setting] { chosen[action] = names }
    }
    return KeyBindings(chosen)
  }

  /// The styles of what is shown, where that has colours.
  var palette: Palette {
    var styles: [Palette.Role: TextStyle] = [:]
    for role in Palette.Role.allCases {
      styles[role] = TextStyle(parsing: word(role.setting) ?? role.standard)
    }
    return Palette(styles)
  }

  /// What somebody has set `name` to, where that is text.
  func word(_ name: SettingName) -> String? {
    if case .text(let text)? = self[name] { return text }
    return nil
  }

  /// What somebody has set `name` to, where that is a whole number.
  func whole(_ name: SettingName) -> Int? {
    if case .whole(let number)? = self[name] { return number }
    return nil
  }

  /// What somebody has set `name` to, where that is a number.
  func number(_ name: SettingName) -> Double? {
    if case .number(let number)? = self[name] { return number }
    return nil
  }

  /// What somebody has set `name` to, where that is on or off.
  func flag(_ name: SettingName) -> Bool? {
    if case .flag(let isOn)? = self[name] { return isOn }
    return nil
  }

  /// The path that the file names; the environment's is taken byte for byte by who knows it.
  private func path(_ name: SettingName) -> FilePath? {
    if case .environment = origin(of: name) { return nil }
    return word(name).map { FilePath(typed: $0) }
  }
}
