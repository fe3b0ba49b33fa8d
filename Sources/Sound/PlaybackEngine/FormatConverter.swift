// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Converts frames of one shape to another: first the number of channels, then the sample rate. Used only on the decode
/// thread.
final class FormatConverter {
  /// The number of source frames to convert at a time.
  private static let pieceFrames = 2048

  private let from: StreamShape
  private let to: StreamShape
  private let mix: ChannelMix?
  private let resampler: (any Resampler)?
  private let resamplers: ResamplerFactory
  /// A buffer for frames of the source.
  private var raw: [Float]
  /// A buffer for frames with the channels of the stream; those in `waiting` have not been resampled yet.
  private var mixed: [Float]
  private var waiting = 0..<0
  /// The number of frames read from the sources.
  private var consumed: Int64 = 0
  /// The last frames read, with the channels of the stream.
  private var tail = StreamTail()
  /// The number of output frames to discard at the beginning: they were already played, and only feed the filter.
  private var warmUpFrames = 0
  private var sink: [Float] = []

  /// Creates a converter between two shapes; returns `nil` if the conversion is not possible.
  init?(from: StreamShape, to: StreamShape, resamplers: @escaping ResamplerFactory) {
    self.from = from
    self.to = to
    self.resamplers = resamplers
    mix = from.channels == to.channels ? nil : ChannelMix(from: from.channels, to: to.channels)
    if from.channels != to.channels, mix == nil { return nil }
    resampler =
      from.sampleRate == to.sampleRate ? nil : resamplers(from.sampleRate, to.sampleRate, to.channels)
    if from.sampleRate != to.sampleRate, resampler == nil { return nil }
    raw = [Float](repeating: 0, count: Self.pieceFrames * from.channels)
    mixed = [Float](repeating: 0, count: Self.pieceFrames * to.channels)
  }

  /// Whether the converter changes the sample rate, so that each output frame depends on its neighbours.
  var resamples: Bool { resampler != nil }

  /// The number of output frames that result from all the input so far, once the converter is drained.
  var framesDue: Int64 { rates.frames(consumed) }

  private var rates: RateConversion { RateConversion(from: from.sampleRate, to: to.sampleRate) }

  /// Feeds the resampler with `tail`, the frames that were played just before, in the shape of the stream, so that its
  /// filter does not start from silence. `next` contains the first mixed frames of the source.
  func warmUp(from tail: ArraySlice<Float>, to next: ArraySlice<Float>) {
    guard let resampler, !tail.isEmpty,
      let boundary = ResampleBoundary(tail, next, rates: rates.reversed, channels: to.channels, resamplers: resamplers)
    else { return }
    warmUpFrames = boundary.framesBefore
    var offered = boundary.before
    while !offered.isEmpty, warmUpFrames > 0 {
      let consumed = unsafe offered.withUnsafeBufferPointer { input in
        unsafe discardWarmUp { unsafe resampler.process(input, into: $0) }.consumed
      }
      guard consumed > 0 else { break }
      offered = offered.dropFirst(consumed * to.channels)
    }
  }

  /// Fills the beginning of `room` with converted frames of `reader`; returns their number, 0 at the end of the source.
  func read(from reader: SourceReader, into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let capacity = room.count / to.channels
    var filled = 0
    while filled < capacity {
      if waiting.isEmpty, !refill(from: reader) { break }
      filled += unsafe pass(
        into: UnsafeMutableBufferPointer(rebasing: room[(filled * to.channels)..<(capacity * to.channels)]))
    }
    return filled
  }

  /// Ends the input. The stream continues with the frames in `next`, at `rate` and with this converter's channels.
  func finish(before next: ArraySlice<Float>, at rate: Int) {
    guard resampler != nil, !next.isEmpty else { return }
    var next = next
    if rate != from.sampleRate {
      let boundary = ResampleBoundary(
        tail.frames(of: mixedShape), next, rates: RateConversion(from: from.sampleRate, to: rate),
        channels: to.channels, resamplers: resamplers)
      next = boundary?.after ?? []
    }
    mixed = next.map { $0.isValidSample ? $0 : 0 }
    waiting = 0..<(next.count / to.channels)
  }

  /// Fills the beginning of `room` with frames that are left in the converter; returns their number, 0 when none are
  /// left.
  func drain(into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let capacity = room.count / to.channels
    var filled = 0
    while filled < capacity, let resampler {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: room[(filled * to.channels)..<(capacity * to.channels)])
      if !waiting.isEmpty {
        filled += unsafe pass(into: rest)
      } else if warmUpFrames > 0 {
        guard unsafe discardWarmUp({ (0, unsafe resampler.finish(into: $0)) }).produced > 0 else { break }
      } else {
        let count = unsafe resampler.finish(into: rest)
        guard count > 0 else { break }
        filled += count
      }
    }
    return filled
  }

  private var mixedShape: StreamShape { StreamShape(sampleRate: from.sampleRate, channels: to.channels) }

  /// Reads and mixes the next piece of the source; returns `false` at its end.
  private func refill(from reader: SourceReader) -> Bool {
    let count = unsafe raw.withUnsafeMutableBufferPointer { unsafe reader.read(into: $0) }
    guard count > 0 else { return false }
    consumed += Int64(count)
    silenceInvalidSamples(count * from.channels)
    if let mix {
      unsafe raw.withUnsafeBufferPointer { input in
        unsafe mixed.withUnsafeMutableBufferPointer { output in
          _ = unsafe mix.apply(UnsafeBufferPointer(rebasing: input[..<(count * from.channels)]), into: output)
        }
      }
    } else {
      swap(&raw, &mixed)
    }
    waiting = 0..<count
    if resampler != nil {
      unsafe mixed.withUnsafeBufferPointer {
        unsafe tail.add(UnsafeBufferPointer(rebasing: $0[..<(count * to.channels)]), of: mixedShape)
      }
    }
    return true
  }

  /// Silences samples that would destroy the filter's state.
  private func silenceInvalidSamples(_ count: Int) {
    for index in 0..<count where !raw[index].isValidSample { raw[index] = 0 }
  }

  /// Passes waiting frames through the resampler, if any, into `room`; returns the number of output frames.
  private func pass(into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let channels = to.channels
    let (consumed, produced) = unsafe mixed.withUnsafeBufferPointer { buffer -> (Int, Int) in
      let input = unsafe UnsafeBufferPointer(
        rebasing: buffer[(waiting.lowerBound * channels)..<(waiting.upperBound * channels)])
      if let resampler {
        if warmUpFrames > 0 { return (unsafe discardWarmUp { unsafe resampler.process(input, into: $0) }.consumed, 0) }
        return unsafe resampler.process(input, into: room)
      }
      let count = min(waiting.count, room.count / channels)
      _ = unsafe room.update(fromContentsOf: input.prefix(count * channels))
      return (count, count)
    }
    waiting = (waiting.lowerBound + consumed)..<waiting.upperBound
    return produced
  }

  /// Calls `step` and discards its output, up to the length of the warm-up; returns the numbers of frames.
  private func discardWarmUp(
    _ step: (UnsafeMutableBufferPointer<Float>) -> (consumed: Int, produced: Int)
  ) -> (consumed: Int, produced: Int) {
    if sink.isEmpty { sink = [Float](repeating: 0, count: Self.pieceFrames * to.channels) }
    let room = min(warmUpFrames, Self.pieceFrames) * to.channels
    let counts = unsafe sink.withUnsafeMutableBufferPointer { sink in
      unsafe step(UnsafeMutableBufferPointer(rebasing: sink[..<room]))
    }
    warmUpFrames -= counts.produced
    return counts
  }
}

extension ChannelMix {
  func mixed(_ frames: ArraySlice<Float>) -> ArraySlice<Float> {
    let count = frames.count / from * to
    return unsafe [Float](unsafeUninitializedCapacity: count) { room, filled in
      filled = unsafe frames.withUnsafeBufferPointer { unsafe apply($0, into: room) } * to
    }[...]
  }
}
