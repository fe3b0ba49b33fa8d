// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

@Suite struct PlayQueueTests {
  private let collection = TrackCollection(
    title: "Numbers",
    tracks: (1...4).map { Track(path: FilePath("/music/\($0).flac"), title: "Number \($0)") })

  private func queue(after actions: QueueAction...) -> PlayQueue {
    var queue = PlayQueue()
    actions.forEach { queue.reduce($0) }
    return queue
  }

  @Test func `Enqueuing a collection with an item makes that item current`() {
    let queue = queue(after: .enqueue(collection, item: 2))
    #expect(queue.title == "Numbers")
    #expect(queue.items.map(\.track) == Array(collection.tracks))
    #expect(queue.currentPosition == 2)
    #expect(queue.current?.track.title == "Number 3")
  }

  @Test(arguments: [nil, -1, 4, Int.max] as [Int?])
  func `A collection without an item, or with an invalid one, is only loaded`(item: Int?) {
    let queue = queue(after: .enqueue(collection, item: item))
    #expect(queue.items.count == 4)
    #expect(queue.current == nil)
  }

  @Test func `An empty collection empties the queue`() {
    let empty = TrackCollection(title: "Nothing", tracks: [])
    let queue = queue(after: .enqueue(collection, item: 0), .enqueue(empty, item: 0))
    #expect(queue.items.isEmpty)
    #expect(queue.current == nil)
  }

  @Test func `Ids are never reused`() {
    var queue = queue(after: .enqueue(collection, item: 0))
    let first = Set(queue.items.map(\.id))
    queue.reduce(.enqueue(collection, item: 0))
    #expect(first.isDisjoint(with: queue.items.map(\.id)))
  }

  @Test func `Positions and adjacent items are found by id`() {
    let queue = queue(after: .enqueue(collection, item: nil), .enqueue(collection, item: nil))
    let ids = queue.items.map(\.id)
    #expect(ids.map(queue.position(of:)) == [0, 1, 2, 3])
    #expect(ids.map { queue.item(after: $0)?.id } == [ids[1], ids[2], ids[3], nil])
    #expect(ids.map { queue.item(before: $0)?.id } == [nil, ids[0], ids[1], ids[2]])
  }

  @Test func `An unknown id changes nothing`() {
    var queue = queue(after: .enqueue(collection, item: 1))
    let before = queue
    for raw in [0, 99, UInt64.max] {
      let id = PlayQueue.Item.ID(rawValue: raw)
      queue.reduce(.play(id, from: .zero))
      queue.reduce(.advanced(to: id))
      #expect(queue.item(after: id) == nil)
      #expect(queue.item(before: id) == nil)
    }
    #expect(queue == before)
  }

  @Test func `Playing, advancing and finishing change the current item and increase the version`() {
    var queue = queue(after: .enqueue(collection, item: nil))
    let ids = queue.items.map(\.id)
    queue.reduce(.play(ids[1], from: .zero))
    #expect(queue.current?.id == ids[1])
    queue.reduce(.advanced(to: ids[3]))
    #expect(queue.current?.id == ids[3])
    queue.reduce(.finished)
    #expect(queue.current == nil)
    #expect(queue.version == 4)
    queue.reduce(.finished)
    #expect(queue.version == 4)
  }

  @Test func `The duration of the queue is that of all items with a known duration`() {
    var tracks = Array(collection.tracks)
    tracks[0].duration = .seconds(90)
    tracks[3].duration = .milliseconds(500)
    let queue = queue(after: .enqueue(TrackCollection(title: "", tracks: tracks), item: nil))
    #expect(queue.duration == .milliseconds(90_500))
  }
}

/// Random album order in a queue so large that edits update only a part of it.
@Suite struct PlayQueueAlbumsTests {
  private static let count = 1_400
  private static let size = 8

  private static func track(_ number: Int) -> Track {
    var track = Track(path: FilePath("/music/\(number / size)/\(number % size)"), title: "")
    track.album = "\(number / size)"
    return track
  }

  /// Expects each album to be contiguous in playing order, and sorted by position.
  private func expectWholeAlbums(_ queue: PlayQueue, _ step: String) {
    let album = queue.items.map { $0.track.album }
    let positions = Dictionary(
      uniqueKeysWithValues: queue.items.indices.map { (queue.items.id(at: $0), $0) })
    let order = queue.idsInPlayingOrder.compactMap { positions[$0] }
    #expect(Set(order).count == queue.items.count, "\(step)")
    var seen: Set<String?> = []
    var areWhole = true
    for (index, position) in order.enumerated() {
      if index > 0, album[order[index - 1]] == album[position] {
        areWhole = areWhole && order[index - 1] < position
      } else {
        areWhole = areWhole && seen.insert(album[position]).inserted
      }
    }
    #expect(areWhole, "\(step)")
  }

  @Test(arguments: [false, true]) func `Albums stay whole when a few items are edited`(isShuffled: Bool) {
    let all = TrackCollection(title: "All", tracks: (0..<Self.count).map { Self.track($0) })
    let few = TrackCollection(title: "Few", tracks: (0..<12).map { Self.track($0 * 107) })
    var queue = PlayQueue()
    queue.reduce(.enqueue(all, item: Self.count / 2))
    // The ids of later items of the same albums are far from those of the earlier ones.
    queue.reduce(.started(QueueModes(), seed: 6, lastID: 1_000_000))
    queue.reduce(.add(all, at: .end))
    if isShuffled { queue.reduce(.shuffle(nil, by: .tracks, seed: 7)) }
    queue.reduce(.setRandom(.albums, seed: 8))
    expectWholeAlbums(queue, "at the beginning")
    let edits: [QueueAction] = [
      .move(.positions([10..<22]), to: 2_700), .swap(queue.items.id(at: 1), queue.items.id(at: 2_798)),
      .add(few, at: .position(900)),
      .add(few, at: .end), .remove(.positions([10..<22, 2_000..<2_012])),
      .move(.positions([1_500..<1_700]), to: 7),
    ]
    for (step, edit) in edits.enumerated() {
      let before = queue.version
      queue.reduce(edit)
      #expect(queue.version > before)
      expectWholeAlbums(queue, "edit \(step)")
    }
  }
}

/// Tracks of a small library: albums with and without artists, loose files, and segments of a file.
enum QueueExamples {
  /// The first forty tracks.
  static let tracks = (0..<40).map { track($0) }

  static func track(_ number: Int) -> Track {
    let album = number / 5
    var track = Track(path: FilePath("/music/\(album % 4)/\(number).flac"), title: "Title \(number * 7 % 11)")
    track.album = album == 3 ? nil : "Album \(album % 6)"
    track.albumArtists = album == 2 ? [] : ["Artist \(album)"]
    track.artists = ["Artist \(album)", "Guest"]
    track.number = Ordinal(number % 5 + 1, of: 5)
    track.duration = number % 9 == 0 ? nil : .milliseconds(number * 1_237 % 300)
    track.date = album % 3 == 0 ? nil : ReleaseDate(year: 1_990 - album, month: album % 3 == 1 ? 5 : nil)
    if number % 11 == 5 { track.sortNames.title = "Sorted \(number % 4)" }
    if album == 5 { track.sortNames.albumArtist = "artist 1" }
    if album == 6, number % 2 == 0 { track.sortNames.artist = "Zz \(number % 3)" }
    if album == 7 {
      let title = AdditionalTags.Value(.discSubtitle, number % 2 == 0 ? "Live" : "Studio")
      track.additionalTags = AdditionalTags([title])
    }
    if number == 9 { track.artists = [] }
    if number % 8 == 7 {
      track.path = "/music/big.flac"
      track.segment = TrackSegment(start: number * 100, end: number % 2 == 0 ? nil : number * 100 + 99)
    }
    return track
  }
}
