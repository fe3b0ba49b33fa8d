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
  /// Where each part ends, and the samples of a whole number of its periods.
  private let parts: [(end: Int, samples: [Float])]
  private var position = 0

  /// A sine of `frequency`, a whole number of Hz.
  init(
    _ parts: [Part], rate: Int = 8_000, frequency: Int = 1_000, phase: Double = 0, statesLength: Bool = true,
    failure: DecodingError? = nil
  ) throws {
    let channels = parts.first?.levels.count ?? 2
    guard let format = AudioFormat(sampleRate: rate, channels: channels, coding: .lossy) else {
      throw CocoaError(.featureUnsupported)
    }
    self.format = format
    self.failure = failure
    let period = (1...rate).first { frequency * $0 % rate == 0 } ?? rate
    let sine = (0..<(period * 64)).map { sin(2 * .pi * Double(frequency * $0) / Double(rate) + phase) }
    var end = 0
    self.parts = parts.map { part in
      end += Int(part.seconds * Double(rate))
      let factors = part.levels.map { level in level.map { pow(10, $0 / 20) } ?? 0 }
      return (end, sine.flatMap { value in factors.map { Float(value * $0) } })
    }
    frameCount = statesLength ? Int64(end) : nil
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let part = parts.first(where: { position < $0.end }) else { return 0 }
    let room = min(buffer.count / format.channels, part.end - position) * format.channels
    var from = position * format.channels % part.samples.count
    var filled = 0
    while filled < room {
      let count = min(room - filled, part.samples.count - from)
      _ = UnsafeMutableBufferPointer(rebasing: buffer[filled..<(filled + count)])
        .update(from: part.samples[from..<(from + count)])
      filled += count
      from = 0
    }
    position += room / format.channels
    return room / format.channels
  }

  func seek(toFrame frame: Int64) throws(DecodingError) { position = Int(clamping: frame) }
}
