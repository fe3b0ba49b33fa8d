// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
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
      checkKeys()
    } catch {
      let message = "\(error.message); the file is ignored until this is fixed"
      problems.append(SettingsProblem(location: "\(location):\(error.line)", message: message))
    }
  }

  /// Returns the entries of a table in the order in which the file lists them.
  private func sorted(_ table: [String: SettingsTree], _ path: [String]) -> [(String, SettingsTree)] {
    let entries = table.map { (line: lines[path + [$0.key]] ?? .max, key: $0.key, value: $0.value) }
    return entries.sorted { ($0.line, $0.key) < ($1.line, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Reads the entry at `path`; if it is a table, reads the entries in it.
  private mutating func read(_ value: SettingsTree, _ path: [String]) {
    let name = path.joined(separator: ".")
    if path == ["aliases"] || path == ["bindings"] || path.count == 1 && SettingName.tables.contains(name) {
      guard case .table(let entries) = value else {
        return addProblem(path, "'\(name)' cannot be \(value.description): use a table, [\(name)]")
      }
      for (key, value) in sorted(entries, path) { read(value, path + [key]) }
    } else if path.first == "aliases", path.count == 2 {
      readAlias(path[1], value)
    } else if path.first == "bindings", path.count == 2 {
      readBinding(path[1], value)
    } else if let setting = path.count == Self.depth(name) ? SettingsTable.byName[name] : nil {
      guard let parsed = setting.kind.value(value) else {
        return addProblem(path, "\(name) cannot be \(value.description): use \(setting.kind.expectation)")
      }
      values[setting.name] = Entry(value: parsed, line: lines[path])
    } else {
      let isTable = if case .table = value { true } else { false }
      addProblem(path, "unknown setting '\(name)'" + Self.suggestion(name, isTable: isTable))
    }
  }

  private mutating func readAlias(_ name: String, _ value: SettingsTree) {
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

  private mutating func readBinding(_ name: String, _ value: SettingsTree) {
    let path = ["bindings", name]
    guard ScreenBindings.keys(name) != nil else {
      return addProblem(
        path, "'\(name)' is no key: use a character, several letters, or \(Key.names.joined(separator: ", "))")
    }
    guard case .text(let text) = value, text.isEmpty || ScreenBindings.Target(text) != nil else {
      return addProblem(
        path,
        "the key '\(name)' cannot be bound to \(value.description): use the name of an action, or a command after a colon"
      )
    }
    bindings[name] = Entry(value: text, line: lines[path])
  }

  private mutating func addProblem(_ path: [String], _ message: String) {
    problems.append(
      SettingsProblem(location: lines[path].map { "\(location):\($0)" } ?? location, message: message))
  }

  /// Reports keys that are bound to two actions, and actions whose default keys are all bound to other actions.
  private mutating func checkKeys() {
    var chosen: [ScreenAction: [String]] = [:]
    var owners: [(key: Key, setting: SettingName)] = []
    for setting in KeySetting.all {
      guard case .list(let names)? = values[setting.name]?.value else { continue }
      chosen[setting.action] = names
      for name in names {
        guard let key = Key(named: name) else { continue }
        if let owner = owners.first(where: { $0.key == key })?.setting {
          if owner != setting.name {
            addProblem(
              setting.name.path,
              "'\(name)' is already the key of \(owner.rawValue): choose another one for \(setting.name.rawValue)")
          }
        } else {
          owners.append((key, setting.name))
        }
      }
    }
    guard !chosen.isEmpty else { return }
    let bindings = KeyBindings(chosen)
    for setting in KeySetting.all where chosen[setting.action] == nil && bindings.keys(of: setting.action).isEmpty {
      let defaults = setting.defaultKeys.compactMap(Key.init(named:))
      guard let owner = owners.first(where: { defaults.contains($0.key) }) else { continue }
      addProblem(
        owner.setting.path,
        "'\(owner.key.name)' was the key of \(setting.name.rawValue), which now has none: set one, or [] for none")
    }
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
