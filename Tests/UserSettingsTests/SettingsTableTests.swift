// SPDX-License-Identifier: GPL-3.0-or-later

import TOMLFiles
import Testing

@testable import UserSettings

struct SettingsTableTests {
  @Test func `Every setting is in the table once, and its default is a valid value`() {
    #expect(SettingsTable.all.map(\.name) == SettingName.allCases)
    for setting in SettingsTable.all {
      guard let value = setting.defaultValue else { continue }
      #expect(setting.kind.value(TOMLValue(value)) == value, "\(setting.name)")
    }
  }
}
