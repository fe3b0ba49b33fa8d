// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Tagging

/// A new value for a setting, as a user writes it: NAME=VALUE.
package struct SettingAssignment: Sendable, Equatable {
  package let setting: Setting
  package let value: SettingValue

  /// Parses the text NAME=VALUE. Paths may be relative, and `on` and `off` stand for true and false.
  ///
  /// - Throws: `SettingAssignmentError`, which suggests the nearest name for an unknown one.
  package init(parsing text: String) throws(SettingAssignmentError) {
    guard let sign = text.firstIndex(of: "=") else {
      throw SettingAssignmentError("\"\(text)\" is no assignment: use NAME=VALUE, as in theme=light")
    }
    try self.init(String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  /// Creates the assignment of the value that `text` stands for to the setting `name`.
  package init(_ name: String, _ text: String) throws(SettingAssignmentError) {
    let setting = try Self.setting(name)
    guard let value = Self.value(text, of: setting.kind) else {
      throw SettingAssignmentError(
        "\(setting.name.rawValue) cannot be \"\(text)\": use \(Self.expectation(of: setting.kind))")
    }
    (self.setting, self.value) = (setting, value)
  }

  /// Returns the setting with a name, which may leave out the name of its table (`repeat` for `modes.repeat`).
  ///
  /// - Throws: `SettingAssignmentError`, which suggests the nearest name.
  package static func setting(_ name: String) throws(SettingAssignmentError) -> Setting {
    if let setting = SettingsTable.byName[name] ?? SettingsTable.byName["modes." + name] { return setting }
    let names = SettingsTable.all.map(\.name.rawValue)
    let inTable = names.first { $0.hasSuffix("." + name) }
    let nearest = inTable ?? Likeness.nearest(to: name, in: names, limit: 1).first.map { names[$0] }
    let hint = nearest.map { "did you mean \"\($0)\"?" } ?? "`segue config` lists the settings"
    throw SettingAssignmentError("unknown setting \"\(name)\"; \(hint)")
  }

  private static func value(_ text: String, of kind: SettingKind) -> SettingValue? {
    switch kind {
    case .flag: return kind.value(parsing: ["on": "true", "off": "false"][text] ?? text)
    case .path: return absolute(text).map { .text($0) }
    case .paths:
      let paths = SettingKind.split(text)
      let absolutePaths = paths.compactMap(absolute)
      return absolutePaths.isEmpty || absolutePaths.count != paths.count ? nil : .paths(absolutePaths)
    case .number where text == "off": return kind.value(parsing: "0")
    default: return kind.value(parsing: text)
    }
  }

  /// Returns a path as it can stand in the settings file, which has no working directory.
  private static func absolute(_ path: String) -> String? {
    if path.isEmpty { return nil }
    if path == "~" || path.hasPrefix("~/") || path.hasPrefix("/") { return path }
    guard let absolute = try? FilePath(typed: path).absolute() else { return nil }
    return String(validating: absolute)
  }

  private static func expectation(of kind: SettingKind) -> String {
    switch kind {
    case .flag: "on or off"
    case .path: "a path"
    case .paths: "paths, separated by colons"
    case .text: "a text that is not empty"
    case .outputs: "outputs that can be plugged in, separated by commas"
    case .patterns: "patterns such as *.part, separated by colons"
    default: kind.expectation
    }
  }
}

/// What is wrong with an assignment, and what to write instead. Not yet escaped for a terminal.
package struct SettingAssignmentError: Error, Sendable, Equatable {
  package let message: String

  init(_ message: String) { self.message = message }
}
