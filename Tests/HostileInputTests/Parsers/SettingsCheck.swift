// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TOMLFiles

@testable import Commands
@testable import UserSettings

enum SettingsCheck {
  private static let commands = CommandName.all

  /// Returns the problem in the settings in `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    guard bytes.count <= SettingsFile.limit, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let file = FileSettings(text, location: "config", commands: commands)
    let lines = 1...(text.split(omittingEmptySubsequences: false) { $0.isNewline }.count + 1)
    for problem in file.problems {
      let line = problem.location.split(separator: ":").dropFirst().first.map { Int($0) ?? 0 }
      if let line, !lines.contains(line) { return "\(problem.description): there is no such line" }
      if problem.message.isEmpty { return "a problem without a message" }
    }
    for (name, entry) in file.values {
      if let line = entry.line, !lines.contains(line) { return "\(name) is in line \(line)" }
      guard let setting = SettingsTable.byName[name.rawValue] else { return "\(name) is not a setting" }
      if setting.kind.value(TOMLValue(entry.value)) != entry.value { return "the value of \(name) is not read back" }
    }
    let settings = Settings(file: file) { _ in nil }
    _ = (settings.library, settings.playlists, settings.modes, settings.keyBindings.plainLines, settings.palette)
    let listing = SettingsListing(settings, file: FilePath("/config"))
    if listing.entries.count < SettingsTable.all.count { return "not all settings are listed" }
    let expansion = AliasExpansion(aliases: file.aliases) { commands }
    for alias in file.aliases.keys {
      if commands.contains(alias) { return "\(alias) is a command and an alias" }
      guard let words = try? expansion.expanded([alias]) else { continue }
      if let first = words.first, file.aliases[first] != nil, !commands.contains(first) {
        return "\(first) is not expanded"
      }
    }
    return nil
  }
}
