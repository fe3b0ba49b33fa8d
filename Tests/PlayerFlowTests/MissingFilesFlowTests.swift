// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// Files that disappear while their items are in the queue, and return.
@Suite struct MissingFilesFlowTests {
  private let scripts = (1...4).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func tracks(_ names: [String]) -> TrackCollection {
    TrackCollection(title: "Files", tracks: names.map { Track(path: FilePath($0), title: $0) })
  }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  private func missingTitles(_ flow: Flow) -> [String] { flow.queue.queue.items.filter(\.isMissing).map(\.track.title) }

  @Test func `a missing file is marked, reported once, and skipped`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 140_000))
    flow.act(.setRepeat(.all))
    flow.queueDispatcher.dispatch(.enqueue(tracks(["1", "gone", "2"]), item: 0))
    #expect(flow.outputs.awaitFrames(140_000))
    let output = Array(flow.outputs.samples.prefix(280_000))
    #expect(PCM.firstDifference(output, samples(1, 2, 1, 2, 1, 2, 1), channels: 2) == nil)
    #expect(missingTitles(flow) == ["gone"])
    #expect(flow.playback.state.problems.count == 1)
    #expect(flow.decoders.opened.count { $0 == "gone" } == 1)
  }

  @Test func `a file that has returned plays again and is no longer marked as missing`() throws {
    let flow = try Flow(scripts)
    flow.decoders.setPresent("2", false)
    flow.queueDispatcher.dispatch(.enqueue(tracks(["1", "2"]), item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(missingTitles(flow) == ["2"])
    flow.decoders.setPresent("2", true)
    flow.act(.play(flow.queue.queue.items[1].id, from: .zero))
    #expect(flow.state.wait { $0.startedCount == 2 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
    #expect(missingTitles(flow).isEmpty)
  }

  @Test(arguments: [QueueModes.Repeat.off, .all, .one, .album])
  func `playback ends if every file in the queue is missing`(mode: QueueModes.Repeat) throws {
    let flow = try Flow(scripts)
    flow.act(.setRepeat(mode))
    flow.queueDispatcher.dispatch(.enqueue(tracks((0..<50).map { "gone \($0)" }), item: 7))
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    #expect(flow.outputs.openCount == 0)
    #expect(flow.decoders.opened.count <= 50)
  }

  @Test(arguments: [QueueModes.Repeat.off, .all])
  func `playback ends if no file in the queue can be decoded`(mode: QueueModes.Repeat) throws {
    var bad = scripts
    for index in bad.indices { bad[index].opens = false }
    let flow = try Flow(bad)
    flow.act(.setRepeat(mode))
    flow.queueDispatcher.dispatch(.enqueue(tracks(["1", "2", "3", "4"]), item: 0))
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    #expect(flow.decoders.opened == ["1", "2", "3", "4"])
    #expect(missingTitles(flow).isEmpty)
  }

  @Test func `thousands of missing files cause no delay`() throws {
    let flow = try Flow(scripts, isFile: { $0.string.count == 1 })
    flow.queueDispatcher.dispatch(
      .enqueue(tracks(["1"] + (0..<3000).map { "gone \($0)" } + ["2"]), item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
    #expect(flow.queue.queue.missingItems.count == 3000)
  }

  @Test func `after a library scan, missing and returned files are marked`() throws {
    let existingFiles = Watched<Set<FilePath>>(["1", "2", "3"])
    let flow = try Flow(
      scripts, outputs: CollectingOutputs(granted: 1000), isFile: { existingFiles.value.contains($0) })
    flow.queueDispatcher.dispatch(.enqueue(tracks(["1", "2", "3"]), item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    let markedTitles = Watched<[String]>([])
    let observation = flow.queue.observe { queue in
      markedTitles.change { $0 = queue.items.filter(\.isMissing).map(\.track.title) }
    }
    existingFiles.change { $0 = ["1", "3"] }
    flow.libraryDispatcher.dispatch(.report(.ended(ScanSummary(), isComplete: true, elapsed: .zero)))
    #expect(markedTitles.wait { $0 == ["2"] })
    // The next track has changed. It must be decoded again before the current track ends.
    #expect(flow.decoders.awaitOpened("3", afterFirst: 1))
    let count = flow.decoders.opened.count
    existingFiles.change { $0 = ["1", "2", "3"] }
    flow.libraryDispatcher.dispatch(.report(.ended(ScanSummary(), isComplete: true, elapsed: .zero)))
    #expect(markedTitles.wait { $0 == [] })
    #expect(flow.decoders.awaitOpened("2", afterFirst: count))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    withExtendedLifetime(observation) {}
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }
}
