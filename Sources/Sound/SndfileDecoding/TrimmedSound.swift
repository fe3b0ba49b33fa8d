// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The part of an open file that is the recording: without the frames that an encoder added at both ends.
final class TrimmedSound: OpenFile {
  private let sound: any OpenFile
  /// The first frame of the recording.
  private let start: Int64
  private let count: Int64
  private var position: Int64 = 0

  /// Creates the part of `count` frames of `sound` that begins at the frame `start`.
  init(_ sound: any OpenFile, start: Int64, count: Int64) throws(SndfileError) {
    self.sound = sound
    self.start = start
    self.count = count
    guard sound.seek(toFrame: start) else {
      throw SndfileError(code: SndfileError.malformed, message: "libmpg123 cannot seek")
    }
  }

  var file: RegularFile { sound.file }
  var sampleRate: Int { sound.sampleRate }
  var channels: Int { sound.channels }
  var coding: SampleCoding { sound.coding }
  var frameCount: Int64? { count }
  var bitRate: Int? { sound.bitRate }
  var library: DecodingLibrary { sound.library }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let room = Int(clamping: min(Int64(buffer.count / channels), count - position)) * channels
    guard room > 0 else { return 0 }
    let read = unsafe sound.read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
    position += Int64(max(0, read))
    return read
  }

  func seek(toFrame frame: Int64) -> Bool {
    position = frame
    return sound.seek(toFrame: start + frame)
  }

  func problem(at position: Int64) -> StreamProblem? {
    sound.problem(at: start + position)?.moved(by: -start)
      ?? (count - position > Int64(sampleRate) ? .truncated() : nil)
  }
}

extension StreamProblem {
  /// The same problem with its frames counted from another one.
  fileprivate func moved(by distance: Int64) -> StreamProblem {
    switch self {
    case .system, .shrunk, .damaged, .truncated, .incomplete: self
    case .changed(let frame): .changed(at: max(0, frame + distance))
    case .resampled(let frame, let rate): .resampled(at: max(0, frame + distance), from: rate)
    case .skipped(let frame, let byteCount): .skipped(at: max(0, frame + distance), byteCount: byteCount)
    case .silenced(let frame): .silenced(at: max(0, frame + distance))
    }
  }
}
