// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Terminal
import Testing
import UserSettings

@testable import PlayerPort
@testable import Screens

/// Playlists, modes, long ranges, and the lines that the user types.
struct FullScreenEditingTests {
  @Test func `The list of outputs switches the first one, which is used, off and on, and plays to any other`() {
    var rig = ScreenRig()
    rig.type("O")
    rig.press(.enter)
    #expect(rig.commands == [.request(.settings(.toggleOutput))])
    rig.type("Oj")
    rig.press(.enter)
    #expect(rig.commands == [.request(.settings(.toggleOutput)), .request(.settings(.useOutput("pulse:desk")))])
  }

  @Test func `Chosen rows are added to a playlist whose name is typed`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("xjPMix")
    rig.press(.enter)
    let targets = [ScreenRig.song(1).target]
    #expect(rig.commands == [.addToPlaylist("Mix", targets, in: ListView(.songs(.everything)))])
    #expect(rig.model.list?.hasMarks == false)
    // Playlists that there are, are offered.
    rig.type("Pev")
    rig.press(.enter)
    #expect(
      rig.commands.last == .addToPlaylist("Evening", [ScreenRig.song(3).target], in: ListView(.songs(.everything))))
    rig.type("P")
    rig.press(.escape)
    #expect(rig.commands.count == 2 && rig.model.overlay == nil)
  }

  @Test func `A list is filtered while the user types, and the filter ends with Escape`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("jjfsong 12")
    #expect(rig.model.list?.view == ListView(.songs(.everything), filter: "song 12") && rig.title == "Song 12")
    rig.press(.enter)
    rig.type("j")
    #expect(rig.title == "Song 120" && rig.model.prompt == nil)
    rig.press(.enter)
    #expect(rig.commands.last == .playList(ListView(.songs(.everything), filter: "song 12"), from: 1))
    rig.press(.escape)
    #expect(rig.model.list?.view == ListView(.songs(.everything)))
    rig.type("fx")
    rig.press(.escape)
    #expect(rig.model.list?.view.filter == "" && rig.model.prompt == nil)
  }

  @Test func `A list is sorted by a choice, which is remembered for its kind, and not for the screens of an order`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("ojj")
    rig.press(.enter)
    let order = ListOrder(.name, isDescending: true)
    #expect(rig.model.list?.view.order == order && rig.title == "Song 500")
    #expect(rig.effects.last == .remember(rig.model.memory) && rig.model.memory.orders == ["songs": order])
    rig.show(.mostPlayed)
    #expect(rig.model.list?.view.order == ListOrder(.plays, isDescending: true))
    rig.type("o")
    rig.press(.enter)
    #expect(rig.model.memory.orders == ["songs": order])
    rig.show(.queue)
    rig.type("o")
    #expect(rig.model.overlay == nil && rig.model.message?.isError == true)
  }

  @Test func `The album and the artist of a track are opened from any list`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("ga")
    #expect(rig.effects.last == .read(.origin(ScreenRig.song(1).target, .album)))
    rig.model.receive(TrackOrigin(album: 2, albumTitle: "Album 2", artists: ["Artist 3"], albumArtists: []), .album)
    rig.load()
    #expect(rig.model.screen == .albums && rig.model.path == ["Album 2"] && rig.title == "Song 1")
    rig.type("gr")
    rig.model.receive(TrackOrigin(album: 2, albumTitle: "Album 2", artists: ["Artist 3"], albumArtists: []), .artist)
    #expect(rig.model.screen == .artists && rig.model.path == ["Artist 3"])
    rig.show(.albums)
    rig.press(.escape)
    rig.type("ga")
    #expect(rig.model.message?.isError == true)
    rig.model.currentItem = 7
    rig.show(.nowPlaying)
    rig.type("gr")
    #expect(rig.effects.last == .read(.origin(.item(7), .artist)))
  }

  @Test func `Everything about a track is shown, and a line of it is copied`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("i")
    #expect(rig.effects.last == .loadInfo(ScreenRig.song(1).target))
    rig.model.receive([InfoLine("title", "Song 1"), InfoLine("path", "/music/1.flac")])
    rig.type("jy")
    #expect(rig.effects.last == .copy("/music/1.flac"))
    rig.press(.escape)
    rig.type("y")
    #expect(rig.effects.last == .copy("Artist 1 - Song 1"))
  }

  @Test func `A playlist is deleted, and can be renamed`() {
    var rig = ScreenRig()
    rig.show(.playlists)
    rig.type("d")
    #expect(rig.commands == [.deletePlaylists(["Evening"])])
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
      rig.commands == [.moveInPlaylist("Evening", [PlaylistPosition(number: 0, path: "/music/1.flac")], to: 1)])
    // The next key waits until the playlist is known again.
    rig.type("J")
    #expect(rig.commands.count == 1 && rig.model.list?.cursor == 0)
    rig.press(.escape, .left)
    rig.type("l")
    rig.type("J")
    rig.model.receiveOutcome()
    #expect(rig.model.list?.cursor == 1)
    rig.model.receiveOutcome(isFailed: true)
    #expect(rig.model.list?.cursor == 1)
    // Nothing can be moved beyond the ends.
    rig.press(.end)
    rig.type("J")
    #expect(rig.commands.count == 2)
  }

  @Test func `A key that does nothing says where the keys are listed`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("#")
    #expect(rig.model.message?.text == "? lists the keys" && rig.model.message?.isError == false)
    rig.type("j")
    #expect(rig.model.message == nil)
  }

  @Test func `Every mode of the queue has a key`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("rzZRC")
    #expect(
      rig.commands == [
        .request(.settings(.nextMode(.repeat))), .request(.settings(.nextMode(.random))),
        .request(.settings(.nextMode(.single))), .request(.settings(.nextMode(.consume))), .request(.edit(.clear)),
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

  @Test func `All marked playlists are deleted, and none is renamed`() {
    var rig = ScreenRig()
    rig.rows[.playlists] = ["Old", "Keep", "Older"].map { ListRow(.playlist($0), title: $0) }
    rig.show(.playlists)
    rig.type("xjxe")
    #expect(rig.model.prompt == nil && rig.model.message?.isError == true)
    rig.type("d")
    #expect(rig.commands == [.deletePlaylists(["Old", "Older"])])
  }

  /// A screen on which a range of all songs is being marked, most of which are not loaded.
  private static func rigWithLongRange() -> ScreenRig {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type("v")
    rig.press(.end)
    return rig
  }

  @Test func `A range whose rows come too late is not used`() {
    let rig = Self.rigWithLongRange()
    let content = ListView(.songs(.everything))
    var model = rig.model
    #expect(model.handle(.key(.character("a"))).contains(.read(.range(content, 0..<500))))
    model.show(.queue)
    #expect(model.receive(.success(ScreenRig.songs(500)), in: 0..<500, of: content).isEmpty)
    #expect(model.awaitedUse == nil)
    model = rig.model
    _ = model.handle(.key(.character("a")))
    _ = model.handle(.mouse(MouseEvent(.wheelUp, row: 5, column: 5)))
    #expect(model.receive(.success(ScreenRig.songs(500)), in: 0..<500, of: content).isEmpty)
    #expect(model.awaitedUse == nil)
  }

  @Test func `A name that is typed while the rows of a range are loaded is no sequence of keys`() {
    let rig = Self.rigWithLongRange()
    let content = ListView(.songs(.everything))
    var model = rig.model
    for key in "Pquiet?" { _ = model.handle(.key(.character(key))) }
    #expect(model.awaitedUse?.action == .addToPlaylist && model.prompt == nil && model.overlay == nil)
    _ = model.receive(.success(ScreenRig.songs(500)), in: 0..<500, of: content)
    _ = model.handleWaitingKeys()
    guard case .popup(let popup)? = model.overlay else {
      Issue.record("no popup")
      return
    }
    #expect(popup.typed == "quiet?" && popup.newName == "quiet?")
    // Escape still ends the waiting.
    model = rig.model
    for key in [Key.character("P"), .character("q"), .escape] { _ = model.handle(.key(key)) }
    #expect(model.awaitedUse == nil && model.overlay == nil)
  }

  @Test func `The queue opens at the current track, however far down it is`() {
    var rig = ScreenRig()
    rig.rows[.queue] = (0..<2_000).map { ListRow(.item(UInt64($0)), title: "Item \($0)") }
    rig.model.currentPosition = 1_500
    rig.show(.queue)
    #expect(rig.title == "Item 1500")
  }

  @Test func `Pasted text goes into a prompt or the search, and does nothing anywhere else`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.handle(.paste("q\nd\ny"))
    #expect(rig.effects.isEmpty && rig.model.prompt == nil)
    rig.type(":")
    rig.handle(.paste("volume\t30\nquit\n"))
    #expect(rig.model.typed == "volume 30 quit" && rig.effects.isEmpty)
    rig.press(.escape)
    rig.show(.search)
    rig.handle(.paste("mi"))
    #expect(rig.title == "Song 4")
    rig.model.asksBeforeQuitting = true
    rig.model.overlay = nil
    rig.press(.escape)
    rig.type("q")
    rig.handle(.paste("y"))
    #expect(rig.model.prompt == .quit)
  }

  @Test func `A command can be entered from the list of what can be done`() {
    for key in ["?"] {
      var rig = ScreenRig()
      rig.show(.songs)
      rig.type(key + ":volume 10")
      rig.press(.enter)
      #expect(rig.commands == [.line("volume 10")])
    }
  }

  @Test func `A prompt leaves the text of the search alone`() {
    var rig = ScreenRig()
    rig.show(.search)
    rig.type("mi")
    rig.press(.escape)
    rig.type("PEvening")
    rig.press(.enter)
    #expect(rig.model.list?.content == .search("mi", .everything))
    rig.type("/x")
    #expect(rig.model.list?.content == .search("x", .everything))
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
    rig.type("jj;4")
    let content = ListView(.songs(.everything))
    #expect(rig.effects == [.read(.find("4", in: content, after: 2, backward: false))])
    rig.model.receive(position: 3, of: content, with: "4")
    rig.type("0")
    #expect(rig.effects.last == .read(.find("40", in: content, after: 2, backward: false)))
    rig.model.receive(position: 39, of: content, with: "40")
    #expect(rig.title == "Song 40")
    rig.press(.escape)
    #expect(rig.title == "Song 3")
    // An answer that comes too late is ignored.
    rig.model.receive(position: 39, of: content, with: "40")
    #expect(rig.title == "Song 3")
  }
}
