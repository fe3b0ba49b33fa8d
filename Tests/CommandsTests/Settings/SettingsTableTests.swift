import ArgumentParser
import Foundation
import PlayerFlow
import Testing

@testable import Commands
@testable import UserSettings

struct SettingsTableTests {
  private static let readme =
    (try? String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("README.md"),
      encoding: .utf8)) ?? ""

  /// The row of the README's table.
  private static func row(_ setting: Setting) -> String {
    let others = [setting.option.map { "`\($0)`" }, setting.environment.map { "`$\($0)`" }].compactMap { $0 }
    let cells = [
      "`\(setting.name.rawValue)`",
      setting.standard == nil ? setting.defaultText : "`\(setting.defaultText)`",
      others.joined(separator: ", "), setting.help,
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  @Test func `Every setting stands in the table once, and its default is one of its values`() {
    #expect(SettingsTable.all.map(\.name) == SettingName.allCases)
    for setting in SettingsTable.all {
      guard let standard = setting.standard else { continue }
      #expect(setting.kind.value(SettingsTree(standard)) == standard, "\(setting.name)")
    }
  }

  @Test func `Every option of the table is one of a player`() throws {
    let help = PlayCommand.helpMessage()
    for option in SettingsTable.all.compactMap(\.option) {
      #expect(help.contains("\(option) ") || help.contains("\(option)/"), "\(option)")
    }
  }

  @Test func `The README shows the table as it is`() {
    let rows = SettingsTable.all.map(Self.row)
    let missing = rows.filter { !Self.readme.contains($0 + "\n") }
    #expect(missing.isEmpty, "these rows belong into the README:\n\(rows.joined(separator: "\n"))")
  }

  @Test func `The README's example is understood`() throws {
    let start = try #require(Self.readme.range(of: "```toml\n"))
    let end = try #require(Self.readme.range(of: "```", range: start.upperBound..<Self.readme.endIndex))
    let file = FileSettings(
      String(Self.readme[start.upperBound..<end.lowerBound]), place: "README.md", commands: CommandName.all)
    #expect(file.faults.isEmpty && file.values.count > 5 && !file.aliases.isEmpty, "\(file.faults)")
  }

  @Test func `The defaults are those of the player`() throws {
    let none = try #require(try SegueCommand.parseAsRoot(["play"]) as? PlayCommand).options
    let all = Settings().choosing(
      Dictionary(
        uniqueKeysWithValues: SettingsTable.all.compactMap { setting in
          setting.option == nil ? nil : setting.standard.map { (setting.name, $0) }
        }))
    let filled = none.filled(from: all)
    let changes = try ListeningChanges(filled, PlaybackState())
    #expect(changes.replayGain == nil && changes.crossfade == .off)
    #expect(filled.onFormatChange == "reopen" && filled.pauseOnLoss == false)
  }
}
