// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import SystemPackage

/// A piece of decoded audio: a frame in FFmpeg's sense. (Everywhere else, a frame is one sample of every channel.)
struct DecodedPiece: Equatable {
  /// The format of the samples, by FFmpeg.
  let sampleFormat: AVSampleFormat
  /// The sample rate, in Hz.
  let sampleRate: Int64
  let channels: Int
  let count: Int64
  /// The timestamp of the first frame, in units of the stream's time base; `nil` if there is none.
  let timestamp: Int64?
  /// The number of frames to skip at the beginning, as the container states it.
  let skippedAtStart: Int64
  /// The number of frames to skip at the end, as the container states it.
  let skippedAtEnd: Int64

  /// Whether audio in this format can be played.
  var isSupported: Bool {
    PieceSamples.supports(sampleFormat) && SoundFile.sampleRates.contains(sampleRate)
      && SoundFile.channelCounts.contains(channels)
  }

  /// Whether the samples of both pieces have the same format.
  func hasFormat(of other: DecodedPiece) -> Bool {
    sampleFormat == other.sampleFormat && sampleRate == other.sampleRate && channels == other.channels
  }
}

/// Decodes a file piece by piece. Only one thread may use it.
final class PieceReader {
  let demuxer: AudioDemuxer
  private(set) var codec: CodecState
  /// Whether anything so far could not be decoded. After a seek, decoders may have to skip to where they can start.
  var isDamaged: Bool { hasFailed && (hasPiece || !hasSought) || demuxer.endError != nil }
  private var hasFailed = false
  private var hasPiece = false
  private var hasSought = false
  /// The number of packets that were read since the file was opened.
  private(set) var packetCount: Int64 = 0
  /// Whether the last packet was passed to the decoder.
  private var isDraining = false
  /// The timestamp before which packets are not decoded.
  private var startTimestamp = -FileNumber.limit

  /// Opens the audio in the file of `descriptor`, which still belongs to the caller.
  ///
  /// - Throws: `DecodingRefusal` if the file cannot be decoded.
  convenience init(_ descriptor: FileDescriptor, onProgress: @escaping () -> Void = {}) throws(DecodingRefusal) {
    // FFmpeg would write to standard error.
    av_log_set_level(AV_LOG_QUIET)
    var demuxer = try AudioDemuxer(descriptor, onProgress: onProgress)
    if demuxer.needsSimpleEditList {
      demuxer = try AudioDemuxer(descriptor, options: AudioDemuxer.simpleEditList, onProgress: onProgress)
    }
    try self.init(demuxer)
  }

  /// Opens a decoder for the packets of `demuxer`.
  ///
  /// - Throws: `DecodingRefusal` if FFmpeg has no decoder for the codec.
  init(_ demuxer: AudioDemuxer) throws(DecodingRefusal) {
    self.demuxer = demuxer
    codec = try CodecState(demuxer)
  }

  /// Decodes the next piece; returns `nil` at the end.
  func next() -> DecodedPiece? {
    while true {
      let code = codec.receive()
      if code == 0 {
        let piece = codec.piece
        guard piece.count > 0 else { continue }
        if !hasPiece, hasSought { hasFailed = false }
        hasPiece = true
        return piece
      } else if code == SegueAVErrorAgain, !isDraining {
        send()
      } else if code == SegueAVErrorAgain || code == SegueAVErrorEnd {
        return nil
      } else {
        hasFailed = true
        if isDraining { return nil }
        send()
      }
    }
  }

  /// Passes the next packet to the decoder, or the end.
  private func send() {
    let skipped = -FileNumber.limit..<startTimestamp
    let code = unsafe demuxer.withNextPacket { packet in
      unsafe skipped.contains(packet.pointee.pts) ? 0 : send(packet)
    }
    guard let code else {
      isDraining = true
      _ = unsafe codec.send(nil)
      return
    }
    packetCount += 1
    if code < 0, code != SegueAVErrorEnd { hasFailed = true }
  }

  /// Passes `packet` to the decoder; returns FFmpeg's error number, or 0.
  private func send(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
    let code = unsafe codec.send(packet)
    // Of FLAC, a decoder decodes only the depth of its header, or of its first packet. FFmpeg does not pass on the
    // header of a stream that follows in Ogg.
    guard code == SegueAVErrorInvalidData, codec.isFLAC, demuxer.containerName == "ogg",
      let other = try? CodecState(demuxer, usesHeader: false), unsafe other.send(packet) == 0
    else { return code }
    codec = other
    return 0
  }

  /// Continues with a packet at `timestamp` or before it; returns whether the file could be positioned.
  func seek(to timestamp: Int64) -> Bool {
    guard demuxer.seek(to: timestamp) else { return false }
    codec.flush()
    isDraining = false
    (hasPiece, hasSought) = (false, true)
    return true
  }

  /// Lets the next pieces be those of the packets from `timestamp` on; what comes before is read, but not decoded.
  func skipPackets(before timestamp: Int64) { startTimestamp = max(timestamp, -FileNumber.limit) }

  /// Reads up to `count` packets without decoding them; returns their number, which is less at the end.
  func skipPackets(_ count: Int64 = .max) -> Int64 {
    hasSought = true
    var skipped: Int64 = 0
    while skipped < count, unsafe demuxer.withNextPacket({ _ in true }) != nil { skipped += 1 }
    packetCount += skipped
    return skipped
  }
}

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
