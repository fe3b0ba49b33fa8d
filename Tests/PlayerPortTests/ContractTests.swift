// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import FaceExamples
import Flux
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Synchronization
import Tagging
import TestSupport
import Testing

@testable import PlayerPort

/// The contract of a port, for a player in this process and for the fake one. The tests of `RemoteControl` do the same
/// for a player in another process.
@Suite struct ContractTests {
  @Test func `The player of this process keeps the contract`() throws {
    let library = try ExampleLibrary(PlayerContract.songs.map(\.title))
    let rig = try PortRig(library)
    rig.actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
    rig.actions.awaitDelivery()
    #expect(PlayerContract.violations(of: rig.player) == [])
  }

  @Test func `The fake player keeps the contract`() {
    #expect(PlayerContract.violations(of: FakePlayer(PlayerContract.tracks, songs: PlayerContract.songs)) == [])
  }

  @Test func `An edit of a position that moves meanwhile never reaches another track`() throws {
    let rig = try PortRig()
    rig.actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
    rig.actions.awaitDelivery()
    let ids = try rig.player.queue(0..<4).rows.map(\.id)
    // Someone else removes the first track before the request arrives.
    rig.actions.remove(.positions([0..<1]))
    rig.actions.awaitDelivery()
    _ = try rig.player.send(.edit(.remove(.ids([ids[2]]))))
    #expect(try rig.player.queue(0..<4).rows.map(\.track.title) == ["b", "d"])
  }

  @Test func `Observers hear of a change of a playlist`() throws {
    let rig = try PortRig()
    rig.actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: nil)
    rig.actions.awaitDelivery()
    let calls = Mutex(0)
    let subscription = rig.player.observe(everyPosition: false) { calls.withLock { $0 += 1 } }
    let (before, version) = (calls.withLock(\.self), rig.player.snapshot.playlistVersion)
    _ = try rig.player.send(.playlist(.save(TypedText("Mine"), replaces: false, nil)))
    #expect(calls.withLock(\.self) > before && rig.player.snapshot.playlistVersion > version)
    subscription.cancel()
  }

  @Test func `A mistyped name is refused without a scan of the library`() throws {
    for isRunning in [true, false] {
      let probed = Mutex(0)
      let rig = try PortRig(isRunning: isRunning) { probed.withLock { $0 += 1 } }
      let music = MusicRequest(.typed([TypedText("endgame")]))
      #expect(throws: PlayerError.self) { try rig.player.send(.play(music, PlaybackOptions())) }
      // Without a player, nobody waits, and the name may be that of a new file.
      #expect(probed.withLock { $0 > 0 } == !isRunning)
    }
  }

  @Test func `A mistyped name is not looked for on the disk while a player runs`() throws {
    let library = try ExampleLibrary(["Own"])
    let rig = try PortRig(library)
    // Only a scan would find it.
    try library.write("endgame")
    let music = MusicRequest(.typed([TypedText("endgame")]))
    #expect(throws: PlayerError.self) { try rig.player.send(.play(music, PlaybackOptions())) }
  }

  @Test func `A face sees the lists of the library that it has chosen, and scans that one`() throws {
    let (own, other) = (try ExampleLibrary(["Own"]), try ExampleLibrary(["Other"]))
    let rig = try PortRig(own)
    let choice = try #require(LibraryChoice(roots: other.request.roots, dataDirectory: other.request.dataDirectory))
    let (lists, songs) = (PlayerLists(rig.player, library: choice), ListView(.songs(.everything)))
    #expect(try lists.page(of: songs, offset: 0, limit: 9).rows.map(\.title) == ["Other"])
    #expect(try PlayerLists(rig.player).page(of: songs, offset: 0, limit: 9).rows.map(\.title) == ["Own"])

    // A rating, too, is of a track of that library: the tracks of both have the same ID.
    let target = try #require(try lists.page(of: songs, offset: 0, limit: 1).rows.first?.target)
    guard case .track(let id, let path) = target else { throw PlayerError(.failure, "\(target)") }
    _ = try rig.player.send(.rate([.track(id)], .rating(8), choice))
    #expect(lists.rating(ofFile: path) == 8)
    #expect(try PlayerLists(rig.player).page(of: songs, offset: 0, limit: 1).rows.first?.rating == nil)

    try other.write("Third")
    let (version, isScanned) = (rig.player.snapshot.libraryVersion, Latch())
    let subscription = rig.player.observe(everyPosition: true) { [player = rig.player] in
      if player.snapshot.libraryVersion != version { isScanned.open() }
    }
    _ = try rig.player.send(.scan(choice))
    isScanned.wait()
    subscription.cancel()
    #expect(try lists.page(of: songs, offset: 0, limit: 9).rows.map(\.title) == ["Other", "Third"])
  }

  @Test func `A library is not scanned while another one is, and that is said`() throws {
    let (isReading, mayContinue, isScanned) = (Latch(), Latch(), Latch())
    let rig = try PortRig(onProbe: {
      isReading.open()
      mayContinue.wait()
    })
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "one/a.flac")
    func choice(_ name: String) -> LibraryChoice? {
      LibraryChoice(roots: LibraryRoots(directory[name]), dataDirectory: directory["data"])
    }
    let version = rig.player.snapshot.libraryVersion
    let subscription = rig.player.observe(everyPosition: true) { [player = rig.player] in
      if player.snapshot.libraryVersion != version { isScanned.open() }
    }
    _ = try rig.player.send(.scan(choice("one")))
    isReading.wait()
    _ = try rig.player.send(.scan(choice("one")))
    let error = #expect(throws: PlayerError.self) { try rig.player.send(.scan(choice("two"))) }
    #expect(error?.message.contains("another library is being scanned") == true)
    mayContinue.open()
    isScanned.wait()
    subscription.cancel()
  }

  @Test func `A directory of the library is played by the path that its row has`() throws {
    let library = try ExampleLibrary(["One", "Two"])
    let rig = try PortRig(library)
    let row = try #require(
      try PlayerLists(rig.player).page(of: ListView(.directory("")), offset: 0, limit: 1).rows.first)
    guard case .track(let id, _) = row.target else { throw PlayerError(.failure, "\(row)") }
    _ = try rig.player.send(.play(MusicRequest(.rows([.directory("")], start: .track(id))), PlaybackOptions()))
    #expect(try rig.player.queue(0..<9).rows.map(\.track.title) == ["One", "Two"])
  }

  @Test func `The list of an album shows numbers as they are written, and artists as they are credited`() throws {
    let library = try ExampleLibrary(["Own"])
    try library.write(
      "Side",
      [
        ("ALBUM", "LP"), ("TRACKNUMBER", "B2"), ("ARTIST", "Ann feat. Bea"), ("ARTISTS", "Ann"), ("ARTISTS", "Bea"),
        ("ALBUMARTIST", "Ann & Bea"), ("ALBUMARTISTS", "Ann"), ("ALBUMARTISTS", "Bea"),
      ])
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    let rig = try PortRig(library)
    func row(_ content: ListContent) throws -> ListRow {
      try #require(try PlayerLists(rig.player).page(of: ListView(content), offset: 0, limit: 1).rows.first)
    }
    let album = try row(.albums(.text(.album, TextPattern("LP", kind: .exact))))
    #expect(album.title == "LP" && album.artist == "Ann & Bea")
    guard case .album(let id) = album.target else { throw PlayerError(.failure, "\(album)") }
    let track = try row(.album(id))
    #expect(track.detail == "B2" && track.artist == "Ann feat. Bea")
    _ = try rig.player.send(.play(MusicRequest(.rows([.album(id)], start: nil)), PlaybackOptions()))
    let queued = try #require(try rig.player.queue(0..<1).rows.first?.track)
    #expect(queued.shownNumber == "B2" && queued.albumArtistCredit == "Ann & Bea")
  }

  @Test func `A query is the same after it was sent to another process`() throws {
    let query = LibraryQuery.conjunction([
      .text(.genre, TextPattern("Hard \"Bop\"", kind: .exact)), .number(.year, QueryRange(from: 1957, to: nil)),
      .not(.text(.anywhere, TextPattern("live", kind: .words))),
    ])
    let contents: [ListContent] = [.songs(query), .search("a b", .everything), .albums(.everything), .directory("x/%")]
    for content in contents {
      #expect(JSONLine.value(JSONLine.text(content)) == content)
    }
    let hostile: ListContent? = JSONLine.value("{\"songs\":{\"_0\":\"year:(((\"}}")
    #expect(hostile == nil)
  }

  @Test func `Rows are the same after they were sent to another process, and damaged ones are refused`() throws {
    let rig = try PortRig()
    var tracks = (0..<600).map { (number: Int) in Examples.track("Title \(number)", seconds: number) }
    tracks[3].path = .init(systemBytes: Array("/m/".utf8) + [0xFF, 0x20])
    tracks[4].replayGain = ReplayGainTags(trackGain: -3)
    tracks[5].additionalTags = AdditionalTags([
      .init(.albumArtistCredit, "A & B"), .init(.artistCredit, "A feat. B"), .init(.writtenNumber, "A3"),
    ])
    rig.actions.enqueue(TrackCollection(title: "T", tracks: tracks), item: 2)
    rig.actions.awaitDelivery()
    var rows = try rig.player.queue(1..<600)
    #expect(rows.rows.map(\.track) == Array(tracks[1...]) && rows.current == 2)
    rows.rows[7].isMissing = true
    let line = JSONLine.text(rows)
    #expect(JSONLine.value(line) == rows)
    #expect(line.utf8.count < 600 * 100)
    let damaged = line.replacing("\"tracks\":[\"", with: "\"tracks\":[\"AAAA")
    #expect(damaged != line && (JSONLine.value(damaged) as QueueRows?) == nil)
  }

  @Test func `A profile is the same after it was sent to another process, and its values are limited`() throws {
    let filters = [
      EqualiserFilter(.peak, 100, gain: 3, .q(1.41)), EqualiserFilter(.highShelf, 8_000, gain: -2, .octaves(0.5)),
      EqualiserFilter(.notch, 50, .q(30)),
    ]
    let profile = EqualiserProfile(preamp: -3, filters: filters)
    #expect(JSONLine.value(JSONLine.text(profile)) == profile)
    let hostile = #"{"preamp":999,"filters":[{"kind":"PK","frequency":-1,"gain":1e9,"q":0}]}"#
    let limited = EqualiserProfile(preamp: 30, filters: [EqualiserFilter(.peak, 1, gain: 30, .q(0.05))])
    #expect(JSONLine.value(hostile) == limited)
    #expect((JSONLine.value(#"{"filters":[{"kind":"PK","frequency":1}]}"#) as EqualiserProfile?) == nil)
  }

  @Test func `A track is the same after it was sent to another process`() throws {
    var track = Examples.track("Title", seconds: 61)
    track.path = .init(systemBytes: Array("/m/".utf8) + [0xFF, 0x20] + Array("x%.flac".utf8))
    track.number = Ordinal(3, of: 9)
    track.disc = Ordinal(2)
    track.date = ReleaseDate(year: 1959, month: 8, day: 17)
    track.segment = TrackSegment(start: 7, end: nil)
    track.audio = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: 16)
    track.genres = ["Jazz"]
    track.additionalTags = AdditionalTags([
      .init(.artistCredit, "A feat. B"), .init(.albumArtistCredit, "A & B"), .init(.writtenNumber, "A3"),
    ])
    let line = JSONLine.text(TrackRow(track, isMissing: true))
    let row: TrackRow = try #require(JSONLine.value(line))
    #expect(row.track == track && row.isMissing)
  }
}

/// A library of tracks in one directory, which has been scanned.
final class ExampleLibrary {
  let request: LibraryRequest
  let index: IndexedLibrary
  let directory: TemporaryDirectory

  /// Creates the library of tracks with these titles.
  init(_ titles: [String]) throws {
    directory = try TemporaryDirectory()
    request = LibraryRequest(roots: LibraryRoots(directory["music"]), dataDirectory: directory["data"])
    index = IndexedLibrary(index: try LibraryIndex(directory: request.dataDirectory), roots: request.roots)
    for title in titles { try write(title) }
    _ = try index.scan(progress: { _ in }, isCancelled: { false })
  }

  func write(_ title: String, _ tags: [(String, String)] = []) throws {
    try directory.write(SoundBytes.flac([("TITLE", title)] + tags), to: "music/\(title).flac")
  }
}

/// A player of this process without an engine. Its library is empty unless it is given one.
struct PortRig {
  let actions: PlayerActionCreator
  let player: LocalPlayer
  private let directory: TemporaryDirectory

  /// Creates the player, or one that is not running. `onProbe` is called whenever a scan of the library reads a file.
  init(
    _ library: ExampleLibrary? = nil, isRunning: Bool = true, onProbe: @escaping @Sendable () -> Void = {}
  ) throws {
    directory = try TemporaryDirectory()
    try directory.write([1], to: "music/a.flac")
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    actions = PlayerActionCreator(dispatcher: dispatcher)
    let known = library.map { (request: $0.request, index: $0.index) }
    var parts = LocalPlayer.Parts.withoutEngine(
      QueueListener(store), PlaybackStore(store), actions, in: directory.path, library: library?.request
    ) { request throws(PlayerError) in
      if let known, known.request == request { return known.index }
      do throws(LibraryIndexError) {
        return IndexedLibrary(
          index: try LibraryIndex(directory: request.dataDirectory), roots: request.roots,
          probe: { _ in
            onProbe()
            return nil
          })
      } catch {
        throw PlayerError(.unreadableLibrary, error.description)
      }
    }
    if !isRunning { parts.options = nil }
    player = LocalPlayer(parts)
  }
}
