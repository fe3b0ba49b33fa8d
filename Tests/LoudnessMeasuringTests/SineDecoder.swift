import AudioCore
import Foundation

/// Sounds a sine in parts of given levels.
final class SineDecoder: AudioDecoder {
  /// One part: how long, and the level of each channel in dB of full scale, `nil` for silence.
  struct Part: Sendable {
    var seconds: Double
    var levels: [Double?]
  }

  let format: AudioFormat
  let frameCount: Int64?
  let failure: DecodingError?
  private let parts: [(end: Int, amplitudes: [Float])]
  private let step: Double
  private let phase: Double
  private var position = 0

  init(
    _ parts: [Part], rate: Int = 8_000, frequency: Double = 1_000, phase: Double = 0,
    statesLength: Bool = true,
    failure: DecodingError? = nil
  ) throws {
    let channels = parts.first?.levels.count ?? 2
    guard let format = AudioFormat(sampleRate: rate, channels: channels, sourceDepth: nil) else {
      throw CocoaError(.featureUnsupported)
    }
    self.format = format
    self.failure = failure
    var end = 0
    self.parts = parts.map { part in
      end += Int(part.seconds * Double(rate))
      return (end, part.levels.map { $0.map { Float(pow(10, $0 / 20)) } ?? 0 })
    }
    frameCount = statesLength ? Int64(end) : nil
    step = 2 * Double.pi * frequency / Double(rate)
    self.phase = phase
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let part = parts.first(where: { position < $0.end }) else { return 0 }
    let count = min(buffer.count / format.channels, part.end - position)
    for frame in 0..<count {
      let value = Float(sin(Double(position + frame) * step + phase))
      for (channel, amplitude) in part.amplitudes.enumerated() {
        buffer[frame * format.channels + channel] = value * amplitude
      }
    }
    position += count
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) { position = Int(clamping: frame) }
}
