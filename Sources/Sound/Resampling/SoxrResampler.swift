// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CSoxr

/// A resampler based on soxr: very high quality, linear phase, single-threaded. Only one thread at a time may use it.
///
/// The output does not depend on how the stream is divided into blocks. The caller must not pass NaN or infinities: a
/// single one would destroy everything within the length of the filter. Memory may be allocated when blocks become
/// larger. If memory runs out, the rest of the stream is silence of the right length.
public final class SoxrResampler: Resampler {
  private let soxr: SoxrHandle
  private let from: Int
  private let to: Int
  private let channels: Int
  private let silence: [Float]
  private var framesIn = 0
  private var framesOut = 0
  private var hasFailed = false

  /// The number of frames of silence to pass at a time after the end.
  private static let silentFrames = 1024

  /// Creates a resampler between two of `AudioFormat.sampleRates`, in Hz, for frames of one of
  /// `AudioFormat.channelCounts`; returns `nil` if a value is out of range or memory runs out.
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

  /// Creates a resampler; can be used as a `ResamplerFactory`.
  public static func make(from: Int, to: Int, channels: Int) -> (any Resampler)? {
    SoxrResampler(from: from, to: to, channels: channels)
  }

  /// Resamples frames of `input` into `output`; returns the numbers of frames consumed and produced.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    let result = unsafe pass(input, into: output)
    framesIn += result.consumed
    framesOut += result.produced
    return result
  }

  /// Writes frames that are left after the end of the stream to `output`; returns their number, 0 when none are left.
  public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    let room = min(output.count / channels, outputFrameCount - framesOut)
    var produced = 0
    while produced < room {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: output[(produced * channels)..<(room * channels)])
      let step = unsafe silence.withUnsafeBufferPointer { unsafe pass($0, into: rest) }
      if step.consumed == 0, step.produced == 0 { hasFailed = true }
      if hasFailed { unsafe rest.update(repeating: 0) }
      produced = hasFailed ? room : produced + step.produced
    }
    framesOut += max(0, produced)
    return max(0, produced)
  }

  /// The total number of output frames for the input so far, rounded.
  private var outputFrameCount: Int {
    let (whole, rest) = framesIn.quotientAndRemainder(dividingBy: from)
    return whole * to + (2 * rest * to + from) / (2 * from)
  }

  /// Passes frames to soxr, but no more than are needed to fill `output`, so that nothing accumulates in soxr.
  private func pass(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    let frames = input.count / channels
    let room = output.count / channels
    guard let source = input.baseAddress, let target = output.baseAddress, room > 0, !hasFailed
    else {
      return (hasFailed ? frames : 0, 0)
    }
    var consumed = 0
    var produced = 0
    // Start with the frames that are ready: if they fill the output, no input is consumed.
    var offered = 0
    repeat {
      let step = unsafe soxr.process(
        source + consumed * channels, frames: offered, into: target + produced * channels,
        frames: room - produced)
      guard let step else {
        hasFailed = true
        return (frames, produced)
      }
      consumed += step.consumed
      produced += step.produced
      if offered > 0, step.consumed == 0, step.produced == 0 { break }
      offered = frames - consumed
    } while produced < room && offered > 0
    return (consumed, produced)
  }
}

/// An open soxr resampler, deleted when this value is released. Only one thread at a time may use it.
@safe
struct SoxrHandle: ~Copyable {
  private let soxr: UnsafePointer<SoxrLibrary>
  private let handle: soxr_t

  /// Creates a resampler of very high quality (28 bits, linear phase) that works on the calling thread; returns `nil`
  /// if soxr is missing or fails.
  ///
  /// Without roll-off, the lowest 91 % of the band passes unchanged; soxr's default roll-off attenuates 19 kHz by
  /// 0.003 dB.
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

  /// Consumes at most `inputFrames` frames and produces at most `outputFrames`; returns `nil` if memory runs out.
  borrowing func process(
    _ input: UnsafePointer<Float>, frames inputFrames: Int,
    into output: UnsafeMutablePointer<Float>,
    frames outputFrames: Int
  ) -> (consumed: Int, produced: Int)? {
    var consumed = 0
    var produced = 0
    let error = unsafe soxr.pointee.process(handle, input, inputFrames, &consumed, output, outputFrames, &produced)
    return unsafe error == nil ? (consumed, produced) : nil
  }
}
