import MusicModel
import SystemPackage
import Testing

/// Random albums where an edit does not look at all of the queue.
@Suite struct PlayQueueAlbumsTests {
  private static let count = 1_400
  private static let size = 8

  private static func track(_ number: Int) -> Track {
    var track = Track(path: FilePath("/music/\(number / size)/\(number % size)"), title: "")
    track.album = "\(number / size)"
    return track
  }

  /// Each album stands in one piece in the playing order, by position.
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

  @Test(arguments: [false, true]) func `albums stay whole through edits of a few items`(isShuffled: Bool) {
    let all = TrackCollection(title: "All", tracks: (0..<Self.count).map { Self.track($0) })
    let few = TrackCollection(title: "Few", tracks: (0..<12).map { Self.track($0 * 107) })
    var queue = PlayQueue()
    queue.reduce(.enqueue(all, item: Self.count / 2))
    // The numbers of the same albums' later items are far from those of the earlier ones.
    queue.reduce(.opened(QueueModes(), seed: 6, lastID: 1_000_000))
    queue.reduce(.add(all, at: .end))
    if isShuffled { queue.reduce(.shuffle(nil, by: .tracks, seed: 7)) }
    queue.reduce(.setRandom(.albums, seed: 8))
    expectWholeAlbums(queue, "at the beginning")
    let edits: [QueueAction] = [
      .move(.positions([10..<22]), to: 2_700), .swap(1, 2_798), .add(few, at: .position(900)),
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
