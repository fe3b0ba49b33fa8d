// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging
import Terminal
import Testing
import UserSettings

@testable import PlayerPort
@testable import Screens

struct FullScreenModelTests {
  @Test func `Keys and Tab switch between the screens`() {
    var rig = ScreenRig()
    rig.show(.nowPlaying)
    rig.type("3")
    #expect(rig.model.screen == .albums && rig.title == "Album 1")
    rig.press(.tab)
    #expect(rig.model.screen == .artists)
    rig.press(.backTab, .backTab)
    #expect(rig.model.screen == .queue && rig.title == "So What")
    rig.press(.function(5))
    #expect(rig.model.screen == .songs)
    // Each screen remembers its cursor.
    rig.type("jjj25")
    #expect(rig.title == "Song 4")
  }

  @Test func `Going back leaves only the first list of the screen with which a command has opened the view`() {
    var rig = ScreenRig()
    rig.show(.nowPlaying)
    rig.press(.escape)
    #expect(rig.effects.isEmpty)
    rig.model.leavingScreen = .nowPlaying
    rig.show(.albums)
    rig.press(.escape)
    #expect(rig.effects.isEmpty)
    rig.show(.nowPlaying)
    rig.press(.escape)
    #expect(rig.effects == [.quit])
    rig = ScreenRig()
    rig.model.leavingScreen = .search
    rig.show(.search)
    rig.type("mi")
    rig.press(.escape)
    #expect(rig.effects.isEmpty && rig.model.searchText == "mi")
    rig.type("x")
    rig.press(.escape)
    #expect(rig.effects.isEmpty && rig.model.list?.hasMarks == false)
    rig.press(.escape)
    #expect(rig.effects == [.quit])
  }

  @Test func `Space pauses everywhere, and the arrows seek where there is no list`() {
    var rig = ScreenRig()
    rig.show(.nowPlaying)
    rig.type(" >()")
    rig.press(.left, .up)
    #expect(
      rig.commands == [
        .request(.transport(.toggle)), .request(.transport(.next)), .request(.transport(.seekBy(.seconds(-60)))),
        .request(.transport(.seekBy(.seconds(60)))), .request(.transport(.seekBy(.seconds(-10)))),
        .request(.transport(.seekBy(.seconds(60)))),
      ])
    rig.show(.queue)
    rig.type(" ")
    #expect(rig.commands.last == .request(.transport(.toggle)) && rig.model.list?.hasMarks == false)
    rig.press(.right)
    #expect(rig.commands.count == 7)
  }

  @Test func `The keys for chapters and passages work on every screen`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("}{L")
    let requests: [PlayerRequest?] = [
      .transport(.chapter(.next)), .transport(.chapter(.previous)), .transport(.loop(.mark)),
    ]
    #expect(rig.commands.map { $0.request(nil) } == requests)
  }

  @Test func `The keys for the speed work on every screen`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type(".,")
    #expect(rig.commands == [.request(.settings(.speedStep(0.1))), .request(.settings(.speedStep(-0.1)))])
    #expect(rig.commands.first?.request(nil) == .settings(.speedStep(0.1)))
    #expect(ScreenAction.normalSpeed.request(volumeStep: 5) == .settings(.speed(1)))
  }

  @Test func `The cursor moves by lines, half pages, pages, and to the ends`() {
    var rig = ScreenRig()
    rig.show(.songs)
    let height = rig.model.layout.listHeight
    rig.type("jjk")
    #expect(rig.model.list?.cursor == 1)
    rig.press(.pageDown)
    #expect(rig.model.list?.cursor == height)
    rig.press(.control("d"), .control("u"))
    #expect(rig.model.list?.cursor == height)
    rig.type("G")
    #expect(rig.title == "Song 500")
    rig.type("gg")
    #expect(rig.title == "Song 1")
    rig.press(.up)
    #expect(rig.title == "Song 1")
    rig.press(.end, .down)
    #expect(rig.title == "Song 500")
  }

  @Test func `The visible rows are loaded, and few others, however far the cursor jumps`() {
    var rig = ScreenRig(lists(of: 100_000))
    rig.show(.songs)
    for _ in 0..<40 { rig.press(.pageDown) }
    rig.type("G")
    #expect(rig.title == "Song 100000")
    for _ in 0..<40 { rig.press(.pageUp) }
    rig.type("gg")
    #expect(rig.title == "Song 1")
    #expect(rig.loadCount < 60)
    let list = rig.model.list
    for row in 0..<rig.model.layout.listHeight { #expect(list?.row(row)?.title == "Song \(row + 1)") }
  }

  private func lists(of count: Int) -> [ListContent: [ListRow]] { [.songs(.everything): ScreenRig.songs(count)] }

  @Test func `Enter plays an album, a track with those around it, an item of the queue, or all that is marked`() {
    var rig = ScreenRig()
    rig.show(.albums)
    rig.type("j")
    rig.press(.enter)
    #expect(rig.commands.last == .use(.play, [.album(2)], in: ListView(.albums(.everything))))
    rig.type("l")
    #expect(rig.model.path == ["Album 2"])
    rig.type("j")
    rig.press(.enter)
    #expect(rig.commands.last == .playList(ListView(.album(2)), from: 1))
    rig.press(.escape)
    #expect(rig.model.path == [] && rig.title == "Album 2")
    rig.show(.queue)
    rig.type("jj")
    rig.press(.enter)
    #expect(rig.commands.last == .request(.playItem(.ids([3]), PlaybackOptions())))
    rig.show(.songs)
    rig.type("xjx")
    rig.press(.enter)
    #expect(
      rig.commands.last
        == .use(
          .play, [.track(id: 1, "/music/1.flac"), .track(id: 3, "/music/3.flac")], in: ListView(.songs(.everything))))
    #expect(rig.model.list?.hasMarks == false)
  }

  @Test func `Rows are added to the queue, and the cursor moves on`() {
    var rig = ScreenRig()
    rig.show(.artists)
    rig.type("aA")
    #expect(
      rig.commands == [
        .use(.add, [.artist("Artist 1")], in: ListView(.artists(.everything))),
        .use(.addNext, [.artist("Artist 2")], in: ListView(.artists(.everything))),
      ])
    #expect(rig.title == "Artist 3")
  }

  @Test func `Items of the queue are removed and moved, and the changes undone`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("jJ")
    // The cursor follows the track that is moved, however often.
    let move = { (position: Int) in ScreenCommand.request(.edit(.move(.ids([2]), to: .position(position)))) }
    #expect(rig.commands.last == move(2) && rig.title == "夜のうた" && rig.model.list?.cursor == 2)
    rig.type("JK")
    #expect(rig.commands.suffix(2) == [move(3), move(2)])
    #expect(rig.title == "夜のうた" && rig.model.list?.cursor == 2)
    rig.type("d")
    #expect(rig.commands.last == .request(.edit(.remove(.ids([2])))) && rig.title == "Wide 👩‍👩‍👧 and a\u{301}ccents")
    rig.type("vjd")
    #expect(rig.commands.last == .request(.edit(.remove(.ids([4, 5])))) && rig.model.list?.hasMarks == false)
    rig.type("u")
    rig.press(.control("r"))
    #expect(rig.commands.suffix(2) == [.request(.edit(.undo(1))), .request(.edit(.redo(1)))])
    // The first item cannot be moved up.
    rig.type("ggK")
    #expect(rig.commands.last == .request(.edit(.redo(1))))
  }

  @Test func `a key bypasses the equaliser, and says so`() {
    var rig = ScreenRig()
    rig.type("E")
    let bypass = ScreenCommand.request(.equaliser(.bypass(nil)))
    #expect(rig.commands.last == bypass)
    #expect(bypass.request(nil) == .equaliser(.bypass(nil)))
    var report = EqualiserReport(output: "pulse", chosen: "Desk", isBypassed: true)
    let lines = { (report: EqualiserReport) in
      bypass.outcome(.success(PlayerReply(.equaliser(report))), OutputStyle()).lines
    }
    #expect(lines(report) == ["equalizer bypassed (Desk)"])
    report.isBypassed = false
    #expect(lines(report) == ["equalizer: Desk"])
    report.chosen = nil
    #expect(lines(report) == ["no equalizer on pulse"])
  }

  @Test func `Tracks of a playlist are removed by their positions, even if one is in it twice`() {
    var rig = ScreenRig()
    rig.show(.playlists)
    rig.type("lGd")
    #expect(rig.commands.last == .removeFromPlaylist("Evening", [PlaylistPosition(number: 2, path: "/music/1.flac")]))
    rig.type("u")
    #expect(rig.commands.last == .request(.edit(.undo(1))))
    rig.press(.enter)
    #expect(rig.commands.last == .playList(ListView(.playlist("Evening")), from: 2))
  }

  @Test func `A program is run with the marked rows, or with what is playing where there is no list`() {
    var rig = ScreenRig()
    rig.model.bindings = ScreenBindings(["ctrl-t": "!tag -v"])
    rig.show(.albums)
    rig.press(.control("t"))
    #expect(rig.commands.last == .run(["tag", "-v"], rig.model.list?.chosen ?? []) && rig.commands.count == 1)
    rig.type("xx")
    let marked = rig.model.list?.chosen ?? []
    rig.press(.control("t"))
    #expect(marked.count == 2 && rig.commands.last == .run(["tag", "-v"], marked))
    #expect(rig.model.list?.hasMarks == false)
  }

  @Test func `Tracks and albums can be rated, with a digit from 0 to 5`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type("*4")
    #expect(rig.commands.last == .rate([.item(1)], .rating(8)))
    rig.type("*9")
    #expect(rig.model.message?.isError == true && rig.commands.count == 1)
    rig.show(.artists)
    rig.type("*3")
    #expect(rig.model.message?.isError == true && rig.commands.count == 1)
    rig.show(.albums)
    rig.type("*3")
    #expect(rig.commands.last == .rate(rig.model.list?.chosen ?? [], .albumRating(6)))
    guard case .album? = rig.model.list?.current?.target else {
      Issue.record("the selected row is no album")
      return
    }
    rig.type("*l")
    #expect(rig.model.message?.isError == true && rig.commands.count == 2)
    rig.show(.nowPlaying)
    rig.type("*5")
    #expect(rig.commands.last == .rateCurrent(.rating(10)) && rig.model.screen == .nowPlaying)
  }

  @Test func `Filters hold on all lists of the library until they are cleared`() {
    var rig = ScreenRig()
    rig.show(.genres)
    rig.type("w")
    #expect(rig.effects.last == .filter(.insert("Jazz", of: .genre)))
    var filters = LibraryFilters()
    filters.insert("Jazz", of: .genre)
    rig.show(.albums)
    rig.model.receive(filters)
    #expect(rig.model.list?.content == .albums(filters.query))
    rig.show(.songs)
    #expect(rig.model.list?.content == .songs(filters.query))
    rig.type("W")
    #expect(rig.effects.last == .filter(.clear(nil)))
    rig.model.receive(LibraryFilters())
    rig.load()
    #expect(rig.model.list?.content == .songs(.everything))
    rig.type("w")
    #expect(rig.model.message?.isError == true)
  }

  @Test func `The list of what can be done performs what its lines say`() {
    var rig = ScreenRig()
    rig.show(.albums)
    rig.type("?j")
    #expect(rig.model.listedActions.prefix(3) == [.play, .open, .add])
    rig.press(.enter)
    #expect(rig.model.overlay == nil && rig.model.path == ["Album 1"])
    rig.type("?")
    rig.press(.escape)
    #expect(rig.model.overlay == nil)
  }

  @Test func `A click selects a row, a second one plays it, and the bar seeks`() {
    var rig = ScreenRig()
    rig.show(.queue)
    let layout = rig.model.layout
    rig.handle(.mouse(MouseEvent(.press, row: layout.listRows.lowerBound + 1, column: 5)))
    #expect(rig.title == "夜のうた" && rig.commands.isEmpty)
    rig.handle(.mouse(MouseEvent(.press, row: layout.listRows.lowerBound + 1, column: 5)))
    #expect(rig.commands == [.request(.playItem(.ids([2]), PlaybackOptions()))])
    rig.handle(.mouse(MouseEvent(.drag, row: layout.listRows.lowerBound + 2, column: 5)))
    #expect(rig.commands.last == .request(.edit(.move(.ids([2]), to: .position(2)))) && rig.title == "夜のうた")
    let bar = layout.barColumns
    rig.handle(.mouse(MouseEvent(.press, row: layout.progressRow ?? 0, column: bar.lowerBound + bar.count / 2)))
    guard case .request(.transport(.seekToFraction(let fraction)))? = rig.commands.last else {
      return #expect(Bool(false), "no seek")
    }
    #expect(abs(fraction - 0.5) < 0.03)
    rig.handle(.mouse(MouseEvent(.press, row: 0, column: rig.model.tabs[2].columns.lowerBound)))
    #expect(rig.model.screen == .albums)
    rig.handle(.mouse(MouseEvent(.wheelDown, row: 5, column: 5)))
    #expect(rig.model.list?.top == 3)
  }

  @Test func `Keys that act on rows wait until these are loaded, and keep their order`() {
    var model = FullScreenModel(size: TerminalSize(columns: 80, rows: 24))
    model.show(.queue)
    #expect(model.loadVisible() == [.read(.page(ListView(.queue), offset: 0))])
    for key in "jd2jd" { #expect(model.handle(.key(.character(key))) == []) }
    // What leaves the list does not wait.
    var other = model
    #expect(other.handle(.key(.character("q"))) == [.quit])
    let page = ListPage(offset: 0, rows: ScreenRig.queue, count: ScreenRig.queue.count)
    model.receive(.success(page), of: ListView(.queue))
    let remove = { (id: UInt64) in ScreenEffect.perform(.request(.edit(.remove(.ids([id]))))) }
    #expect(model.handleWaitingKeys() == [remove(2), remove(3)])
    #expect(model.handleWaitingKeys() == [])
  }

  @Test func `Ctrl-C closes what is open, asks while music plays, and then leaves`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type(":que")
    #expect(rig.model.interrupt() == [] && rig.model.prompt == nil)
    #expect(rig.model.interrupt() == nil)
    rig.model.asksBeforeQuitting = true
    #expect(rig.model.interrupt() == [] && rig.model.prompt == .quit)
    #expect(rig.model.interrupt() == nil)
  }

  @Test func `The user is asked before the music is stopped`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.model.asksBeforeQuitting = true
    rig.type("qn")
    #expect(!rig.effects.contains(.quit) && rig.model.prompt == nil)
    rig.type("qy")
    #expect(rig.effects.last == .quit)
    rig.model.asksBeforeQuitting = false
    rig.type("q")
    #expect(rig.effects.suffix(2) == [.quit, .quit])
  }

  @Test func `Lyrics follow the time until the user scrolls, and again on request`() {
    var rig = ScreenRig()
    let lines = (0..<60).map { "[00:\($0 < 10 ? "0" : "")\($0).00]line \($0)" }.joined(separator: "\n")
    rig.model.lyrics.show(.lyrics(Lyrics(lines)))
    rig.show(.lyrics)
    #expect(rig.model.lyrics.firstLine(at: .seconds(30), height: 9) == 27)
    rig.model.lyrics.startScrolling(at: .seconds(30), height: 9)
    rig.type("k")
    #expect(rig.model.lyrics.firstLine(at: .seconds(40), height: 9) == 26)
    rig.type("c")
    #expect(rig.model.lyrics.firstLine(at: .seconds(40), height: 9) == 37)
    #expect(rig.model.lyrics.nextChange(after: .milliseconds(40_500)) == .seconds(41))
  }

  @Test func `Any keys and clicks on any screen do no harm`() {
    var random = SystemRandomNumberGenerator()
    let keys: [Key] =
      "abdfghjklmnopqsuvyAGJKNFMO0123456789/:?*'<>[]+- \n".map { .character($0) }
      + [.up, .down, .left, .right, .enter, .tab, .backTab, .escape, .backspace, .pageUp, .pageDown, .home, .end]
    for (columns, rows) in [(80, 24), (20, 6), (1, 1), (3, 40), (400, 2)] {
      var rig = ScreenRig(columns: columns, rows: rows)
      rig.show(.nowPlaying)
      for _ in 0..<400 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let kind = [MouseEvent.Kind.press, .drag, .wheelUp, .wheelDown, .release].randomElement() ?? .press
          rig.handle(
            .mouse(
              MouseEvent(
                kind, row: .random(in: 0...rows, using: &random), column: .random(in: 0...columns, using: &random))))
        } else if let key = keys.randomElement(using: &random) {
          rig.press(key)
        }
        let grid = FullScreenDrawing(rig.model, .init(nowPlaying: nil, state: PlayingState())).cells()
        #expect(grid.lines.count == rows)
      }
    }
  }
}
