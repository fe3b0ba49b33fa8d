// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import QueueStorage
import SystemPackage

/// Measures how long it takes until edits are on the disk, and how long it takes to restore a queue.
struct StateMeasuring {
  private let directory: FilePath
  private let count: Int

  init(_ directory: FilePath, count: Int) {
    self.directory = directory
    self.count = count
  }

  func run() throws {
    do {
      let flow = StoredQueueFlow()
      let persister = try flow.persister(directory)
      persister.awaitRecall()
      try measure("load \(count) items", flow, persister) { _ in .enqueue(collection(count), item: 0) }
      for (name, edit) in edits { try measure(name, flow, persister, edit) }
      persister.finish(within: 60_000)
    }
    let start = MonotonicInstant.now
    let flow = StoredQueueFlow()
    let persister = try flow.persister(directory)
    persister.awaitOpening()
    let opened = MonotonicInstant.now
    persister.awaitRecall()
    print("opened after \(Self.time(start, opened)) ms, recalled after \(Self.time(start, .now)) ms")
    print("\(flow.queue.queue.items.count) items, \(flow.queue.queue.undoable.count) steps to undo")
    let before = MonotonicInstant.now
    persister.flush()
    print("first flush after recall: \(Self.time(before, .now)) ms")
    persister.finish(within: 60_000)
  }

  private var edits: [(String, (PlayQueue) -> QueueAction)] {
    [
      ("remove 1", { _ in .remove(.positions([count / 2..<count / 2 + 1])) }),
      ("move 10", { _ in .move(.positions([5..<15]), to: count / 3) }),
      ("insert 12", { _ in .add(collection(12), at: .position(count / 4)) }),
      ("undo", { _ in .undo(steps: 1) }),
      ("play", { queue in .play(queue.items[count / 2].id, from: .zero) }),
      ("shuffle", { _ in .shuffle(nil, by: .tracks, seed: 5) }),
      ("undo shuffle", { _ in .undo(steps: 1) }),
    ]
  }

  /// Dispatches an action several times, and prints the median of the times until it is on the disk.
  private func measure(
    _ name: String, _ flow: StoredQueueFlow, _ persister: QueuePersister, _ action: (PlayQueue) -> QueueAction
  ) throws {
    var dispatched: [UInt64] = []
    var stored: [UInt64] = []
    for _ in 0..<(name.hasPrefix("load") || name.hasSuffix("shuffle") ? 1 : 15) {
      let action = action(flow.queue.queue)
      let start = MonotonicInstant.now
      flow.dispatcher.dispatch(action)
      dispatched.append(MonotonicInstant.now.nanoseconds - start.nanoseconds)
      if let error = persister.flush() { throw error }
      stored.append(MonotonicInstant.now.nanoseconds - start.nanoseconds)
    }
    print("\(name): dispatched \(Self.median(dispatched)) ms, on the disk after \(Self.median(stored)) ms")
  }

  private static func median(_ times: [UInt64]) -> Double {
    Double(times.sorted()[times.count / 2] / 1_000) / 1_000
  }

  private static func time(_ start: MonotonicInstant, _ end: MonotonicInstant) -> Double {
    Double((end.nanoseconds - start.nanoseconds) / 1_000) / 1_000
  }

  private func collection(_ count: Int) -> TrackCollection {
    let tracks = (0..<count).map { index in
      var track = Track(
        path: FilePath("/Music/Artist \(index / 120)/Album \(index / 12)/\(index % 12).flac"),
        title: "Title \(index)")
      track.album = "Album \(index / 12)"
      track.artists = ["Artist \(index / 120)"]
      track.duration = .seconds(180 + index % 120)
      return track
    }
    return TrackCollection(title: "All", tracks: tracks)
  }
}
