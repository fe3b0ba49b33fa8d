// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TOMLFiles
import Tagging

/// The settings and aliases in a settings file, and the problems found in it.
package struct FileSettings: Sendable, Equatable {
  /// The value of a setting or an alias, and the line that sets it.
  package struct Entry<Value: Sendable & Equatable>: Sendable, Equatable {
    package let value: Value
    /// The line in the file, counted from 1; `nil` if it could not be determined.
    package let line: Int?
  }

  private(set) var values: [SettingName: Entry<SettingValue>] = [:]
  private(set) var aliases: [String: Entry<String>] = [:]
  private(set) var bindings: [String: Entry<String>] = [:]
  private(set) var problems: [SettingsProblem] = []

  private let location: String
  private let lines: KeyLines
  private let commands: [String]

  /// Returns whether two files have the same values, aliases and problems.
  package static func == (left: FileSettings, right: FileSettings) -> Bool {
    left.values == right.values && left.aliases == right.aliases && left.bindings == right.bindings
      && left.problems == right.problems
  }

  /// Parses the text of a settings file. If it is not valid TOML, no setting is read from it.
  ///
  /// - Parameters:
  ///   - location: The name of the file in messages.
  ///   - commands: The names of the commands, which aliases must not have.
  init(_ text: String, location: String, commands: [String]) {
    self.location = location
    self.commands = commands
    lines = KeyLines(text)
    do throws(TOMLError) {
      let tree = try TOMLDocument.parse(text)
      for (key, value) in sorted(tree, []) { read(value, [key]) }
    } catch {
      let message = "\(error.message); the file is ignored until this is fixed"
      problems.append(SettingsProblem(location: "\(location):\(error.line)", message: message))
    }
  }

  /// Returns the entries of a table in the order in which the file lists them.
  private func sorted(_ table: [String: TOMLValue], _ path: [String]) -> [(String, TOMLValue)] {
    let entries = table.map { (line: lines[path + [$0.key]] ?? .max, key: $0.key, value: $0.value) }
    return entries.sorted { ($0.line, $0.key) < ($1.line, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Reads the entry at `path`; if it is a table, reads the entries in it.
  private mutating func read(_ value: TOMLValue, _ path: [String]) {
    let name = path.joined(separator: ".")
    if path == ["keys"], case .text = value { return read(value, SettingName.keyPreset.path, at: path) }
    if path == ["aliases"] || path == ["bindings"] || path.count == 1 && SettingName.tables.contains(name) {
      guard case .table(let entries) = value else {
        return addProblem(path, "'\(name)' cannot be \(value.description): use a table, [\(name)]")
      }
      for (key, value) in sorted(entries, path) { read(value, path + [key]) }
    } else if path.first == "aliases", path.count == 2 {
      readAlias(path[1], value)
    } else if Self.keyTables.contains(path[0]), path.count == 2, path != SettingName.keyPreset.path {
      if path[0] == "keys", let action = Self.earlierKeySettings[path[1]] {
        readKeys(of: action, value, path)
      } else {
        readBinding(value, path)
      }
    } else {
      read(value, path, at: path)
    }
  }

  /// The tables that bind keys. Files of earlier versions have two.
  private static let keyTables = ["keys", "bindings"]

  /// Reads the setting whose name has the parts `parts`, which is at `path`.
  private mutating func read(_ value: TOMLValue, _ parts: [String], at path: [String]) {
    let name = parts.joined(separator: ".")
    if let setting = parts.count == Self.depth(name) ? SettingsTable.byName[name] : nil {
      guard let parsed = setting.kind.value(value) else {
        return addProblem(path, "\(name) cannot be \(value.description): use \(setting.kind.expectation)")
      }
      values[setting.name] = Entry(value: parsed, line: lines[path])
    } else {
      let isTable = if case .table = value { true } else { false }
      addProblem(path, "unknown setting '\(name)'" + Self.suggestion(name, isTable: isTable))
    }
  }

  private mutating func readAlias(_ name: String, _ value: TOMLValue) {
    guard case .text(let text) = value, let words = try? LineTokenizer.words(text), !words.isEmpty else {
      return addProblem(
        ["aliases", name],
        "the alias '\(name)' cannot be \(value.description): use words in quotation marks")
    }
    guard !commands.contains(name), !name.hasPrefix("-"), !name.contains(where: \.isWhitespace), !name.isEmpty
    else {
      return addProblem(
        ["aliases", name],
        commands.contains(name)
          ? "'\(name)' is a command: choose another name for the alias"
          : "'\(name)' cannot be a command name: choose another name for the alias")
    }
    aliases[name] = Entry(value: text, line: lines[["aliases", name]])
  }

  private mutating func readBinding(_ value: TOMLValue, _ path: [String]) {
    let name = path[1]
    guard ScreenBindings.keys(name) != nil else {
      let action = ScreenAction(named: name).flatMap(\.defaultKeys.first)
      let hint = action.map { "write the key first, as in \($0) = \"\(name)\"" }
      return addProblem(
        path,
        "'\(name)' is no key: " + (hint ?? "use a character, several letters, or \(Key.names.joined(separator: ", "))"))
    }
    guard case .text(let text) = value, text.isEmpty || ScreenBindings.Target(text) != nil else {
      return addProblem(
        path,
        "the key '\(name)' cannot be bound to \(value.description): use the name of an action, a command after a colon, or a program after an exclamation mark"
      )
    }
    bindings[name] = Entry(value: text, line: lines[path])
  }

  /// The actions whose keys files of earlier versions list in the table `[keys]`.
  private static let earlierKeySettings: [String: ScreenAction] = [
    "pause": .pause, "seek-back": .seekBack, "seek-forward": .seekForward, "seek-back-far": .seekBackFar,
    "seek-forward-far": .seekForwardFar, "next": .next, "previous": .previous, "volume-up": .volumeUp,
    "volume-down": .volumeDown, "meter": .side, "show-keys": .help, "quit": .quit,
  ]

  /// The actions on lists that keep their keys, since earlier versions gave these another meaning only where there is
  /// no list.
  private static let listActions: Set<ScreenAction> = [.up, .down, .left, .right, .findNext]

  /// Reads the keys of an action in a file of an earlier version.
  private mutating func readKeys(of action: ScreenAction, _ value: TOMLValue, _ path: [String]) {
    let names: [String?] =
      switch value {
      case .text(let name): [name]
      case .list(let elements): elements
      default: [nil]
      }
    let keys = names.compactMap { $0 }.filter { Key(named: $0) != nil }
    guard keys.count == names.count else {
      return addProblem(
        path, "\(path.joined(separator: ".")) cannot be \(value.description): use a key or a list of keys")
    }
    let ofLists = Set(ScreenAction.allCases.filter { Self.listActions.contains($0) }.flatMap(\.defaultKeys))
    let line = lines[path]
    let chosen = keys.filter { !ofLists.contains($0) }
    if chosen.count < keys.count {
      addProblem(
        path,
        "\(path.joined(separator: ".")): \(keys.filter { ofLists.contains($0) }.joined(separator: " and ")) moves in lists"
      )
    }
    guard chosen.isEmpty == keys.isEmpty else { return }
    for key in action.defaultKeys where bindings[key] == nil { bindings[key] = Entry(value: "", line: line) }
    for key in chosen { bindings[key] = Entry(value: action.rawValue, line: line) }
  }

  private mutating func addProblem(_ path: [String], _ message: String) {
    problems.append(
      SettingsProblem(location: lines[path].map { "\(location):\($0)" } ?? location, message: message))
  }

  /// Returns the number of parts of a setting's name. It differs from the number of keys in the path if a quoted key
  /// contains a dot; such a key is not a setting.
  private static func depth(_ name: String) -> Int { name.split(separator: ".").count }

  private static func suggestion(_ name: String, isTable: Bool) -> String {
    let names = (isTable ? [] : SettingName.allCases.map(\.rawValue)) + SettingName.tables + ["aliases", "bindings"]
    let inTable = SettingName.allCases.first { $0.rawValue.hasSuffix("." + name) }?.rawValue
    let nearest = Likeness.nearest(to: name, in: names, limit: 1).first.map { names[$0] }
    return (inTable ?? nearest).map { " (did you mean '\($0)'?)" } ?? ""
  }
}

/// Reads the settings file from the disk.
enum SettingsFile {
  /// The maximum size of the file in bytes.
  static let limit = 1 << 16

  /// Reads the settings file at `path`. If there is none, returns `nil` without calling the parser or `commands`.
  ///
  /// - Throws: `SettingsProblem` if the file cannot be read, or is not UTF-8 text.
  static func read(_ path: FilePath, commands: () -> [String]) throws(SettingsProblem) -> FileSettings? {
    let location = path.lastComponent?.string ?? path.string
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try AtomicFile.read(path, limit: limit)
    } catch {
      throw SettingsProblem(location: location, message: reason(error, path) + "; using the defaults")
    }
    guard let bytes else { return nil }
    guard bytes.count <= limit else {
      throw SettingsProblem(
        location: location, message: reason(.fileTooLarge, path) + "; using the defaults")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsProblem(location: location, message: "not UTF-8 text; using the defaults")
    }
    return FileSettings(text, location: location, commands: commands())
  }

  private static func reason(_ error: Errno, _ path: FilePath) -> String {
    switch error {
    case .fileTooLarge: "larger than \(limit) bytes"
    case .invalidArgument: "\(path.shown) is not a file"
    default: "\(path.shown) cannot be read: \(error)"
    }
  }
}

/// A problem with one setting. It does not affect the other settings.
package struct SettingsProblem: Error, Sendable, Equatable {
  /// Where the problem is: the file and the line, or the environment variable.
  let location: String
  /// What is wrong, and what to write instead. Not yet escaped for a terminal.
  let message: String

  /// The location and the message in one line.
  package var description: String { "\(location): \(message)" }
}
