import AudioCore
import RealTimeHooks

/// Gives two seconds of a sawtooth, and tells how much it gave.
final class ToneDecoder: AudioDecoder {
  let format: AudioFormat
  let failure: DecodingError? = nil
  var frameCount: Int64? { Int64(count) }
  private let count: Int
  private let progress: Progress
  private let isDevice: Bool
  private var position = 0

  /// A source of `scenario`.
  init(format: AudioFormat, scenario: Scenario, progress: Progress) {
    self.format = format
    self.progress = progress
    isDevice = scenario.isDevice
    count = Progress.frameCount(format)
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    // Where the decode thread renders, too, this is its other work.
    realtime_unwatch(false)
    // The render thread would go on with what comes while it is at work. The first frame is looked at ahead of the
    // rest.
    if !isDevice, position > 1, position < count { progress.awaitOutput() }
    let frames = min(buffer.count / format.channels, count - position)
    for index in 0..<(frames * format.channels) {
      buffer[index] = Float((position + index) % 256 - 128) / 256
    }
    position += frames
    progress.decode(frames)
    return frames
  }

  func seek(toFrame frame: Int64) { position = Int(clamping: min(max(0, frame), Int64(count))) }
}
