import Foundation
import Testing

@testable import UserSettings

struct SettingsTableTests {
  private static let readme =
    (try? String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("README.md"),
      encoding: .utf8)) ?? ""

  /// The row in the README's table.
  private static func row(_ setting: Setting) -> String {
    let others = [setting.option.map { "`\($0)`" }, setting.environment.map { "`$\($0)`" }].compactMap { $0 }
    let cells = [
      "`\(setting.name.rawValue)`",
      setting.standard == nil ? setting.defaultText : "`\(setting.defaultText)`",
      others.joined(separator: ", "), setting.help,
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  @Test func `Every setting is in the table once, and its default is a valid value`() {
    #expect(SettingsTable.all.map(\.name) == SettingName.allCases)
    for setting in SettingsTable.all {
      guard let standard = setting.standard else { continue }
      #expect(setting.kind.value(SettingsTree(standard)) == standard, "\(setting.name)")
    }
  }

  @Test func `The README contains the current table`() {
    let rows = SettingsTable.all.map(Self.row)
    let missing = rows.filter { !Self.readme.contains($0 + "\n") }
    #expect(missing.isEmpty, "these rows belong into the README:\n\(rows.joined(separator: "\n"))")
  }
}
