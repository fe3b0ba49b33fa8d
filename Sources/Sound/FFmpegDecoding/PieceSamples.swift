// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// Converts FFmpeg's samples to interleaved 32-bit floats, where full scale is -1.0 to 1.0. Integers of up to 24 bits
/// are represented exactly.
enum PieceSamples {
  static func supports(_ format: AVSampleFormat) -> Bool {
    [
      AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32,
      AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP,
    ].contains(format)
  }

  /// Copies `count` frames of FFmpeg's `frame`, from number `start` on, to the beginning of `target`, which has room
  /// for them. The format of `frame` must be supported.
  static func copy(
    _ frame: borrowing AVFrame, from start: Int, count: Int, to target: UnsafeMutableBufferPointer<Float>
  ) {
    let source = unsafe Source(planes: frame.extended_data, channels: Int(frame.ch_layout.nb_channels), start: start)
    let isPlanar = unsafe av_sample_fmt_is_planar(AVSampleFormat(frame.format)) != 0
    let range = unsafe UnsafeMutableBufferPointer(rebasing: target[..<(count * source.channels)])
    switch unsafe AVSampleFormat(frame.format) {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
      unsafe source.copy(UInt8.self, isPlanar: isPlanar, to: range) {
        (Float($0) - 128) / 128
      }
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
      unsafe source.copy(Int16.self, isPlanar: isPlanar, to: range) {
        Float($0) / 0x8000
      }
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
      unsafe source.copy(Int32.self, isPlanar: isPlanar, to: range) {
        Float($0) / 0x8000_0000
      }
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
      unsafe source.copy(Float.self, isPlanar: isPlanar, to: range) { $0 }
    default:
      unsafe source.copy(Double.self, isPlanar: isPlanar, to: range) {
        Float($0)
      }
    }
  }

  @safe private struct Source {
    let planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
    let channels: Int
    let start: Int

    /// Copies samples of a type until `target` is full.
    @inline(__always)
    func copy<Sample>(
      _: Sample.Type, isPlanar: Bool, to target: UnsafeMutableBufferPointer<Float>, convert: (Sample) -> Float
    ) {
      guard let planes = unsafe planes else { return }
      guard isPlanar else {
        guard let plane = unsafe planes[0] else { return }
        let samples = unsafe UnsafeRawPointer(plane).assumingMemoryBound(to: Sample.self) + start * channels
        for index in target.indices { unsafe target[index] = convert(samples[index]) }
        return
      }
      for channel in 0..<channels {
        guard let plane = unsafe planes[channel] else { return }
        let samples = unsafe UnsafeRawPointer(plane).assumingMemoryBound(to: Sample.self) + start
        var index = channel
        for number in 0..<(target.count / channels) {
          unsafe target[index] = convert(samples[number])
          index &+= channels
        }
      }
    }
  }
}
