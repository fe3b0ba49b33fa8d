// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage

/// Measures the processor time of edits of a long queue, compared with the same edits of an array of IDs.
///
/// usage: QueueBenchmark [ITEMS] [off|tracks|albums] [NAME], where NAME is a prefix of the benchmarks to run
@main struct QueueBenchmark {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    let before = try ResidentMemory.bytes()
    let collection = TrackCollection(
      title: "All", tracks: TrackList((0..<count).lazy.map { SampleTracks.track($0) }))
    let packed = try ResidentMemory.bytes()
    printLine("\(count) items; the tracks alone: \((packed - before) / count) bytes each")
    var queue = PlayQueue()
    queue.reduce(.enqueue(collection, item: count / 2))
    let loaded = try ResidentMemory.bytes()
    printLine("resident memory, tracks included: \((loaded - before) / count) bytes an item")
    let mode = CommandLine.arguments.dropFirst(2).first.flatMap { QueueModes.Random(rawValue: $0) }
    for mode in mode.map({ [$0] }) ?? QueueModes.Random.allCases {
      queue.reduce(.setRandom(mode, seed: 1))
      printLine("-- random \(mode.rawValue)")
      edits(queue, collection, count)
      queries(queue, count)
    }
    try readers(queue, count)
    printLine("resident memory at the end: \((try ResidentMemory.bytes() - before) / count) bytes an item")
  }

  private static func edits(_ queue: PlayQueue, _ collection: TrackCollection, _ count: Int) {
    let few = TrackCollection(title: "Few", tracks: (0..<12).map { SampleTracks.track($0) })
    let ids = Array(0..<UInt64(count))
    let middle = count / 2
    measure(
      "load", queue, .enqueue(collection, item: middle), baseline: ArrayBaseline(ids) { $0 = Array(0..<UInt64(count)) })
    measure("clear", queue, .clear, baseline: ArrayBaseline(ids) { $0 = [] })
    var cleared = queue
    cleared.reduce(.clear)
    measure("undo clear", cleared, .undo(steps: 1), baseline: ArrayBaseline([]) { $0 = ids })
    measure(
      "shuffle", queue, .shuffle(nil, by: .tracks, seed: 2),
      baseline: ArrayBaseline(ids) {
        var random = SystemRandomNumberGenerator()
        $0.shuffle(using: &random)
      })
    var shuffled = queue
    shuffled.reduce(.shuffle(nil, by: .tracks, seed: 2))
    measure("undo shuffle", shuffled, .undo(steps: 1), baseline: ArrayBaseline([]) { $0 = ids })
    measure("shuffle by album", queue, .shuffle(nil, by: .albums, seed: 2), baseline: nil)
    for (name, queue) in [("", queue), (" when shuffled", shuffled)] {
      measure(
        "insert 12\(name)", queue, .add(few, at: .position(middle)),
        baseline: ArrayBaseline(ids) { $0.insert(contentsOf: 0..<12, at: middle) })
      measure("insert 12 next\(name)", queue, .add(few, at: .next), baseline: nil)
      measure(
        "append 12\(name)", queue, .add(few, at: .end), baseline: ArrayBaseline(ids) { $0.append(contentsOf: 0..<12) })
      measure(
        "remove 12\(name)", queue, .remove(.positions([10..<22])),
        baseline: ArrayBaseline(ids) { $0.removeSubrange(10..<22) }
      )
      measure(
        "remove 3 by id\(name)", queue, .remove(.items([1, 99, middle].map { queue.items.id(at: $0) })),
        baseline: nil)
      measure("move 12\(name)", queue, .move(.positions([10..<22]), to: count - 100), baseline: nil)
      measure(
        "swap\(name)", queue, .swap(queue.items.id(at: 1), queue.items.id(at: count - 2)),
        baseline: ArrayBaseline(ids) { $0.swapAt(1, count - 2) })
      measure("skip\(name)", queue, .skipped(to: queue.items.id(at: count - 3)), baseline: nil)
    }
    measure(
      "remove every other", queue, .remove(.positions((0..<middle).map { 2 * $0..<2 * $0 + 1 })), baseline: nil)
    measure("play", queue, .play(queue.items.id(at: count - 30), from: .zero), baseline: nil)
    measure("prioritise 12", queue, .prioritise(.positions([10..<22]), 5), baseline: nil)
    measure("random tracks", queue, .setRandom(.tracks, seed: 3), baseline: nil)
    measure("random albums", queue, .setRandom(.albums, seed: 3), baseline: nil)
    for key in QueueSortKey.allCases {
      measure(
        "sort by \(key.rawValue)", shuffled, .sort(nil, by: key, descending: false), baseline: nil, runs: 1)
    }
    var withDuplicates = queue
    withDuplicates.reduce(.add(few, at: .end))
    measure("dedupe", withDuplicates, .dedupe, baseline: nil, runs: 1)
  }

  private static func readers(_ queue: PlayQueue, _ count: Int) throws {
    let few = TrackCollection(title: "Few", tracks: (0..<12).map { SampleTracks.track($0) })
    try measureReaders("sort", queue, .sort(nil, by: .title, descending: false))
    try measureReaders("shuffle", queue, .shuffle(nil, by: .tracks, seed: 4))
    try measureReaders("insert 12", queue, .add(few, at: .position(count / 2)))
    try measureReaders("remove 12", queue, .remove(.positions([10..<22])))
  }

  private static func queries(_ queue: PlayQueue, _ count: Int) {
    var shuffled = queue
    shuffled.reduce(.shuffle(nil, by: .tracks, seed: 2))
    let last = queue.items.id(at: count - 1)
    time("position of the last") { _ = queue.position(of: last) }
    time("position when shuffled") { _ = shuffled.position(of: last) }
    time("item after, when shuffled") { _ = shuffled.item(after: last) }
    time("successor, when shuffled") { _ = shuffled.successor(of: last) }
    time("duration") { _ = queue.duration }
    time("changes") { _ = shuffled.changes(since: 1) }
    time("a thousand copies") { precondition(Array(repeating: queue, count: 1_000).count == 1_000) }
    time("listing 100,000") { _ = queue.items.prefix(100_000).reduce(0) { $0 + $1.track.title.utf8.count } }
    let stored = queue.stored
    time("store") { _ = queue.stored.contents.items.count }
    time("count stored bytes") {
      _ =
        stored.contents.items.reduce(0) { $0 + $1.bytes.count }
        + stored.tracks.reduce(0) { $0 + $1.value.bytes.count }
    }
    time("restore") { precondition(PlayQueue(stored) != nil) }
  }
}
