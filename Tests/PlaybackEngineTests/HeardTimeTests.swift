import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// What the engine tells of time agrees with what a device in real time lets be heard.
@Suite(.serialized) struct HeardTimeTests {
  private let ids = (1...3).map { EngineRig.source($0).id }
  private let device = CollectingOutputs.Device(bufferFrames: 8820, isPaced: true)

  /// The events of a rig with the frames that had been heard when each came.
  private func watch(_ rig: EngineRig) -> Watched<[(EngineEvent, Double)]> {
    let told = Watched<[(EngineEvent, Double)]>([])
    rig.engine.onEvent {
      [log = rig.log, outputs = rig.outputs, decoders = rig.decoders, weak engine = rig.engine] event, _ in
      _ = decoders
      let heard = outputs.heardFrames(at: .now)
      told.change { $0.append((event, heard)) }
      log.change { $0.append(event) }
      if case .needsNext(let id) = event {
        engine?.follow(id, with: id.rawValue == 1 ? EngineRig.source(2) : nil)
      }
    }
    return told
  }

  @Test func `a source is told to have started when it is heard, and no position runs ahead`() throws {
    try inTime {
      let rig = try EngineRig(
        [DecodingScript(tag: 1, frameCount: 40_000), DecodingScript(tag: 2, frameCount: 40_000)],
        outputs: CollectingOutputs(device: device))
      let told = watch(rig)
      rig.engine.play(EngineRig.source(1))
      #expect(rig.await(.finished))
      var starts: [Double] = []
      var last = -1.0
      for (event, heard) in told.value {
        switch event {
        case .started: starts.append(heard)
        case .position(let id, let place):
          let frames = place / .seconds(1) * 44_100 + (id == ids[1] ? 40_000 : 0)
          // The clock takes the device to be 0.05 % slow; 10 ms for what runs on this machine besides.
          #expect(frames < heard + 441, "\(frames) told, \(heard) heard")
          #expect(frames > heard - 8820, "\(frames) told, \(heard) heard")
          #expect(frames >= last)
          last = frames
        default: break
        }
      }
      #expect(starts.count == 2)
      #expect(starts[0] < 4410)
      #expect(starts[1] > 40_000 - 441 && starts[1] < 40_000 + 8820, "\(starts)")
    }
  }

  @Test func `a lasting pause closes the device, and nothing is lost or doubled when playing goes on`() throws
  {
    var settings = EngineSettings()
    settings.patience.pause = 100
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let rig = try EngineRig(
      [one], outputs: CollectingOutputs(granted: 20_000, device: .init(bufferFrames: 882)), settings: settings
    )
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.pauseAndWait())
    #expect(rig.outputs.await { $0[0].isClosed })
    let place = rig.outputs.openings[0].frameCount
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.frameCount) == [place, 60_000 - place])
    #expect(
      PCM.firstDifference(
        Array(rig.outputs.openings[1].samples.dropFirst(2 * 353)), one.samples(place + 353..<60_000),
        channels: 2) == nil)
  }

  @Test func `a device that is left without sound while it plays is counted, and one that is fed is not`()
    throws
  {
    try inTime {
      let gate = Gate()
      var one = DecodingScript(tag: 1, frameCount: 60_000)
      let fed = try EngineRig([one], outputs: CollectingOutputs(device: device))
      fed.engine.play(EngineRig.source(1))
      #expect(fed.await(.finished))
      #expect(fed.engine.underrunCount == 0)
      one.gate = gate
      one.heldFrame = 17_000
      let starved = try EngineRig([one], outputs: CollectingOutputs(device: device))
      starved.engine.play(EngineRig.source(1))
      #expect(gate.awaitArrival())
      #expect(starved.outputs.awaitFrames(16_384))
      MonotonicInstant.now.advanced(byMilliseconds: 500).sleep()
      gate.open()
      #expect(starved.await(.finished))
      #expect(starved.engine.underrunCount == 1)
    }
  }

  /// How often this thread has gone to sleep, and where that can be read.
  private static func status() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).map {
      "/proc/\($0)/status"
    } ?? ""
  }

  private static func switches(_ paths: Set<String>) -> Int {
    paths.reduce(0) { sum, path in
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self")),
    arguments: ["paused", "stopped"])
  func `an engine that does not play does not wake`(state: String) throws {
    var settings = EngineSettings()
    settings.patience.pause = 50
    let paths = Watched<Set<String>>([])
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8820, isPaced: true))
    let decoders = ScriptedDecoders([DecodingScript(tag: 1, frameCount: 400_000)])
    let engine = try PlaybackEngine(
      settings: settings,
      decoders: { path throws(DecodingError) in
        let status = Self.status()
        paths.change { _ = $0.insert(status) }
        return try decoders.open(path)
      }, resamplers: { _, _, _ in nil },
      outputs: { format throws(OutputError) in
        let status = Self.status()
        paths.change { _ = $0.insert(status) }
        return try outputs.open(format)
      })
    let log = Watched<[EngineEvent]>([])
    engine.onEvent { event, _ in
      let status = Self.status()
      paths.change { _ = $0.insert(status) }
      log.change { $0.append(event) }
    }
    engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(9000))
    state == "paused" ? engine.pause() : engine.stop()
    #expect(outputs.await { $0[0].isClosed })
    #expect(paths.value.count == 3)
    // The last that is due is a look at the decode thread, 300 ms after the play, and later on a machine that is busy; what
    // wakes while it plays does so twice a second.
    var seconds = 0
    var (before, after) = (-1, Self.switches(paths.value))
    while before != after, seconds < 10 {
      MonotonicInstant.now.advanced(byMilliseconds: 1000).sleep()
      (before, after) = (after, Self.switches(paths.value))
      seconds += 1
    }
    #expect(after > 0)
    #expect(before == after, "still wakes after \(seconds) s")
    #expect(engine.shutDown(within: 20_000))
  }
}
