// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct ListColumnTests {
  @Test func `Columns have a width, a share of what is left, or their own default`() {
    #expect(
      ListColumn.choices("number title*4 artist:20 album  time")
        == [
          .init(.number, cells: 5), .init(.title, share: 4), .init(.artist, cells: 20), .init(.album, share: 3),
          .init(.time, cells: 7),
        ])
  }

  @Test(arguments: [
    "", " ", "titel", "title:", "title:x", "title:0", "title*-1", "title:201", "title:9:9", "title, artist",
  ])
  func `What names no columns is refused`(text: String) { #expect(ListColumn.choices(text) == nil) }

  @Test func `The defaults in the table of settings are columns, and those of the file count`() {
    for setting in SettingsTable.all where setting.kind == .columns {
      #expect(ListColumn.choices(setting.defaultText) != nil, "\(setting.name)")
    }
    let file = FileSettings("[columns]\nsongs = \"title plays\"\nqueue = \"tiptle\"\n", location: "f", commands: [])
    let settings = Settings(file: file) { _ in nil }
    #expect(settings.columns == ["songs": [.init(.title, share: 4), .init(.plays, cells: 5)]])
    #expect(settings.problems.count == 1)
  }
}
