// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Terminal
import Testing
import UserSettings

@testable import Screens

/// Playlists, modes, long ranges, and the lines that the user types.
struct FullScreenEditingTests {
  @Test func `Chosen rows are added to a playlist whose name is typed`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type(" jPMix")
    rig.press(.enter)
    let targets = [ScreenRig.song(1).target]
    #expect(rig.commands == [.addToPlaylist("Mix", targets, in: .songs(.everything))])
    #expect(rig.model.list?.hasMarks == false)
    // The name is proposed again.
    rig.type("P")
    #expect(rig.model.typed == "Mix")
    rig.press(.escape)
    #expect(rig.commands.count == 1)
  }

  @Test func `A playlist is deleted after a question, and can be renamed`() {
    var rig = ScreenRig()
    rig.show(.playlists)
    rig.type("dn")
    #expect(rig.commands.isEmpty)
    rig.type("dy")
    #expect(rig.commands == [.deletePlaylist("Evening")])
    rig.type("e")
    #expect(rig.model.typed == "Evening")
    rig.press(.control("w"))
    rig.type("Night")
    rig.press(.enter)
    #expect(rig.commands.last == .renamePlaylist("Evening", to: "Night"))
    rig.show(.songs)
    rig.type("e")
    #expect(rig.model.prompt == nil && rig.model.message?.isError == true)
  }

  @Test func `Tracks of a playlist are moved, and the cursor goes along`() {
    var rig = ScreenRig()
    rig.show(.playlists)
    rig.type("lJ")
    #expect(
      rig.commands == [.moveInPlaylist("Evening", [ListPosition(number: 0, path: "/music/1.flac")], to: 1)])
    #expect(rig.model.list?.cursor == 1)
    // Nothing can be moved beyond the ends.
    rig.model.receiveOutcome()
    rig.press(.end)
    rig.type("J")
    #expect(rig.commands.count == 1)
  }

  @Test func `Every mode of the queue has a key`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("rzZRC")
    #expect(
      rig.commands == [
        .changeMode(.repeat), .changeMode(.random), .changeMode(.single), .changeMode(.consume), .clear,
      ])
  }

  @Test func `A range that was never shown is loaded before it is used`() throws {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("vGa")
    guard case .use(.add, let targets, _)? = rig.commands.last else {
      Issue.record("\(rig.commands)")
      return
    }
    #expect(targets == ScreenRig.songs(500).map(\.target))
    // Its end is marked as well.
    rig.press(.home)
    rig.type("vGv")
    #expect(rig.model.list?.chosenNumbers.count == 500 && rig.model.list?.rangeStart == nil)
  }

  @Test func `Earlier commands come back with the arrow keys`() {
    var rig = ScreenRig()
    rig.type(":volume 50")
    rig.press(.enter)
    rig.type(":stop all")
    rig.press(.enter)
    rig.type(":")
    rig.press(.up, .up, .up)
    #expect(rig.model.typed == "volume 50")
    rig.press(.down)
    #expect(rig.model.typed == "stop all")
    rig.press(.down)
    #expect(rig.model.typed.isEmpty)
    rig.press(.up, .enter)
    #expect(rig.commands == [.line("volume 50"), .line("stop all"), .line("stop all")])
  }

  @Test func `The list follows text while it is typed, and returns if the user gives up`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("jj/4")
    let content = ListContent.songs(.everything)
    #expect(rig.effects == [.find("4", in: content, after: 2, backward: false)])
    rig.model.receive(position: 3, of: content)
    rig.type("0")
    #expect(rig.effects.last == .find("40", in: content, after: 2, backward: false))
    rig.model.receive(position: 39, of: content)
    #expect(rig.title == "Song 40")
    rig.press(.escape)
    #expect(rig.title == "Song 3")
    // An answer that comes too late is ignored.
    rig.model.receive(position: 39, of: content)
    #expect(rig.title == "Song 3")
  }
}
