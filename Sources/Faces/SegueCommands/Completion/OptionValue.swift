import MusicModel

/// What the options take.
enum OptionValue {
  /// What follows the option `name`, with its dashes. An option has one meaning in all commands.
  static func subject(of name: String) -> CompletionSubject {
    switch name {
    case "--library", "--data-dir", "--state-dir": .directory
    case "--socket", "--passwords": .path
    case "--sort": .choice(LibraryOrder.Key.allCases.map(\.rawValue))
    case "--replay-gain": .choice(ReplayGainSettings.Mode.allCases.map(\.rawValue))
    case "--clipping": .choice(ReplayGainSettings.Clipping.allCases.map(\.rawValue))
    case "--on-format-change": .choice(["reopen", "resample"])
    case "--depth": .choice(["16", "24", "32"])
    case "--sleep-after", "--after": .choice(["track", "album", "queue"])
    case "--color": .choice(ColourChoice.allCases.map(\.rawValue))
    case "--output": .output
    default: .nothing
    }
  }
}
