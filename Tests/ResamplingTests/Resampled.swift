import AudioCore
import Resampling
import Testing

/// A stream after resampling.
struct Resampled {
  /// Its interleaved samples.
  private(set) var samples: [Float] = []

  /// What becomes of `input` where each call has as many frames, and room for as many, as `cuts` says.
  init(
    _ input: [Float], from: Int, to: Int, channels: Int,
    cuts: () -> (input: Int, output: Int) = { (1 << 20, 1 << 16) }
  ) throws {
    let resampler = try #require(SoxrResampler(from: from, to: to, channels: channels))
    var room = [Float]()
    var start = 0
    while start < input.count {
      let (frames, outputFrames) = cuts()
      let piece = input[start..<min(input.count, start + frames * channels)]
      room = [Float](repeating: .nan, count: outputFrames * channels)
      let (taken, put) = piece.withUnsafeBufferPointer { piece in
        room.withUnsafeMutableBufferPointer { resampler.process(piece, into: $0) }
      }
      start += taken * channels
      samples += room[..<(put * channels)]
    }
    while true {
      room = [Float](repeating: .nan, count: cuts().output * channels)
      let put = room.withUnsafeMutableBufferPointer { resampler.finish(into: $0) }
      guard put > 0 else { return }
      samples += room[..<(put * channels)]
    }
  }
}
