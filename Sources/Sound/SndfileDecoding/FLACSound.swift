// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CFLAC
import Platform
import SystemPackage

/// A FLAC stream, by itself or in an Ogg container, decoded by libFLAC.
///
/// libsndfile also uses libFLAC, but ends where libFLAC could continue: after damage, or after a stated length that is
/// too small. It also rejects depths that libFLAC decodes.
@safe
final class FLACSound: OpenFile {
  let library = DecodingLibrary.flac
  /// The maximum length of silence in place of lost frames, in seconds.
  private static let silenceLimit: Int64 = 600
  /// The number of bytes at the end of a file in which its last frame is searched for: a few of the longest frames.
  private static let tailLength: Int64 = 1 << 18
  /// The number of frames that no file exceeds.
  private static let frameLimit: Int64 = 1 << 48

  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  /// The file that libFLAC reads; must outlive ``decoder``.
  private let source: BufferedFile
  private var format: (sampleRate: Int, channels: Int, bits: Int)?
  private(set) var frameCount: Int64?
  /// The offset of the first frame after the metadata, in bytes.
  private(set) var soundStart: Int64 = 0

  /// Decoded audio that has not been read yet.
  private enum Piece {
    case silence(Int64)
    case samples(ArraySlice<Float>)
  }

  private var pieces: [Piece] = []
  /// The number of the frame that libFLAC should return next.
  private var next: Int64 = 0
  /// The offset that is added to the frame numbers in the file, since these may restart.
  private var offset: Int64 = 0
  /// Whether libFLAC has reported an error since it last returned frames.
  private var isBroken = false
  /// Whether an error is expected and does not count, as after a seek.
  private var isBreakExpected = false
  /// The first frame that was lost; `nil` if there is none.
  private var damage: Int64?
  /// The first frame that is in another format; `nil` if there is none.
  private var change: Int64?
  /// Whether libFLAC knows the length that it needs for seeking.
  private var canSeek = true
  /// Whether frames are only counted, and their samples are not used.
  private var isCounting = false
  /// The numbers of the frames in the last decoded block, while frames are counted.
  private var counted: Range<Int64>?

  /// Opens the FLAC stream that `source` reads, which is in an Ogg container if `isOgg` is set. If `isMetadataSkipped`
  /// is set, other data may precede the first frame.
  ///
  /// If `countsFrames` is set, the last frame is decoded if the length is unknown or too small.
  init(
    _ source: BufferedFile, isOgg: Bool, isMetadataSkipped: Bool = false, countsFrames: Bool = true
  ) throws(SndfileError) {
    guard let decoder = unsafe FLAC__stream_decoder_new() else {
      throw SndfileError(code: SndfileError.malformed, message: "libFLAC is not available")
    }
    unsafe self.decoder = unsafe decoder
    self.source = source
    isBreakExpected = isMetadataSkipped
    let open = unsafe isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
    let status = unsafe open(
      decoder, Self.read, Self.seek, Self.tell, Self.length, Self.isAtEnd, Self.write, Self.metadata, Self.error,
      Unmanaged.passUnretained(self).toOpaque())
    if status == FLAC__STREAM_DECODER_INIT_STATUS_UNSUPPORTED_CONTAINER {
      throw SndfileError(code: SndfileError.unsupported, message: "libFLAC was built without Ogg support")
    }
    if status == FLAC__STREAM_DECODER_INIT_STATUS_OK {
      unsafe FLAC__stream_decoder_process_until_end_of_metadata(decoder)
      soundStart = decodePosition
      // If the stream lacks its first metadata block, its first frame gives the format.
      while format == nil, canContinue, unsafe FLAC__stream_decoder_process_single(decoder) != 0 {}
      if countsFrames, isLengthUnderstated { countFrames() }
    }
    guard format != nil else {
      if let failure = source.failure {
        throw SndfileError(code: SndfileError.system, message: failure.description)
      }
      throw SndfileError(code: SndfileError.malformed, message: "no stream header found")
    }
  }

  deinit { unsafe FLAC__stream_decoder_delete(decoder) }

  var file: RegularFile { source.file }
  var sampleRate: Int { format?.sampleRate ?? 0 }
  var channels: Int { format?.channels ?? 0 }
  var coding: SampleCoding { .integer(bits: format?.bits ?? 0) }
  var bitRate: Int? { bitRate(byteCount: source.length - soundStart) }

  /// Whether the stated length is unknown, or so small that even uncompressed samples would not fill the file.
  private var isLengthUnderstated: Bool {
    guard let format else { return false }
    guard let frameCount else { return true }
    return Double(frameCount) * Double(format.channels * format.bits) < Double(source.length - soundStart) * 8
  }

  /// Determines the length from the numbers of the first and the last frame, and returns to the beginning.
  private func countFrames() {
    guard restart() else { return }
    isCounting = true
    while counted == nil, decode() {}
    let start = counted?.lowerBound
    counted = nil
    _ = source.seek(max(soundStart, source.length - Self.tailLength), from: SEEK_SET)
    if unsafe FLAC__stream_decoder_flush(decoder) != 0 {
      while decode() {}
    }
    if let start, let end = counted?.upperBound, end - start > frameCount ?? 0 {
      frameCount = end - start
      canSeek = stateLength(end - start)
    }
    isCounting = false
    source.failure = nil
    _ = restart()
  }

  /// Makes the stream information state this number of frames, since libFLAC seeks by it; returns whether that is
  /// possible.
  private func stateLength(_ count: Int64) -> Bool {
    // The stream information is the first block, as it should be, and has room for the number (RFC 9639, section 8.2).
    let header = file.descriptor.bytes(at: source.start, count: 8)
    guard header.starts(with: "fLaC".utf8), header.suffix(3) == [0, 0, 34], count < 1 << 36, let format else {
      return false
    }
    let depth = UInt8(truncatingIfNeeded: (format.bits - 1) << 4)
    let bytes = [32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    source.add(BufferedFile.Patch(offset: 21, bytes: [depth | bytes[0]] + bytes[1...]))
    return true
  }

  /// Returns to the beginning, as if nothing had been decoded; returns whether that succeeded.
  private func restart() -> Bool {
    pieces = []
    next = 0
    offset = 0
    isBroken = false
    return unsafe FLAC__stream_decoder_reset(decoder) != 0
      && FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while pieces.isEmpty {
      guard decode() else { return 0 }
    }
    let room = buffer.count / channels
    switch pieces.removeFirst() {
    case .silence(let frames):
      let count = Int(min(frames, Int64(room)))
      unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * channels)]).update(repeating: 0)
      if frames > count { pieces.insert(.silence(frames - Int64(count)), at: 0) }
      return count
    case .samples(let samples):
      let part = samples.prefix(room * channels)
      _ = unsafe buffer.update(fromContentsOf: part)
      if samples.count > part.count { pieces.insert(.samples(samples.dropFirst(part.count)), at: 0) }
      return part.count / channels
    }
  }

  /// Decodes one step; returns `false` if there is nothing left to decode.
  private func decode() -> Bool {
    guard change == nil, canContinue else { return false }
    return unsafe FLAC__stream_decoder_process_single(decoder) != 0
  }

  /// Whether libFLAC has neither reached the end nor failed.
  private var canContinue: Bool {
    switch unsafe FLAC__stream_decoder_get_state(decoder) {
    case FLAC__STREAM_DECODER_SEARCH_FOR_METADATA, FLAC__STREAM_DECODER_READ_METADATA,
      FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC, FLAC__STREAM_DECODER_READ_FRAME:
      true
    default: false
    }
  }

  /// The offset of the next byte that libFLAC decodes; 0 if it is unknown.
  private var decodePosition: Int64 {
    var position: FLAC__uint64 = 0
    return unsafe FLAC__stream_decoder_get_decode_position(decoder, &position) == 0 ? 0 : Int64(clamping: position)
  }

  func seek(toFrame frame: Int64) -> Bool {
    guard canSeek, offset == 0, change == nil else { return false }
    pieces = []
    next = frame
    source.failure = nil
    isBreakExpected = true
    return unsafe FLAC__stream_decoder_seek_absolute(decoder, UInt64(max(0, frame))) != 0
  }

  func problem(at position: Int64) -> StreamProblem? {
    if let code = source.failure { return .system(code.description) }
    let missing = (frameCount ?? .max) - position
    if missing > 0, file.hasShrunk { return .shrunk }
    if let change { return .changed(at: change) }
    if missing > 0, frameCount != nil { return .truncated() }
    return damage.map { .silenced(at: $0) }
  }

  // MARK: Metadata and frames

  /// Handles the stream information, the first block of metadata.
  private func handle(_ info: FLAC__StreamMetadata_StreamInfo) {
    guard format == nil, info.sample_rate > 0 else { return }
    format = (Int(info.sample_rate), Int(info.channels), Int(info.bits_per_sample))
    frameCount = info.total_samples > 0 ? Int64(clamping: info.total_samples) : nil
  }

  /// Handles the samples of a frame; returns `false` if their format differs from that of the stream.
  private func handle(_ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>) -> Bool {
    let (count, channels) = (Int(header.blocksize), Int(header.channels))
    let number = unsafe min(Int64(clamping: header.number.sample_number), Self.frameLimit)
    if isCounting {
      counted = number..<(number + Int64(count))
      return true
    }
    let streamFormat = format ?? (Int(header.sample_rate), channels, Int(header.bits_per_sample))
    format = streamFormat
    guard Int(header.sample_rate) == streamFormat.sampleRate,
      let mix = ChannelMix(from: channels, to: streamFormat.channels)
    else {
      change = next
      return false
    }
    let lost = frames(before: number)
    // The header of a following stream does not count as damage.
    if lost > 0 || isBroken && !isBreakExpected && number > 0, damage == nil { damage = next }
    isBroken = false
    isBreakExpected = false
    next += lost + Int64(count)
    let samples = unsafe samples(planes, count: count, channels: channels, bits: Int(header.bits_per_sample))
    if lost > 0 { pieces.append(.silence(lost)) }
    if count > 0 {
      pieces.append(.samples((channels == streamFormat.channels ? samples : mixed(samples, by: mix))[...]))
    }
    return true
  }

  /// Returns the number of frames that are missing before the frame with this number in the file.
  private func frames(before number: Int64) -> Int64 {
    let missing = number - next + offset
    let limit = min(frameCount.map { max(0, $0 - next) } ?? .max, Self.silenceLimit * Int64(sampleRate))
    // A following stream counts from its own beginning; so does a stream that was cut out of the middle of another.
    guard missing >= 0, missing <= limit, next > 0 || isBroken else {
      offset = next - number
      return 0
    }
    return missing
  }

  private func samples(
    _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>, count: Int, channels: Int, bits: Int
  ) -> [Float] {
    let scale = 1 / Float(sign: .plus, exponent: bits - 1, significand: 1)
    return unsafe [Float](unsafeUninitializedCapacity: count * channels) { samples, filled in
      for channel in 0..<channels {
        guard let plane = unsafe planes[channel] else { return }
        for frame in 0..<count {
          unsafe samples[frame &* channels &+ channel] = Float(plane[frame]) * scale
        }
      }
      filled = count * channels
    }
  }

  private func mixed(_ samples: [Float], by mix: ChannelMix) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: samples.count / mix.from * mix.to) { room, filled in
      filled = unsafe samples.withUnsafeBufferPointer { unsafe mix.apply($0, into: room) } * mix.to
    }
  }

  // MARK: Callbacks

  private static func from(_ context: UnsafeMutableRawPointer?) -> FLACSound? {
    unsafe context.map { unsafe Unmanaged<FLACSound>.fromOpaque($0).takeUnretainedValue() }
  }

  private static var read: FLAC__StreamDecoderReadCallback {
    { _, buffer, count, context in
      guard let count = unsafe count, let source = unsafe FLACSound.from(context)?.source else {
        return FLAC__STREAM_DECODER_READ_STATUS_ABORT
      }
      unsafe count.pointee = unsafe Int(source.read(into: buffer, count: Int64(clamping: count.pointee)))
      if unsafe count.pointee > 0 { return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE }
      return source.failure == nil
        ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_ABORT
    }
  }

  private static var seek: FLAC__StreamDecoderSeekCallback {
    { _, offset, context in
      guard let offset = Int64(exactly: offset),
        unsafe FLACSound.from(context)?.source.seek(offset, from: SEEK_SET) == offset
      else {
        return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
      }
      return FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }
  }

  private static var tell: FLAC__StreamDecoderTellCallback {
    { _, offset, context in
      unsafe offset?.pointee = UInt64(FLACSound.from(context)?.source.position ?? 0)
      return FLAC__STREAM_DECODER_TELL_STATUS_OK
    }
  }

  private static var length: FLAC__StreamDecoderLengthCallback {
    { _, length, context in
      unsafe length?.pointee = UInt64(FLACSound.from(context)?.source.length ?? 0)
      return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
    }
  }

  /// Always returns 0: the end is where nothing can be read, since a file may grow while it is played.
  private static var isAtEnd: FLAC__StreamDecoderEofCallback { { _, _ in 0 } }

  private static var write: FLAC__StreamDecoderWriteCallback {
    { _, frame, planes, context in
      guard let frame = unsafe frame, let planes = unsafe planes, let sound = unsafe FLACSound.from(context),
        unsafe sound.handle(frame.pointee.header, planes)
      else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
      return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }
  }

  private static var metadata: FLAC__StreamDecoderMetadataCallback {
    { _, metadata, context in
      guard let metadata = unsafe metadata, unsafe metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else {
        return
      }
      unsafe FLACSound.from(context)?.handle(metadata.pointee.data.stream_info)
    }
  }

  private static var error: FLAC__StreamDecoderErrorCallback {
    { _, _, context in unsafe FLACSound.from(context)?.isBroken = true }
  }
}
