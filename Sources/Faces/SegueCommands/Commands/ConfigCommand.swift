import ArgumentParser
import Platform
import SystemPackage
import UnicodeText

/// `config`: shows the settings, and who has set them.
struct ConfigCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the settings, and where each comes from.",
    discussion: """
      Settings are in a file, segue/config.toml in $XDG_CONFIG_HOME or ~/.config, or the one that $SEGUE_CONFIG names. An option comes before the \
      environment, that before the file, and that before the default.

      Examples:
        config
        config replay-gain
        config --path
        config --output silent --json
      """)

  @Argument(help: ArgumentHelp("Show only the value of this setting.", valueName: "setting"))
  var name: String?

  @Flag(name: .long, help: "Print one line of JSON a setting.")
  var json = false

  @Flag(name: .long, help: "Print the path of the file.")
  var path = false

  @OptionGroup var options: PlayerOptions

  var manner: MannerOptions { options.manner }

  func run(in session: Session) throws {
    let file = Environment.settingsFile
    if path { return session.say(data: file.string.safeForTerminal) }
    try options.checkRanges()
    let listing = SettingsListing(session.settings.choosing(options.given), file: file)
    if let name {
      let entry = try listing.entry(name)
      guard json else { return session.say(data: (entry.value?.text ?? entry.defaultText).safeForTerminal) }
      return try say([entry], in: session)
    }
    if json { return try say(listing.entries, in: session) }
    session.say(session.manner.isPlain ? listing.plainLines : listing.lines(columns: session.columns))
  }

  private func say(_ entries: [SettingsListing.Entry], in session: Session) throws {
    let lines = entries.compactMap { JSONText.text($0) }
    guard lines.count == entries.count else {
      throw CommandError(.failure, "the settings cannot be written as JSON")
    }
    session.say(data: lines)
  }
}
