// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import RealTimeHooks

/// A decoder of two seconds of a sawtooth wave that reports its progress.
final class ToneDecoder: AudioDecoder {
  let format: AudioFormat
  let failure: DecodingError? = nil
  var frameCount: Int64? { Int64(count) }
  private let count: Int
  private let progress: Progress
  private let isDevice: Bool
  private var position = 0

  /// Creates a decoder for a source of `scenario`.
  init(format: AudioFormat, scenario: Scenario, progress: Progress) {
    self.format = format
    self.progress = progress
    isDevice = scenario.isDevice
    count = Progress.frameCount(format)
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    // If the decode thread also renders, it does not do so here.
    realtime_unwatch(false)
    // Wait for the output, since otherwise the render thread would take new frames while it is running. The first frame
    // is read separately.
    if !isDevice, position > 1, position < count { progress.awaitOutput() }
    let frames = min(buffer.count / format.channels, count - position)
    for index in 0..<(frames * format.channels) {
      buffer[index] = Float((position + index) % 256 - 128) / 256
    }
    position += frames
    progress.addDecoded(frames)
    return frames
  }

  func seek(toFrame frame: Int64) { position = Int(clamping: min(max(0, frame), Int64(count))) }
}
