import AudioCore
import PlaybackEngine
import Resampling
import SndfileDecoding
import SystemPackage
import TestSupport

/// Plays real files from the first to the last into collecting outputs.
struct FilePlayer {
  let outputs: CollectingOutputs
  let events: [EngineEvent]

  /// Plays the files at `paths`, as sources 1, 2, ..., to their end.
  init(
    _ paths: [FilePath], settings: EngineSettings = EngineSettings(),
    outputs: CollectingOutputs = CollectingOutputs(keepsTime: false), seconds: Double = 300
  ) throws {
    let engine = try PlaybackEngine(
      settings: settings, decoders: { path throws(DecodingError) in try SndfileDecoder(path: path) },
      resamplers: SoxrResampler.make, outputs: { format throws(OutputError) in try outputs.open(format) })
    let log = Watched<[EngineEvent]>([])
    let source = { @Sendable (index: Int) in
      PlaybackSource(id: .init(rawValue: UInt64(index)), path: paths[index])
    }
    engine.onEvent { [weak engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.follow(id, with: next < paths.count ? source(next) : nil)
    }
    engine.play(source(0))
    _ = log.wait(seconds: seconds) { $0.contains(.finished) }
    _ = engine.shutDown(within: 20_000)
    self.outputs = outputs
    events = log.value
  }

  /// All samples of the file at `path`.
  static func samples(of path: FilePath) throws -> (format: AudioFormat, samples: [Float]) {
    let decoder = try SndfileDecoder(path: path)
    var samples: [Float] = []
    var room = [Float](repeating: 0, count: 16_384 * decoder.format.channels)
    while true {
      let count = room.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      guard count > 0 else { return (decoder.format, samples) }
      samples += room[..<(count * decoder.format.channels)]
    }
  }

  /// `samples` as bytes of `depth`, rounded.
  static func bytes(_ samples: [Float], _ depth: SampleDepth) -> [UInt8] {
    var words = [UInt32](repeating: 0, count: samples.count + 1)
    return words.withUnsafeMutableBytes { room in
      let count = samples.withUnsafeBufferPointer { depth.convert($0, to: room) }
      return Array(room[..<count])
    }
  }
}
