// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CEbur128

/// A loudness measurement by libebur128; freed when this object is released. Only one thread at a time may use it.
///
/// If the file claims to be shorter than ``exactLimit``, the library stores a number for every 100 ms of audio,
/// exactly. Otherwise it uses a histogram in steps of 0.1 LU (an error of 0.05 LU at most), which takes 16 kB for any
/// length.
final class LoudnessState: Sendable {
  /// The length, in seconds, up to which the measurement is exact; beyond it, that would take too much memory.
  static let exactLimit: Int64 = 6 * 3_600

  // An address instead of a pointer: the library has no other state, so it may be passed between threads.
  private let address: UInt
  /// The sample rate, in Hz.
  let sampleRate: Int

  /// The libebur128 library, which is loaded at first use; `nil` if it is missing.
  private static var library: UnsafePointer<Ebur128Library>? { unsafe Ebur128LibraryLoad() }

  private var pointer: UnsafeMutablePointer<ebur128_state>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  /// Creates a measurement of audio in `format`; `frameCount` is the length that the file claims to have, or `nil`.
  init(_ format: AudioFormat, frameCount: Int64?) throws(LoudnessError) {
    var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    let isShort = frameCount.map { $0 / Int64(format.sampleRate) < Self.exactLimit } ?? false
    if !isShort { mode |= EBUR128_MODE_HISTOGRAM.rawValue }
    guard let library = unsafe Self.library else { throw .noLibrary }
    let created = unsafe library.pointee.`init`(UInt32(format.channels), UInt(format.sampleRate), Int32(mode))
    guard let state = unsafe created else { throw .outOfMemory }
    // If the file is longer than it claims, the oldest part is dropped.
    if isShort { _ = unsafe library.pointee.set_max_history(state, UInt(Self.exactLimit) * 1_000) }
    for (index, channel) in ChannelLayout.channels(format.channels).enumerated() {
      _ = unsafe library.pointee.set_channel(state, UInt32(index), Int32(channel.rawValue))
    }
    address = UInt(bitPattern: state)
    sampleRate = format.sampleRate
  }

  deinit {
    var state = unsafe pointer
    if unsafe state != nil { unsafe Self.library?.pointee.destroy(&state) }
  }

  func add(_ samples: UnsafeBufferPointer<Float>, frames: Int) throws(LoudnessError) {
    guard frames > 0, let library = unsafe Self.library, let pointer = unsafe pointer,
      let start = samples.baseAddress
    else { return }
    if unsafe library.pointee.add_frames_float(pointer, start, frames) != EBUR128_SUCCESS.rawValue {
      throw .outOfMemory
    }
  }

  /// The loudness range in LU; `nil` if there is none.
  var range: Double? {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return nil }
    return unsafe Self.value { unsafe library.pointee.loudness_range(pointer, $0) }
  }

  /// The highest true peak of all channels; 1.0 is full scale.
  var truePeak: Double {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return 0 }
    var highest = 0.0
    for channel in 0..<(unsafe pointer.pointee.channels) {
      highest = max(highest, unsafe Self.value { unsafe library.pointee.true_peak(pointer, channel, $0) } ?? 0)
    }
    return highest
  }

  /// Frees memory that only further samples would need: up to megabytes. Call it when all samples are added.
  func finish() throws(LoudnessError) {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return }
    // The smallest values that the library accepts.
    if unsafe library.pointee.change_parameters(pointer, 1, 16) == EBUR128_ERROR_NOMEM.rawValue {
      throw .outOfMemory
    }
  }

  /// Returns the integrated loudness in LUFS of all measurements as one piece; `nil` if there is none.
  static func integrated(_ states: [LoudnessState]) throws(LoudnessError) -> Double? {
    guard let library = unsafe Self.library else { throw .noLibrary }
    var pointers = unsafe states.map { unsafe $0.pointer }
    var result = 0.0
    let code = unsafe library.pointee.loudness_global_multiple(&pointers, pointers.count, &result)
    guard code == EBUR128_SUCCESS.rawValue else { throw .outOfMemory }
    return result.isFinite && !states.isEmpty ? result : nil
  }

  /// Returns the number that `query` writes, or `nil` if it fails or the number is not finite.
  private static func value(from query: (UnsafeMutablePointer<Double>) -> Int32) -> Double? {
    var value = 0.0
    guard unsafe query(&value) == EBUR128_SUCCESS.rawValue, value.isFinite else { return nil }
    return value
  }
}

/// The loudspeaker of each channel. Loudspeakers beside and behind the listener count more, and the one for low
/// frequencies does not count.
enum ChannelLayout {
  /// Returns the loudspeakers for `count` channels, in the channel order of WAV and FLAC.
  ///
  /// One channel counts as two: Segue plays it on both sides, where it is as loud as stereo with the same signal on
  /// both.
  static func channels(_ count: Int) -> [channel] {
    switch count {
    case 1: [EBUR128_DUAL_MONO]
    case 2: [EBUR128_LEFT, EBUR128_RIGHT]
    case 3: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER]
    case 4: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
    case 5: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
    case 6:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_LEFT_SURROUND,
        EBUR128_RIGHT_SURROUND,
      ]
    case 7:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_Mp180, EBUR128_Mp090,
        EBUR128_Mm090,
      ]
    default:
      [
        EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_Mp135, EBUR128_Mm135,
        EBUR128_Mp090, EBUR128_Mm090,
      ]
    }
  }
}
