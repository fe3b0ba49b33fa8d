public import AudioCore
import CSoxr

/// Resamples with soxr: very high quality, linear phase, one thread. Belongs to one thread at a time.
///
/// What comes out does not depend on how the stream is cut into blocks. The caller sees to it that no NaN and no
/// infinity goes in: one of them would spoil everything within the length of the filter. May allocate while blocks
/// become larger. Where memory ends on the way, the rest of the stream is silence of the right length.
public final class SoxrResampler: Resampler {
  private let soxr: SoxrHandle
  private let from: Int
  private let to: Int
  private let channels: Int
  private let silence: [Float]
  private var framesIn = 0
  private var framesOut = 0
  private var isBroken = false

  /// How many frames of silence go in at a time after the end.
  private static let silentFrames = 1024

  /// A resampler from one of `AudioFormat.sampleRates` to another, in Hz, for frames of one of
  /// `AudioFormat.channelCounts`; `nil` where one is out of its range, or there is no memory.
  public init?(from: Int, to: Int, channels: Int) {
    guard AudioFormat.sampleRates.contains(from), AudioFormat.sampleRates.contains(to),
      AudioFormat.channelCounts.contains(channels),
      let soxr = SoxrHandle(from: from, to: to, channels: channels)
    else { return nil }
    self.soxr = soxr
    self.from = from
    self.to = to
    self.channels = channels
    silence = [Float](repeating: 0, count: Self.silentFrames * channels)
  }

  /// Makes a resampler: a `ResamplerFactory`.
  public static func make(from: Int, to: Int, channels: Int) -> (any Resampler)? {
    SoxrResampler(from: from, to: to, channels: channels)
  }

  /// Takes frames of `input` and puts those that are ready into `output`; gives their numbers.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, put: Int) {
    let result = unsafe pass(input, into: output)
    framesIn += result.taken
    framesOut += result.put
    return result
  }

  /// Puts frames that are left after the end into `output`; gives their number, 0 when nothing is left.
  public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    let room = min(output.count / channels, framesInAll - framesOut)
    var put = 0
    while put < room {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: output[(put * channels)..<(room * channels)])
      let step = unsafe silence.withUnsafeBufferPointer { unsafe pass($0, into: rest) }
      if step.taken == 0, step.put == 0 { isBroken = true }
      if isBroken { unsafe rest.update(repeating: 0) }
      put = isBroken ? room : put + step.put
    }
    framesOut += max(0, put)
    return max(0, put)
  }

  /// How many frames come out of those that went in: the nearest whole number.
  private var framesInAll: Int {
    let (whole, rest) = framesIn.quotientAndRemainder(dividingBy: from)
    return whole * to + (2 * rest * to + from) / (2 * from)
  }

  /// Hands frames to soxr, no more than it needs to fill `output`, so that nothing piles up in it.
  private func pass(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, put: Int) {
    let frames = input.count / channels
    let room = output.count / channels
    guard let source = input.baseAddress, let target = output.baseAddress, room > 0, !isBroken
    else {
      return (isBroken ? frames : 0, 0)
    }
    var taken = 0
    var put = 0
    // First what is ready, so that the input waits where that fills the output.
    var offered = 0
    repeat {
      let step = unsafe soxr.process(
        source + taken * channels, frames: offered, into: target + put * channels,
        frames: room - put)
      guard let step else {
        isBroken = true
        return (frames, put)
      }
      taken += step.taken
      put += step.put
      if offered > 0, step.taken == 0, step.put == 0 { break }
      offered = frames - taken
    } while put < room && offered > 0
    return (taken, put)
  }
}

/// An open soxr resampler; deleted when it goes. Belongs to one thread at a time.
@safe
struct SoxrHandle: ~Copyable {
  private let soxr: UnsafePointer<SoxrLibrary>
  private let handle: soxr_t

  /// A resampler of very high quality (28 bits, linear phase) on the calling thread, or `nil` where soxr makes none, or
  /// is not there.
  ///
  /// Without roll-off, up to 91 % of the band goes through unchanged; soxr's usual roll-off takes 0.003 dB from 19 kHz.
  init?(from: Int, to: Int, channels: Int) {
    guard let soxr = unsafe SoxrLibraryLoad() else { return nil }
    var error: soxr_error_t?
    var formats = unsafe soxr.pointee.io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = unsafe soxr.pointee.quality_spec(UInt(SOXR_VHQ), UInt(SOXR_ROLLOFF_NONE))
    var runtime = unsafe soxr.pointee.runtime_spec(1)
    let handle = unsafe soxr.pointee.create(
      Double(from), Double(to), UInt32(channels), &error, &formats, &quality, &runtime)
    guard let handle = unsafe handle else { return nil }
    guard unsafe error == nil else {
      unsafe soxr.pointee.destroy(handle)
      return nil
    }
    unsafe self.soxr = unsafe soxr
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe soxr.pointee.destroy(handle) }

  /// Takes up to `inputFrames` frames and puts up to `outputFrames`; `nil` where there is no memory.
  borrowing func process(
    _ input: UnsafePointer<Float>, frames inputFrames: Int,
    into output: UnsafeMutablePointer<Float>,
    frames outputFrames: Int
  ) -> (taken: Int, put: Int)? {
    var taken = 0
    var put = 0
    let error = unsafe soxr.pointee.process(handle, input, inputFrames, &taken, output, outputFrames, &put)
    return unsafe error == nil ? (taken, put) : nil
  }
}
