// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The `config` command: shows the settings and where each one is set.
struct ConfigCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the settings and where each one is set.",
    discussion: """
      Settings are read from segue/config.toml in $XDG_CONFIG_HOME or ~/.config, or from the file named by $SEGUE_CONFIG. Options override \
      environment variables, which override the file, which overrides the defaults.

      Examples:
        config
        config replay-gain
        config --path
        config --output silent --json
      """)

  @Argument(help: ArgumentHelp("Setting to show. Default: all.", valueName: "setting"))
  var name: String?

  @Flag(name: .long, help: "Print one JSON object per setting.")
  var json = false

  @Flag(name: .long, help: "Print the path of the settings file.")
  var path = false

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  func run(in session: Session) throws {
    let file = Environment.settingsFile
    if path { return session.printLine(data: file.string.safeForTerminal) }
    try options.checkRanges()
    let listing = SettingsListing(session.settings.overriding(with: options.given), file: file)
    if let name {
      let entry = try listing.entry(name)
      guard json else { return session.printLine(data: (entry.value?.text ?? entry.defaultText).safeForTerminal) }
      return try printJSON([entry], in: session)
    }
    if json { return try printJSON(listing.entries, in: session) }
    session.printLines(session.outputStyle.isPlain ? listing.plainLines : listing.lines(columns: session.columns))
  }

  private func printJSON(_ entries: [SettingsListing.Entry], in session: Session) throws {
    let lines = entries.compactMap { JSONText.text($0) }
    guard lines.count == entries.count else {
      throw PlayerError(.failure, "cannot encode the settings as JSON")
    }
    session.printLines(data: lines)
  }
}

/// The listing that `segue config` prints.
struct SettingsListing {
  /// A setting or an alias, with its value and its origin.
  struct Entry: Encodable, Equatable {
    let key: String
    /// The value; `nil` if the setting is not set, and its default is only a description.
    let value: SettingValue?
    let defaultText: String
    let origin: SettingOrigin
    /// The path of the settings file, whether or not the value is set in it.
    let file: String?

    private enum Key: String, CodingKey {
      case key, value, origin, file, line, variable, option
    }

    /// Encodes `key`, `value` and `origin`, which is `default`, `file`, `environment` or `option`. Depending on the
    /// origin, also encodes `file` and `line`, `variable`, or `option`. `value` is omitted if the default has no fixed
    /// value.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(key, forKey: .key)
      try container.encodeIfPresent(value, forKey: .value)
      try container.encode(origin.word, forKey: .origin)
      switch origin {
      case .default: break
      case .file(let line):
        try container.encodeIfPresent(file, forKey: .file)
        try container.encodeIfPresent(line, forKey: .line)
      case .environment(let variable): try container.encode(variable, forKey: .variable)
      case .option(let option): try container.encode(option, forKey: .option)
      case .session: break
      }
    }
  }

  /// The settings in the order of ``SettingsTable``, and then the aliases by name.
  let entries: [Entry]
  private let fileName: String

  /// Creates the listing of `settings`. `file` is the path of the settings file.
  init(_ settings: Settings, file: FilePath) {
    fileName = file.lastComponent?.string ?? file.string
    entries =
      SettingsTable.all.map { setting in
        Entry(
          key: setting.name.rawValue, value: settings[setting.name] ?? setting.defaultValue,
          defaultText: setting.defaultText, origin: settings.origin(of: setting.name), file: file.string)
      }
      + settings.aliases.sorted { $0.key < $1.key }.map { name, alias in
        Entry(
          key: "aliases." + name, value: .text(alias.value), defaultText: "", origin: .file(line: alias.line),
          file: file.string)
      }
  }

  /// Returns the entry called `name`.
  ///
  /// - Throws: `PlayerError` if there is none.
  func entry(_ name: String) throws(PlayerError) -> Entry {
    if let entry = entries.first(where: { $0.key == name }) { return entry }
    let names = entries.map(\.key)
    let nearest = Likeness.nearest(to: name, in: names, limit: 1).first.map { names[$0] }
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? "; use `segue config` to list the settings"
    throw PlayerError(.usage, "unknown setting \"\(name)\"\(hint)")
  }

  /// Returns the listing as a table. Lines are at most `columns` cells wide; `nil` means any width.
  func lines(columns: Int?) -> [String] {
    let rows = entries.map { entry in
      [entry.key, entry.value?.text ?? entry.defaultText, location(entry.origin)].map(\.safeForTerminal)
    }
    return Table(alignments: [.left, .left, .left], flexible: [1]).lines(rows, columns: columns)
  }

  /// The listing in plain style, for screen readers.
  var plainLines: [String] {
    entries.map { entry in
      PlainLine(entry.value?.text ?? entry.defaultText).adding(location(entry.origin), as: "from").prefixed(
        with: entry.key.safeForTerminal
      ).text
    }
  }

  private func location(_ origin: SettingOrigin) -> String {
    switch origin {
    case .default: "default"
    case .file(let line): line.map { "\(fileName):\($0)" } ?? fileName
    case .environment(let variable): "$" + variable
    case .option(let option): option
    case .session: "set"
    }
  }
}
