// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol

/// FFmpeg's decoder of one audio stream, and the piece that it has decoded last. Only one thread may use it.
@safe final class CodecState {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  /// The piece that was decoded last.
  private let frame: UnsafeMutablePointer<AVFrame>

  /// Opens the decoder for the stream of `demuxer`, with the header of the codec or without it.
  ///
  /// - Throws: `DecodingRefusal` if FFmpeg has no decoder for the codec.
  init(_ demuxer: AudioDemuxer, usesHeader: Bool = true) throws(DecodingRefusal) {
    let parameters = unsafe demuxer.stream.pointee.codecpar
    let codecID = unsafe parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    // FFmpeg's first choice for layer II decodes to 16 bits, with dither.
    let preferred = unsafe codecID == AV_CODEC_ID_MP2 ? avcodec_find_decoder_by_name("mp2float") : nil
    guard let decoder = unsafe preferred ?? avcodec_find_decoder(codecID) else {
      let name = unsafe String(cString: avcodec_get_name(codecID))
      throw DecodingRefusal(.unsupported, "is in a codec that FFmpeg cannot decode (\(name))")
    }
    guard let frame = unsafe av_frame_alloc() else { throw .noMemory }
    unsafe self.frame = frame
    unsafe context = avcodec_alloc_context3(decoder)
    guard let context = unsafe context else { throw .noMemory }
    unsafe avcodec_parameters_to_context(context, parameters)
    if !usesHeader {
      unsafe av_freep(&context.pointee.extradata)
      unsafe context.pointee.extradata_size = 0
    }
    unsafe context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
    unsafe context.pointee.thread_count = 1
    // Samples to skip are reported, not skipped: versions of FFmpeg differ in what they skip.
    unsafe context.pointee.flags2 |= Int32(bitPattern: UInt32(AV_CODEC_FLAG2_SKIP_MANUAL))
    unsafe context.pointee.request_sample_fmt = AV_SAMPLE_FMT_FLTP
    var options: OpaquePointer?
    defer { unsafe av_dict_free(&options) }
    // AC-3: the whole dynamic range.
    unsafe av_dict_set(&options, "drc_scale", "0", 0)
    let code = unsafe avcodec_open2(context, decoder, &options)
    guard code >= 0 else { throw DecodingRefusal(.malformed, code: code) }
  }

  deinit {
    unsafe avcodec_free_context(&context)
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  /// Passes a packet to the decoder, or the end if `packet` is `nil`; returns FFmpeg's error number, or 0.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Int32 { unsafe avcodec_send_packet(context, packet) }

  /// Decodes the next piece; returns FFmpeg's error number, or 0.
  func receive() -> Int32 { unsafe avcodec_receive_frame(context, frame) }

  var piece: DecodedPiece {
    let skipped = skippedCounts
    return unsafe DecodedPiece(
      sampleFormat: AVSampleFormat(frame.pointee.format), sampleRate: Int64(frame.pointee.sample_rate),
      channels: Int(frame.pointee.ch_layout.nb_channels), count: Int64(frame.pointee.nb_samples),
      timestamp: (-FileNumber.limit...FileNumber.limit).contains(frame.pointee.pts) ? frame.pointee.pts : nil,
      skippedAtStart: skipped.start,
      skippedAtEnd: skipped.end)
  }

  private var skippedCounts: (start: Int64, end: Int64) {
    guard let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES), unsafe data.pointee.size >= 8,
      let bytes = unsafe data.pointee.data
    else { return (0, 0) }
    let raw = UnsafeRawPointer(bytes)
    return unsafe (
      Int64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))),
      Int64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    )
  }

  /// Copies `count` frames of the last piece, from frame `start` on, to the beginning of `target`, which has room for
  /// them. Their format must be supported.
  func copySamples(from start: Int64, count: Int64, to target: UnsafeMutableBufferPointer<Float>) {
    let available = unsafe Int64(frame.pointee.nb_samples)
    precondition(start >= 0 && count >= 0 && start + count <= available)
    unsafe PieceSamples.copy(frame.pointee, from: Int(start), count: Int(count), to: target)
  }

  /// Forgets everything that was sent, before packets of another part of the file.
  func flush() { unsafe avcodec_flush_buffers(context) }

  /// The name of the codec, in FFmpeg's long form, such as "AAC (Advanced Audio Coding)".
  var name: String {
    let descriptor = unsafe context.flatMap { unsafe avcodec_descriptor_get($0.pointee.codec_id) }
    guard let name = unsafe descriptor?.pointee.long_name ?? descriptor?.pointee.name else { return "unknown" }
    return unsafe String(cString: name)
  }

  /// Whether the codec is lossless. Those that can be both count as lossy, except for WavPack, which hardly ever is.
  var isLossless: Bool {
    guard let context = unsafe context, let descriptor = unsafe avcodec_descriptor_get(context.pointee.codec_id)
    else { return false }
    let properties = unsafe descriptor.pointee.props
    let isLossy = unsafe properties & AV_CODEC_PROP_LOSSY != 0 && context.pointee.codec_id != AV_CODEC_ID_WAVPACK
    return properties & AV_CODEC_PROP_LOSSLESS != 0 && !isLossy && !isDSD
  }

  /// Whether all pieces but the last one have the same length.
  var hasUniformPieces: Bool {
    let codecID = unsafe context?.pointee.codec_id
    let codecs = [
      AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,
      AV_CODEC_ID_DTS, AV_CODEC_ID_TRUEHD, AV_CODEC_ID_MLP, AV_CODEC_ID_OPUS, AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2,
      AV_CODEC_ID_WMAPRO, AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC, AV_CODEC_ID_TTA, AV_CODEC_ID_TAK, AV_CODEC_ID_WAVPACK,
      AV_CODEC_ID_DSD_LSBF, AV_CODEC_ID_DSD_LSBF_PLANAR, AV_CODEC_ID_DSD_MSBF, AV_CODEC_ID_DSD_MSBF_PLANAR,
    ]
    return codecs.contains { $0 == codecID }
  }

  var isFLAC: Bool { unsafe context?.pointee.codec_id == AV_CODEC_ID_FLAC }

  var isDSD: Bool {
    let codecID = unsafe context?.pointee.codec_id
    let codecs = [
      AV_CODEC_ID_DSD_LSBF, AV_CODEC_ID_DSD_LSBF_PLANAR, AV_CODEC_ID_DSD_MSBF, AV_CODEC_ID_DSD_MSBF_PLANAR,
      AV_CODEC_ID_DST,
    ]
    return codecs.contains { $0 == codecID }
  }

  /// Whether decoding has to start at the beginning of the file: every sample depends on all earlier ones, or the
  /// timestamps are too coarse (Musepack SV8).
  var startsAtBeginning: Bool {
    let codecID = unsafe context?.pointee.codec_id
    let codecs = [AV_CODEC_ID_SPEEX, AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB, AV_CODEC_ID_MUSEPACK8]
    return codecs.contains { $0 == codecID }
  }

  /// Returns how the codec encodes samples that it decodes to `format`, and the number of bits in one; 0 for a lossy
  /// codec.
  func coding(of format: AVSampleFormat) -> (SoundDescription.Coding, bits: Int) {
    guard isLossless else { return (.lossy, 0) }
    switch format {
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: return (.float, 32)
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: return (.float, 64)
    default:
      let width = Int(av_get_bytes_per_sample(format)) * 8
      return (.integer, (1...width).contains(usedBits) ? usedBits : width)
    }
  }

  /// The number of bits in a sample that are used; 0 if unknown.
  private var usedBits: Int {
    guard let context = unsafe context else { return 0 }
    return unsafe Int(max(context.pointee.bits_per_raw_sample, 0))
  }
}
