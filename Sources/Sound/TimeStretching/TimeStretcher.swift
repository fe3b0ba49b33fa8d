// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CRubberBand

/// Plays audio faster or slower at the same pitch, with Rubber Band. It has the form of a resampler, whose ratio is the
/// speed. Only one thread at a time may use it.
///
/// The output does not depend on how the stream is divided into blocks. The caller must not pass NaN or infinities.
/// Memory is allocated only in the beginning. If the library delivers too little, the rest is silence of the right
/// length.
public final class TimeStretcher: Resampler {
  /// The number of frames that the library gets at a time: its arithmetic depends on it.
  private static let pieceFrames = 1024
  /// The sample rates that the library knows. Beyond them, it analyses shorter or longer pieces than it would choose.
  private static let sampleRates = 8_000...192_000

  private let handle: StretcherHandle
  private let speed: Double
  private let channels: Int
  /// The next frames for the library, channel by channel.
  private var input: [Float]
  private var gatheredFrames = 0
  /// Room for frames from the library, channel by channel.
  private var output: [Float]
  /// Stretched frames that have not been asked for yet.
  private var ready: [Float] = []
  private var readyStart = 0
  /// The number of frames from the library that precede the first one.
  private var skippedFrames: Int
  private var framesIn = 0
  private var framesOut = 0
  private var isFinishing = false

  /// Whether the library is installed. Loads it; can be called from any thread.
  public static var isAvailable: Bool { unsafe RubberBandLibraryLoad() != nil }

  /// Creates a stretcher for frames of one of `AudioFormat.channelCounts`; returns `nil` if the library is missing,
  /// memory runs out, or a value is out of range.
  public init?(speed: PlaybackSpeed, sampleRate: Int, channels: Int) {
    guard AudioFormat.sampleRates.contains(sampleRate), AudioFormat.channelCounts.contains(channels),
      let handle = StretcherHandle(
        speed: speed.factor, sampleRate: min(max(sampleRate, Self.sampleRates.lowerBound), Self.sampleRates.upperBound),
        channels: channels, maximumFrames: Self.pieceFrames)
    else { return nil }
    skippedFrames = handle.startDelay
    self.handle = handle
    self.speed = speed.factor
    self.channels = channels
    input = [Float](repeating: 0, count: Self.pieceFrames * channels)
    output = input
    // The silence with which the input begins.
    let pad = self.handle.startPad
    for _ in 0..<(pad / Self.pieceFrames) { feed(frames: Self.pieceFrames) }
    gatheredFrames = pad % Self.pieceFrames
  }

  /// Creates a stretcher; can be used as a `StretcherFactory`.
  public static func make(_ speed: PlaybackSpeed, sampleRate: Int, channels: Int) -> (any Resampler)? {
    TimeStretcher(speed: speed, sampleRate: sampleRate, channels: channels)
  }

  /// Stretches frames of `input` into `output`; returns the numbers of frames consumed and produced.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    let frames = input.count / channels
    var consumed = 0
    var produced = 0
    while true {
      // Nothing comes out before it went in.
      let limit = Int(Double(framesIn) / speed) - framesOut
      produced += unsafe takeReady(into: output, from: produced, atMost: limit)
      guard consumed < frames, produced < output.count / channels else { return (consumed, produced) }
      let count = min(frames - consumed, Self.pieceFrames - gatheredFrames)
      for frame in 0..<count {
        for channel in 0..<channels {
          self.input[channel * Self.pieceFrames + gatheredFrames + frame] =
            unsafe input[(consumed + frame) * channels + channel]
        }
      }
      (gatheredFrames, consumed, framesIn) = (gatheredFrames + count, consumed + count, framesIn + count)
      if gatheredFrames == Self.pieceFrames { feed(frames: Self.pieceFrames) }
    }
  }

  /// Writes frames that are left after the end of the stream to `output`; returns their number, 0 when none are left.
  public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    if !isFinishing {
      isFinishing = true
      feed(frames: gatheredFrames)
    }
    let due = Int((Double(framesIn) / speed).rounded()) - framesOut
    let room = min(output.count / channels, due)
    let produced = unsafe takeReady(into: output, from: 0, atMost: room)
    guard produced < room else { return produced }
    unsafe UnsafeMutableBufferPointer(rebasing: output[(produced * channels)..<(room * channels)]).update(repeating: 0)
    framesOut += room - produced
    return room
  }

  /// Moves at most `limit` stretched frames to `output`, after its first `start` frames; returns their number.
  private func takeReady(into output: UnsafeMutableBufferPointer<Float>, from start: Int, atMost limit: Int) -> Int {
    let count = max(0, min((ready.count - readyStart) / channels, output.count / channels - start, limit))
    guard count > 0 else { return 0 }
    let end = readyStart + count * channels
    _ = unsafe UnsafeMutableBufferPointer(rebasing: output[(start * channels)...])
      .update(fromContentsOf: ready[readyStart..<end])
    readyStart = end
    if readyStart == ready.count {
      ready.removeAll(keepingCapacity: true)
      readyStart = 0
    }
    framesOut += count
    return count
  }

  /// Passes the gathered frames to the library, and takes everything that it has stretched.
  private func feed(frames: Int) {
    gatheredFrames = 0
    unsafe input.withUnsafeBufferPointer {
      unsafe handle.process($0, stride: Self.pieceFrames, channels: channels, frames: frames, isFinal: isFinishing)
    }
    while true {
      let count = unsafe output.withUnsafeMutableBufferPointer {
        unsafe handle.retrieve(into: $0, stride: Self.pieceFrames, channels: channels)
      }
      guard count > 0 else { return }
      let skipped = min(count, skippedFrames)
      skippedFrames -= skipped
      for frame in skipped..<count {
        for channel in 0..<channels { ready.append(output[channel * Self.pieceFrames + frame]) }
      }
    }
  }
}

/// An open stretcher of Rubber Band, deleted when this value is released. Only one thread at a time may use it.
///
/// It gets and returns frames in one buffer for all channels; `stride` is the number of samples from one channel to the
/// next.
@safe
private struct StretcherHandle: ~Copyable {
  private let library: UnsafePointer<RubberBandLibrary>
  private let state: OpaquePointer

  init?(speed: Double, sampleRate: Int, channels: Int, maximumFrames: Int) {
    guard let library = unsafe RubberBandLibraryLoad() else { return nil }
    // The finer engine with the shorter window takes a quarter of the time of the longer one, so that 192 kHz can be
    // played three times as fast. Its voices and transients are as good.
    let options =
      CRubberBandOptionProcessRealTime | CRubberBandOptionEngineFiner | CRubberBandOptionWindowShort
      | CRubberBandOptionChannelsTogether
    let state = unsafe library.pointee.create(UInt32(sampleRate), UInt32(channels), Int32(options), 1 / speed, 1)
    guard let state = unsafe state else { return nil }
    unsafe library.pointee.setMaximumSize(state, UInt32(maximumFrames))
    unsafe self.library = unsafe library
    unsafe self.state = unsafe state
  }

  deinit { unsafe library.pointee.destroy(state) }

  var startPad: Int { unsafe Int(library.pointee.startPad(state)) }
  var startDelay: Int { unsafe Int(library.pointee.startDelay(state)) }

  /// Passes the first `frames` frames of `input` to the stretcher.
  borrowing func process(
    _ input: UnsafeBufferPointer<Float>, stride: Int, channels: Int, frames: Int, isFinal: Bool
  ) {
    guard let start = input.baseAddress else { return }
    unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: channels) { pointers in
      for channel in 0..<channels { unsafe pointers.initializeElement(at: channel, to: start + channel * stride) }
      unsafe library.pointee.process(state, pointers.baseAddress, UInt32(frames), isFinal ? 1 : 0)
    }
  }

  /// Moves stretched frames to `output`, at most `stride`; returns their number.
  borrowing func retrieve(into output: UnsafeMutableBufferPointer<Float>, stride: Int, channels: Int) -> Int {
    let count = unsafe min(Int(library.pointee.available(state)), stride)
    guard count > 0, let start = output.baseAddress else { return 0 }
    return unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: channels) { pointers in
      for channel in 0..<channels { unsafe pointers.initializeElement(at: channel, to: start + channel * stride) }
      return unsafe Int(library.pointee.retrieve(state, pointers.baseAddress, UInt32(count)))
    }
  }
}
