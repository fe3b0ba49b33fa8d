// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Playlists
import SystemPackage
import TestSupport
import Testing

@testable import PlayerPort

/// Edits of the queue, and changes of playlists and ratings, as one history.
@Suite struct HistoryTests {
  private let library: ExampleLibrary
  private let rig: PortRig
  private var player: LocalPlayer { rig.player }

  init() throws {
    library = try ExampleLibrary(["Alpha", "Beta", "Gamma"])
    rig = try PortRig(library)
    _ = try rig.player.send(
      .play(MusicRequest(.rows([.list(ListView(.songs(.everything)))], start: nil)), PlaybackOptions()))
  }

  private func undo(_ steps: Int = 1) throws -> [String] { try edited(.undo(steps)) }
  private func redo(_ steps: Int = 1) throws -> [String] { try edited(.redo(steps)) }

  private func edited(_ edit: QueueEdit) throws -> [String] {
    guard case .edited(let edited) = try player.send(.edit(edit)).result else { return [] }
    return edited.names
  }

  private func rows(_ playlist: String) throws -> [ListRow] {
    try PlayerLists(player).page(of: ListView(.playlist(playlist)), offset: 0, limit: 99).rows
  }

  private func titles(_ playlist: String) throws -> [String] { try rows(playlist).map(\.title) }

  private var playlists: [String] {
    get throws {
      try PlayerLists(player).page(of: ListView(.playlists), offset: 0, limit: 99).rows.map(\.title)
    }
  }

  private func position(_ playlist: String, _ number: Int) throws -> PlaylistPosition {
    guard case .file(let path, _) = try rows(playlist)[number].target else { throw PlayerError(.failure, "no file") }
    return PlaylistPosition(number: number, path: path)
  }

  private func rating(_ title: String) throws -> Int? {
    try PlayerLists(player).page(of: ListView(.songs(.everything), filter: title), offset: 0, limit: 1).rows.first?
      .rating
  }

  private func save(_ name: String, replaces: Bool = false) throws {
    _ = try player.send(.playlist(.save(TypedText(name), replaces: replaces, nil)))
  }

  private func path(of playlist: String) throws -> FilePath {
    guard case .playlists(let all, _) = try player.send(.playlist(.list(nil))).result else { return "" }
    return try #require(all.first { $0.name == playlist }).path.path
  }

  @Test func `Everything is undone and redone in the order in which it happened`() throws {
    try save("Jazz")
    let first = try #require(try player.queue(0..<1).rows.first?.id)
    _ = try player.send(.edit(.remove(.ids([first]))))
    _ = try player.send(.playlist(.remove([try position("Jazz", 0), try position("Jazz", 2)], from: "Jazz", nil)))
    _ = try player.send(.edit(.clear))
    _ = try player.send(.rate([.file(try position("Jazz", 0).path)], .rating(8), nil))
    let names = [
      "play all songs (3 items)", "save Jazz", "remove (1 item)", "remove 2 tracks from Jazz", "clear (2 items)",
      "rate 1 track",
    ]
    #expect(try player.send(.history).result == .history(undoable: names, redoable: []))
    #expect(try rating("Beta") == 8 && titles("Jazz") == ["Beta"])

    #expect(try undo() == ["rate 1 track"])
    #expect(try rating("Beta") == nil)
    #expect(try undo(2) == ["clear (2 items)", "remove 2 tracks from Jazz"])
    #expect(try titles("Jazz") == ["Alpha", "Beta", "Gamma"] && player.queue(0..<9).rows.count == 2)
    let history = PlayerReply.Result.history(undoable: Array(names[..<3]), redoable: names[3...].reversed())
    #expect(try player.send(.history).result == history)
    #expect(try undo(2) == ["remove (1 item)", "save Jazz"])
    #expect(try playlists == [] && player.queue(0..<9).rows.count == 3)

    #expect(try redo(5) == Array(names[1...]))
    #expect(try titles("Jazz") == ["Beta"] && rating("Beta") == 8 && player.queue(0..<9).rows.isEmpty)
    #expect(throws: PlayerError(.notFound, "nothing to redo")) { try redo() }
    #expect(try undo(99) == names.reversed())
    #expect(throws: PlayerError(.notFound, "nothing to undo")) { try undo() }
  }

  @Test func `Every change of a playlist is undone, byte by byte, and redone`() throws {
    try save("One")
    let file = try path(of: "One")
    try AtomicFile.write("#EXTM3U\n# my comment\n".utf8 + (try contents(of: file)), to: file)
    let original = try contents(of: file)
    let music = MusicRequest(.rows([.list(ListView(.songs(.everything), filter: "beta"))], start: nil))
    for (request, name) in [
      (.append(music, to: "One"), "append 1 track to One"),
      (.move([try position("One", 2)], to: 0, in: "One", nil), "move 1 track in One"),
      (.remove([try position("One", 1)], from: "One", nil), "remove 1 track from One"),
      (.rename("One", to: "Two", nil), "rename One to Two"), (.delete([TypedText("One")], nil), "delete One"),
      (.save(TypedText("One"), replaces: true, nil), "save One"),
    ] as [(PlaylistRequest, String)] {
      _ = try player.send(.playlist(request))
      let changed = try playlists == ["One"] ? contents(of: file) : []
      #expect(changed != original, "\(name)")
      #expect(try undo() == [name])
      #expect(try playlists == ["One"] && contents(of: file) == original, "\(name)")
      #expect(try redo() == [name])
      #expect(try (playlists == ["One"] ? contents(of: file) : []) == changed, "\(name)")
      #expect(try undo() == [name])
    }
  }

  @Test func `What another program has changed since is not undone, and the change before it is`() throws {
    try save("Jazz")
    let music = MusicRequest(.rows([.list(ListView(.songs(.everything)))], start: nil))
    _ = try player.send(.playlist(.append(music, to: "Jazz")))
    let file = try path(of: "Jazz")
    try AtomicFile.write(Array("#EXTM3U\nother.flac\n".utf8), to: file)
    let error = #expect(throws: PlayerError.self) { try undo() }
    #expect(error?.message == "cannot undo append 3 tracks to Jazz: the playlist has changed since")
    #expect(String(decoding: try contents(of: file), as: UTF8.self) == "#EXTM3U\nother.flac\n")
    #expect(throws: PlayerError.self) { try undo() }
    #expect(try undo() == ["play all songs (3 items)"])

    let songs = try PlayerLists(player).page(of: ListView(.songs(.everything)), offset: 0, limit: 9).rows
    guard case .track(let id, _) = songs[0].target else { throw PlayerError(.failure, "no track") }
    _ = try player.send(.rate([.track(id)], .rating(6), nil))
    try library.index.set(Sticker(name: Sticker.rating, value: "9"), of: id)
    let refused = #expect(throws: PlayerError.self) { try undo() }
    #expect(refused?.message == "cannot undo rate 1 track: the rating has changed since")
    #expect(try rating("Alpha") == 9)
  }

  @Test func `A link to a playlist is not replaced by a file`() throws {
    try save("Jazz")
    let file = try path(of: "Jazz")
    let target = file.removingLastComponent().appending("target")
    try AtomicFile.move(file, to: target)
    try library.directory.link("music/Playlists/Jazz.\(file.extension ?? "")", to: target.string)
    _ = try player.send(.playlist(.delete([TypedText("Jazz")], nil)))
    let error = #expect(throws: PlayerError.self) { try undo() }
    #expect(error?.message == "cannot undo delete Jazz: the playlist was a link, or could not be read")
    #expect(try playlists == [])
  }

  @Test func `A new edit of the queue ends what can be redone, and so does a new rating`() throws {
    try save("Jazz")
    #expect(try undo() == ["save Jazz"])
    _ = try player.send(.edit(.clear))
    #expect(throws: PlayerError(.notFound, "nothing to redo")) { try redo() }
    try #require(try undo() == ["clear (3 items)"])
    try save("Jazz")
    _ = try undo()
    _ = try player.send(.rate([.current], .rating(4), nil))
    // An edit of the queue that was undone can be redone, whatever was rated since.
    #expect(try redo() == ["clear (3 items)"])
    #expect(throws: PlayerError(.notFound, "nothing to redo")) { try redo() }
  }

  @Test func `The journal is bounded in number and in bytes, and nothing unchanged is in it`() throws {
    let journal = ChangeJournal()
    for number in 0..<300 { journal.add("\(number)", .ratings([], nil), at: 0) }
    #expect(journal.undoable.count == 200 && journal.undoable.first?.name == "100")
    let large = [UInt8](repeating: 0, count: 20 << 20)
    for name in ["a", "b"] { journal.add(name, .playlists([.contents("/x", before: large, after: nil)]), at: 0) }
    #expect(journal.undoable.map(\.name) == ["b"])
    _ = try player.send(.rate([.current], .rating(0), nil))
    #expect(try undo() == ["play all songs (3 items)"])
  }
}

/// Stickers that clients change.
extension HistoryTests {
  @Test func `A rating of a client is announced, undone and redone like one of the user`() throws {
    let songs = try PlayerLists(player).page(of: ListView(.songs(.everything)), offset: 0, limit: 9).rows
    guard case .track(let id, _) = songs[0].target else { throw PlayerError(.failure, "no track") }
    let count = player.snapshot.events.count
    _ = try player.send(.sticker(id, Sticker.rating, .set("7")))
    _ = try player.send(.sticker(id, Sticker.rating, .add(1, initial: 1)))
    _ = try player.send(.sticker(id, Sticker.like, .set("2")))
    _ = try player.send(.sticker(id, Sticker.rating, .set("no number")))
    let events = player.snapshot.events.events(after: count).events.filter { $0.event == .rating }
    #expect(events.map(\.rating) == [7, 8, nil, 0] && events.map(\.liked) == [nil, nil, true, nil])
    #expect(events.allSatisfy { $0.count == 1 && $0.song?.title == "Alpha" })
    #expect(try undo(2) == ["rate 1 track", "like 1 track"])
    #expect(try rating("Alpha") == 8)
    #expect(try undo() == ["rate 1 track"] && rating("Alpha") == 7)
    #expect(try redo() == ["rate 1 track"] && rating("Alpha") == 8)
  }

  @Test func `The rating of an album is announced, undone and redone like that of a track`() throws {
    for title in ["Delta", "Epsilon"] { try library.write(title, [("ALBUM", "Greek"), ("ARTIST", "Ann")]) }
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    func shown() throws -> Int? {
      let rows = try PlayerLists(player).page(of: ListView(.albums(.everything)), offset: 0, limit: 9).rows
      return try #require(rows.first { $0.title == "Greek" }).rating
    }
    let count = player.snapshot.events.count
    let words = [TypedText("Greek")]
    let reply = try player.send(.rate([.typed(words)], .albumRating(8), nil)).result
    #expect(reply == .rated(RatedTracks(count: 1, title: "Greek", mark: .albumRating(8))))
    #expect(try shown() == 8)
    let events = player.snapshot.events.events(after: count).events.filter { $0.event == .rating }
    #expect(events.map(\.albumRating) == [8] && events.map(\.rating) == [nil] && events.first?.song?.album == "Greek")
    #expect(try undo() == ["rate 1 album"] && shown() == nil)
    #expect(try redo() == ["rate 1 album"] && shown() == 8)
    // By one of its tracks, and by its ID.
    _ = try player.send(.rate([.typed([TypedText("Epsilon")])], .albumRating(0), nil))
    #expect(try shown() == nil)
    let albums = try PlayerLists(player).page(of: ListView(.albums(.everything)), offset: 0, limit: 9).rows
    let ids = albums.compactMap { row in if case .album(let id) = row.target { NamedTrack.album(id) } else { nil } }
    let all = try player.send(.rate(ids, .albumRating(4), nil)).result
    #expect(all == .rated(RatedTracks(count: albums.count, title: albums[0].title, mark: .albumRating(4))))
    #expect(try undo() == ["rate \(albums.count) albums"] && shown() == nil)
    #expect(throws: PlayerError.self) { try player.send(.rate([.current], .albumRating(11), nil)) }
    #expect(throws: PlayerError.self) { try player.send(.rate([.album(999)], .albumRating(4), nil)) }
  }

  @Test func `The stickers of a playlist follow its name, and go and return with it`() throws {
    try save("Jazz")
    let sticker = Sticker(name: "rating", value: "8")
    try library.index.set(sticker, of: .other(type: "playlist", name: "Jazz"))
    func stickers(_ name: String) throws -> [Sticker] {
      try library.index.stickers(of: .other(type: "playlist", name: name))
    }
    _ = try player.send(.playlist(.rename("Jazz", to: "Blues", nil)))
    #expect(try stickers("Jazz") == [] && stickers("Blues") == [sticker])
    _ = try undo()
    #expect(try stickers("Jazz") == [sticker] && stickers("Blues") == [])
    _ = try redo()
    _ = try player.send(.playlist(.delete([TypedText("Blues")], nil)))
    #expect(try stickers("Blues") == [])
    try save("Blues")
    #expect(try stickers("Blues") == [])
    _ = try undo(2)
    #expect(try stickers("Blues") == [sticker] && playlists == ["Blues"])
  }
}
