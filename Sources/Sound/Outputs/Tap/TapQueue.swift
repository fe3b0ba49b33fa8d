// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform

/// What was written to an output and is not audible yet.
struct TapQueue: Sendable {
  /// Frames that were written at once.
  struct Piece: Sendable {
    let format: DeviceFormat
    var bytes: ArraySlice<UInt8>
    /// The instant at which the first frame is audible.
    var start: MonotonicInstant

    var frameCount: Int { bytes.count / format.frameByteCount }

    /// How long the frames last.
    var nanoseconds: UInt64 { UInt64(Double(frameCount) * 1e9 / Double(max(1, format.sampleRate))) }

    /// Removes and returns the frames that are audible before `instant`.
    mutating func removeFrames(before instant: MonotonicInstant) -> Piece {
      let elapsed = instant > start ? instant.nanoseconds - start.nanoseconds : 0
      let count = min(frameCount, Int(Double(elapsed) * Double(format.sampleRate) / 1e9))
      let head = Piece(format: format, bytes: bytes.prefix(count * format.frameByteCount), start: start)
      bytes = bytes.dropFirst(head.bytes.count)
      start = start.advanced(byFrames: count, at: format.sampleRate)
      return head
    }
  }

  private var pieces: Deque<Piece> = []

  var isEmpty: Bool { pieces.isEmpty }

  /// Adds frames, the last of which has been audible at `end`.
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ format: DeviceFormat, endingAt end: MonotonicInstant) {
    var piece = unsafe Piece(format: format, bytes: ArraySlice(bytes), start: end)
    piece.start = MonotonicInstant(nanoseconds: end.nanoseconds - min(end.nanoseconds, piece.nanoseconds))
    pieces.append(piece)
  }

  /// Moves all frames in time, so that the last has been audible at `end`.
  mutating func move(toEndAt end: MonotonicInstant) {
    guard let last = pieces.last else { return }
    let delay = end.nanoseconds &- (last.start.nanoseconds &+ last.nanoseconds)
    for index in pieces.indices {
      pieces[index].start = MonotonicInstant(nanoseconds: pieces[index].start.nanoseconds &+ delay)
    }
  }

  mutating func removeLast(_ count: Int) {
    var rest = count
    while rest > 0, var last = pieces.popLast() {
      let removed = min(rest, last.frameCount)
      rest -= removed
      last.bytes = last.bytes.dropLast(removed * last.format.frameByteCount)
      if !last.bytes.isEmpty { pieces.append(last) }
    }
  }

  mutating func removeAll() { pieces = [] }

  /// Removes and returns the frames that are audible before `instant`, in pieces.
  mutating func removeFrames(before instant: MonotonicInstant) -> [Piece] {
    var due: [Piece] = []
    while var first = pieces.popFirst() {
      let head = first.removeFrames(before: instant)
      if !head.bytes.isEmpty { due.append(head) }
      guard first.bytes.isEmpty else {
        pieces.prepend(first)
        break
      }
    }
    return due
  }
}

extension MonotonicInstant {
  fileprivate func advanced(byFrames count: Int, at sampleRate: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds &+ UInt64(Double(count) * 1e9 / Double(max(1, sampleRate))))
  }
}

/// Converts frames to the format of the tap. Only one thread at a time may use it.
final class TapConverter {
  /// 44.1 kHz, stereo, 16 bits: what visualisers expect.
  static let format = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16)

  private let makeResampler: ResamplerFactory
  private var resampler: (from: Int, resampler: (any Resampler)?)?

  init(makeResampler: @escaping ResamplerFactory) { self.makeResampler = makeResampler }

  /// Returns the frames of `bytes` in the format of the tap. Frames that already have it are unchanged.
  func convert(_ bytes: ArraySlice<UInt8>, _ format: DeviceFormat) -> [UInt8] {
    guard format != Self.format else { return Array(bytes) }
    var samples = Self.samples(bytes, format.depth)
    if format.channels != Self.format.channels { samples = Self.mix(samples, from: format.channels) }
    if format.sampleRate != Self.format.sampleRate { samples = resample(samples, from: format.sampleRate) }
    var result = [UInt8](repeating: 0, count: samples.count * Self.format.depth.byteCount)
    let count = unsafe samples.withUnsafeBufferPointer { samples in
      unsafe result.withUnsafeMutableBytes { unsafe Self.format.depth.convert(samples, to: $0) }
    }
    return count == result.count ? result : []
  }

  private static func samples(_ bytes: ArraySlice<UInt8>, _ depth: SampleDepth) -> [Float] {
    let size = depth.byteCount
    let scale = Float(sign: .plus, exponent: 1 - 8 * size, significand: 1)
    return stride(from: bytes.startIndex, through: bytes.endIndex - size, by: size).map { start in
      var value: Int32 = 0
      // The bytes become the highest ones of 32 bits, so that the sign is right.
      for index in 0..<size {
        value |= Int32(truncatingIfNeeded: Int(bytes[start + index]) << (8 * (4 - size + index)))
      }
      return Float(value >> Int32(8 * (4 - size))) * scale
    }
  }

  private static func mix(_ samples: [Float], from channels: Int) -> [Float] {
    guard let mix = ChannelMix(from: channels, to: format.channels) else { return [] }
    var mixed = [Float](repeating: 0, count: samples.count / channels * format.channels)
    _ = unsafe samples.withUnsafeBufferPointer { samples in
      unsafe mixed.withUnsafeMutableBufferPointer { unsafe mix.apply(samples, into: $0) }
    }
    return mixed
  }

  private func resample(_ samples: [Float], from rate: Int) -> [Float] {
    if resampler?.from != rate {
      resampler = (rate, makeResampler(rate, Self.format.sampleRate, Self.format.channels))
    }
    guard let resampler = resampler?.resampler else { return [] }
    let frames = samples.count / Self.format.channels
    // A little more than needed, since the resampler may have kept some back.
    let room = (frames * Self.format.sampleRate / max(1, rate) + 4_096) * Self.format.channels
    var result = [Float](repeating: 0, count: room)
    let count = unsafe samples.withUnsafeBufferPointer { samples in
      unsafe result.withUnsafeMutableBufferPointer { unsafe resampler.process(samples, into: $0).produced }
    }
    return Array(result.prefix(count * Self.format.channels))
  }
}
