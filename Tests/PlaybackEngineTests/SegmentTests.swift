import AudioCore
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

/// Parts of one file, played one after the other.
@Suite struct SegmentTests {
  /// Plays these parts of one scripted file, as sources 1, 2, ..., to the end; gives what was heard and how often the
  /// file was opened.
  private func played(
    _ script: DecodingScript, _ bounds: [(Int, Int?)], transition: Transition = .gapless
  ) throws -> (samples: [Int32], openings: Int, events: [EngineEvent]) {
    let decoders = ScriptedDecoders([script])
    let outputs = CollectingOutputs(keepsTime: false)
    let engine = try PlaybackEngine(
      decoders: { path throws(DecodingError) in try decoders.open(path) }, resamplers: { _, _, _ in nil },
      outputs: { format throws(OutputError) in try outputs.open(format) })
    let log = Watched<[EngineEvent]>([])
    let source = { @Sendable (index: Int) in
      PlaybackSource(
        id: .init(rawValue: UInt64(index + 1)), path: "1",
        segment: SourceSegment(start: bounds[index].0, end: bounds[index].1))
    }
    engine.onEvent { [weak engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue)
      engine?.follow(id, with: next < bounds.count ? source(next) : nil, transition)
    }
    engine.play(source(0))
    #expect(log.wait { $0.contains(.finished) })
    _ = engine.shutDown(within: 20_000)
    return (outputs.openings.flatMap(\.samples), decoders.opened.count, log.value)
  }

  @Test(arguments: [44_100, 48_000, 22_050])
  func `parts that meet are heard as the file is, which is opened once`(rate: Int) throws {
    let script = DecodingScript(tag: 2, frameCount: rate * 3, format: .of(rate, channels: 2, .bits24))
    let heard = try played(script, [(4, 75), (75, 76), (76, 130), (130, nil)])
    let expected = script.samples((4 * rate / 75)..<script.frameCount)
    #expect(PCM.firstDifference(heard.samples, expected, channels: 2) == nil)
    #expect(heard.openings == 1)
  }

  @Test func `parts that do not meet are opened each, and heard each`() throws {
    let script = DecodingScript(tag: 3, frameCount: 44_100 * 2)
    let heard = try played(script, [(75, 100), (10, 20), (20, 30), (20, 30)])
    let expected = [75..<100, 10..<20, 20..<30, 20..<30].flatMap {
      script.samples(($0.lowerBound * 588)..<($0.upperBound * 588))
    }
    #expect(PCM.firstDifference(heard.samples, expected, channels: 2) == nil)
    #expect(heard.openings == 3)
  }

  @Test func `a part behind the file's end holds no sound, and the next one is played`() throws {
    let script = DecodingScript(tag: 3, frameCount: 44_100)
    let heard = try played(script, [(500, 600), (10, 20)])
    #expect(PCM.firstDifference(heard.samples, script.samples(5_880..<11_760), channels: 2) == nil)
    #expect(heard.events.contains { if case .failed = $0 { true } else { false } })
  }
}
