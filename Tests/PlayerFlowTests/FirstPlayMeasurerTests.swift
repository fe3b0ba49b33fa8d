// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Measuring files that are played for the first time.
@Suite struct FirstPlayMeasurerTests {
  private let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func track(_ number: Int) -> Track { Track(path: FilePath("\(number)"), title: "\(number)") }

  @Test func `every whole file is measured once it plays`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1_000))
    let measured = Watched<[String]>([])
    let measurer = try FirstPlayMeasurer(queue: flow.queue, playback: flow.playback) { track, shouldContinue in
      if shouldContinue() { measured.change { $0.append(track.title) } }
    }
    var part = track(2)
    part.segment = TrackSegment(start: 0, end: nil)
    let tracks = TrackCollection(title: "Mix", tracks: [track(1), part, track(3)])
    flow.queueDispatcher.dispatch(.enqueue(tracks, item: 0))
    #expect(measured.wait { $0 == ["1"] })
    flow.act(.pause)
    flow.act(.resume)
    flow.act(.seek(.to(.zero)))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(measured.wait { $0 == ["1", "3"] })
    measurer.end()
  }

  @Test func `the end of the player ends a measurement`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1_000))
    let (gate, continues) = (Gate(), Watched<Bool?>(nil))
    let measurer = try FirstPlayMeasurer(queue: flow.queue, playback: flow.playback) { _, shouldContinue in
      gate.pass()
      continues.change { [continues = shouldContinue()] in $0 = continues }
    }
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "One", tracks: [track(1)]), item: 0))
    #expect(gate.awaitArrival())
    measurer.end()
    gate.open()
    #expect(continues.wait { $0 == false })
  }
}
