import Platform
import SystemPackage
import Tagging

/// What a file of settings sets, and what of it is wrong.
package struct FileSettings: Sendable, Equatable {
  /// Whatever something was set to.
  package struct Entry<Value: Sendable & Equatable>: Sendable, Equatable {
    /// What it is set to.
    package let value: Value
    /// Counted from 1; `nil` where it was not found.
    package let line: Int?
  }

  private(set) var values: [SettingName: Entry<SettingValue>] = [:]
  private(set) var aliases: [String: Entry<String>] = [:]
  private(set) var problems: [SettingsProblem] = []

  private let place: String
  private let lines: KeyLines
  private let commands: [String]

  /// Whether both hold the same, and have the same wrong.
  package static func == (left: FileSettings, right: FileSettings) -> Bool {
    left.values == right.values && left.aliases == right.aliases && left.problems == right.problems
  }

  /// What `text` sets, which is in the file that is called `place` in messages; no alias may be one of `commands`.
  ///
  /// Where it is no TOML, nothing holds.
  init(_ text: String, place: String, commands: [String]) {
    self.place = place
    self.commands = commands
    lines = KeyLines(text)
    do throws(TOMLError) {
      let tree = try TOMLDocument.parse(text)
      for (key, value) in sorted(tree, []) { take(value, [key]) }
      checkKeys()
    } catch {
      let message = "\(error.message); nothing in the file holds until that is mended"
      problems.append(SettingsProblem(place: "\(place):\(error.line)", message: message))
    }
  }

  /// In the order of the file.
  private func sorted(_ table: [String: SettingsTree], _ path: [String]) -> [(String, SettingsTree)] {
    let keyed = table.map { (line: lines[path + [$0.key]] ?? .max, key: $0.key, value: $0.value) }
    return keyed.sorted { ($0.line, $0.key) < ($1.line, $1.key) }.map { ($0.key, $0.value) }
  }

  private mutating func take(_ value: SettingsTree, _ path: [String]) {
    let name = path.joined(separator: ".")
    if path == ["aliases"] || path.count == 1 && SettingName.tables.contains(name) {
      guard case .table(let entries) = value else {
        return complain(path, "'\(name)' is \(value.description): write a table, [\(name)]")
      }
      for (key, value) in sorted(entries, path) { take(value, path + [key]) }
    } else if path.first == "aliases", path.count == 2 {
      takeAlias(path[1], value)
    } else if let setting = path.count == Self.depth(name) ? SettingsTable.byName[name] : nil {
      guard let known = setting.kind.value(value) else {
        return complain(path, "\(name) \(value.description): write \(setting.kind.expectation)")
      }
      values[setting.name] = Entry(value: known, line: lines[path])
    } else {
      let isTable = if case .table = value { true } else { false }
      complain(path, "unknown setting '\(name)'" + Self.suggestion(name, isTable: isTable))
    }
  }

  private mutating func takeAlias(_ name: String, _ value: SettingsTree) {
    guard case .text(let text) = value, let words = try? LineTokenizer.words(text), !words.isEmpty else {
      return complain(
        ["aliases", name],
        "the alias '\(name)' is \(value.description): write a line of words in quotation marks")
    }
    guard !commands.contains(name), !name.hasPrefix("-"), !name.contains(where: \.isWhitespace), !name.isEmpty
    else {
      return complain(
        ["aliases", name],
        commands.contains(name)
          ? "'\(name)' is a command: choose another name for the alias"
          : "'\(name)' can be no word of a command line: choose another name for the alias")
    }
    aliases[name] = Entry(value: text, line: lines[["aliases", name]])
  }

  private mutating func complain(_ path: [String], _ message: String) {
    problems.append(
      SettingsProblem(place: lines[path].map { "\(place):\($0)" } ?? place, message: message))
  }

  /// Says which keys are named for two actions, and which actions have lost their keys to others.
  private mutating func checkKeys() {
    var chosen: [KeyAction: [String]] = [:]
    var owners: [(key: Key, action: KeyAction)] = []
    for action in KeyAction.allCases {
      guard case .list(let names)? = values[action.setting]?.value else { continue }
      chosen[action] = names
      for name in names {
        guard let key = Key(named: name) else { continue }
        if let owner = owners.first(where: { $0.key == key })?.action {
          if owner != action {
            complain(
              action.setting.path,
              "'\(name)' is the key of \(owner.setting.rawValue) already: name another one for \(action.setting.rawValue)"
            )
          }
        } else {
          owners.append((key, action))
        }
      }
    }
    guard !chosen.isEmpty else { return }
    let bindings = KeyBindings(chosen)
    for action in KeyAction.allCases where chosen[action] == nil && bindings.keys(of: action).isEmpty {
      let usual = action.standardKeys.compactMap(Key.init(named:))
      guard let owner = owners.first(where: { usual.contains($0.key) }) else { continue }
      complain(
        owner.action.setting.path,
        "'\(owner.key.name)' was the key of \(action.setting.rawValue), which has none now: name one, or [] for none")
    }
  }

  /// A key with a dot in quotation marks is no setting.
  private static func depth(_ name: String) -> Int { name.split(separator: ".").count }

  private static func suggestion(_ name: String, isTable: Bool) -> String {
    let names = (isTable ? [] : SettingName.allCases.map(\.rawValue)) + SettingName.tables + ["aliases"]
    let inTable = SettingName.allCases.first { $0.rawValue.hasSuffix("." + name) }?.rawValue
    let nearest = Likeness.nearest(to: name, in: names, limit: 1).first.map { names[$0] }
    return (inTable ?? nearest).map { " (did you mean '\($0)'?)" } ?? ""
  }
}

/// The file of settings on the disk.
enum SettingsFile {
  /// Nobody's settings are longer: in bytes.
  static let limit = 1 << 16

  /// Reads the settings in the file at `path`; `nil` where there is no file, and then neither the parser nor `commands`
  /// is asked.
  ///
  /// - Throws: `SettingsProblem` where it cannot be read, or is no text.
  static func read(_ path: FilePath, commands: () -> [String]) throws(SettingsProblem) -> FileSettings? {
    let place = path.lastComponent?.string ?? path.string
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try AtomicFile.read(path, limit: limit)
    } catch {
      throw SettingsProblem(place: place, message: reason(error, path) + "; the settings are the defaults")
    }
    guard let bytes else { return nil }
    guard bytes.count <= limit else {
      throw SettingsProblem(
        place: place, message: reason(.fileTooLarge, path) + "; the settings are the defaults")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsProblem(place: place, message: "it is no text in UTF-8; the settings are the defaults")
    }
    return FileSettings(text, place: place, commands: commands())
  }

  private static func reason(_ error: Errno, _ path: FilePath) -> String {
    switch error {
    case .fileTooLarge: "it has more than \(limit) bytes"
    case .invalidArgument: "\(path.shown) is no file"
    default: "\(path.shown) cannot be read: \(error)"
    }
  }
}

/// What is wrong with a setting; the others hold nevertheless.
package struct SettingsProblem: Error, Sendable, Equatable {
  /// Where it is said: the file with its line, or the variable of the environment.
  let place: String
  /// What is wrong, and what to write, not yet safe for a terminal.
  let message: String

  /// In one line.
  package var description: String { "\(place): \(message)" }
}
