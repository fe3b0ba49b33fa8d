import AudioCore
import CEbur128

/// A measurement of libebur128; freed when it goes. For one thread at a time.
///
/// The library keeps a number for every 100 ms of sound, exactly where the sound is said not to be longer than
/// ``exactLimit``; else it counts them in steps of 0.1 LU (an error of 0.05 LU at most) in 16 kB, whatever the length.
final class LoudnessState: Sendable {
  /// The length, in seconds, up to which the measurement is exact: above it, the memory would count.
  static let exactLimit: Int64 = 6 * 3_600

  // An address instead of a pointer: the library has no state but what lies behind it, so it may go from thread to
  // thread.
  private let address: UInt

  /// The library, which is loaded when it is first asked for.
  private static var library: UnsafePointer<Ebur128Library>? { unsafe Ebur128LibraryLoad() }

  private var pointer: UnsafeMutablePointer<ebur128_state>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  /// A measurement of sound in `format`, which is said to have `frameCount` frames.
  init(_ format: AudioFormat, frameCount: Int64?) throws(LoudnessError) {
    var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    let isShort = frameCount.map { $0 / Int64(format.sampleRate) < Self.exactLimit } ?? false
    if !isShort { mode |= EBUR128_MODE_HISTOGRAM.rawValue }
    guard let library = unsafe Self.library else { throw .noLibrary }
    let made = unsafe library.pointee.`init`(UInt32(format.channels), UInt(format.sampleRate), Int32(mode))
    guard let state = unsafe made else { throw .outOfMemory }
    // Where the file is longer than it says, what came first is dropped.
    if isShort { _ = unsafe library.pointee.set_max_history(state, UInt(Self.exactLimit) * 1_000) }
    for (index, channel) in ChannelLayout.channels(format.channels).enumerated() {
      _ = unsafe library.pointee.set_channel(state, UInt32(index), Int32(channel.rawValue))
    }
    address = UInt(bitPattern: state)
  }

  deinit {
    var state = unsafe pointer
    if unsafe state != nil { unsafe Self.library?.pointee.destroy(&state) }
  }

  /// Takes the samples of whole frames.
  func add(_ samples: UnsafeBufferPointer<Float>, frames: Int) throws(LoudnessError) {
    guard frames > 0, let library = unsafe Self.library, let pointer = unsafe pointer,
      let start = samples.baseAddress
    else { return }
    if unsafe library.pointee.add_frames_float(pointer, start, frames) != EBUR128_SUCCESS.rawValue {
      throw .outOfMemory
    }
  }

  /// The integrated loudness in LUFS, where there is one.
  var integrated: Double? {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return nil }
    return unsafe Self.number { unsafe library.pointee.loudness_global(pointer, $0) }
  }

  /// The loudness range in LU.
  var range: Double? {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return nil }
    return unsafe Self.number { unsafe library.pointee.loudness_range(pointer, $0) }
  }

  /// The highest of the channels' true peaks.
  var truePeak: Double {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return 0 }
    var highest = 0.0
    for channel in 0..<(unsafe pointer.pointee.channels) {
      highest = max(highest, unsafe Self.number { unsafe library.pointee.true_peak(pointer, channel, $0) } ?? 0)
    }
    return highest
  }

  /// Gives back the memory that only further samples would need: up to megabytes.
  func finish() throws(LoudnessError) {
    guard let library = unsafe Self.library, let pointer = unsafe pointer else { return }
    // The smallest that the library takes.
    if unsafe library.pointee.change_parameters(pointer, 1, 16) == EBUR128_ERROR_NOMEM.rawValue {
      throw .outOfMemory
    }
  }

  /// The integrated loudness in LUFS of all of these as one piece, where there is one.
  static func integrated(_ states: [LoudnessState]) throws(LoudnessError) -> Double? {
    guard let library = unsafe Self.library else { throw .noLibrary }
    var pointers = unsafe states.map { unsafe $0.pointer }
    var result = 0.0
    let code = unsafe library.pointee.loudness_global_multiple(&pointers, pointers.count, &result)
    guard code == EBUR128_SUCCESS.rawValue else { throw .outOfMemory }
    return result.isFinite && !states.isEmpty ? result : nil
  }

  /// What `ask` gives, where it succeeds and the number is finite.
  private static func number(_ ask: (UnsafeMutablePointer<Double>) -> Int32) -> Double? {
    var value = 0.0
    guard unsafe ask(&value) == EBUR128_SUCCESS.rawValue, value.isFinite else { return nil }
    return value
  }
}

/// Which loudspeaker a channel is for: those beside and behind the listener count more, and the one for low frequencies
/// does not count.
enum ChannelLayout {
  /// The loudspeakers for so many channels, in the order of WAV and FLAC.
  ///
  /// One channel counts as two: Segue plays it on both sides, where it is as loud as stereo with the same on both.
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
