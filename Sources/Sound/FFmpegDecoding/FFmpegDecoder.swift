// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import SystemPackage

/// A decoder of one audio file with FFmpeg's libraries. Only one thread may use it.
///
/// It returns the recording, without the samples that encoders add at its beginning and end; and after a seek, the
/// samples that decoding from the beginning gives, except where a coding is defined to contain noise.
final class FFmpegDecoder: SoundFileDecoder {
  /// The amount to decode before the wanted frames after a seek, since lossy codings refer to earlier pieces: at least
  /// this many frames, and this many pieces. What earlier pieces contribute halves with every piece in Opus.
  private static let preroll: (frames: Int64, pieces: Int64) = (8_192, 64)
  /// The last frame to which a seek can go.
  private static let positionLimit: Int64 = 1 << 48
  /// Seeks forward by up to this many seconds decode everything on the way.
  private static let shortSeekSeconds: Int64 = 1
  /// The length of what is played of music without an end, in seconds: what players of game music do.
  private static let endlessSeconds: Int64 = 150

  /// The format and length of the audio.
  let description: SoundDescription

  /// What ended the file early, or what was wrong with it; `nil` if nothing was. Valid after ``read(into:)`` has
  /// returned 0.
  private(set) var failure: DecodingRefusal?

  /// The number of the next frame that ``read(into:)`` returns, counted from the beginning of the recording.
  private(set) var position: Int64 = 0

  /// Whether the file contains DSD, which FFmpeg converts to PCM with ultrasonic noise.
  var isDSD: Bool { reader.codec.isDSD }

  /// The sample rates that are accepted of DSD, in Hz.
  private static let dsdSampleRates: ClosedRange<Int64> = 1...5_644_800

  private let descriptor: FileDescriptor
  private let onProgress: () -> Void
  private let trim: SoundTrim
  private let first: DecodedPiece
  private var reader: PieceReader
  /// What remains of the last piece.
  private var rest = Rest()
  /// The length of the last piece, in frames.
  private var lastLength: Int64
  /// Whether all pieces so far had the same length, except for the last one of the file.
  private var isUniform: Bool
  private var hasEnded = false

  /// The part of a piece that has not been returned.
  private struct Rest {
    /// The number of its first frame, counted from the beginning of the recording.
    var position: Int64 = 0
    /// The index of that frame in the piece.
    var offset: Int64 = 0
    var count: Int64 = 0

    /// Removes the first `wanted` frames, or as many as there are.
    mutating func removeFirst(_ wanted: Int64) {
      let removed = max(0, min(wanted, count))
      position += removed
      offset += removed
      count -= removed
    }
  }

  /// Opens the audio in the file of `descriptor`, which must stay open as long as this decoder exists.
  ///
  /// - Throws: `DecodingRefusal` if the file cannot be decoded.
  init(_ descriptor: FileDescriptor, onProgress: @escaping () -> Void) throws(DecodingRefusal) {
    self.descriptor = descriptor
    self.onProgress = onProgress
    let reader = try PieceReader(descriptor, onProgress: onProgress)
    self.reader = reader
    guard let first = reader.next() else {
      if let failure = reader.demuxer.readFailure { throw DecodingRefusal(.unreadable, failure.description) }
      throw reader.isDamaged ? DecodingRefusal(.malformed, "is damaged") : DecodingRefusal(.empty, "contains no audio")
    }
    let rates = reader.codec.isDSD ? Self.dsdSampleRates : SoundFile.sampleRates
    guard PieceSamples.supports(first.sampleFormat), rates.contains(first.sampleRate),
      SoundFile.channelCounts.contains(first.channels)
    else {
      throw DecodingRefusal(
        .unsupported, "has \(first.channels) channels at \(first.sampleRate) Hz, which is not supported")
    }
    self.first = first
    isUniform = reader.codec.hasUniformPieces
    lastLength = first.count
    trim = Self.trim(reader, first, descriptor)
    chapters = reader.demuxer.chapters
    tags = reader.demuxer.tags
    description = Self.description(
      reader, first, frameCount: Self.statedCount(reader, first, trim, descriptor, onProgress))
    accept(first, at: -trim.start)
  }

  /// The tags of the file.
  let tags: SourceTags

  let chapters: SourceMarks

  private static func trim(
    _ reader: PieceReader, _ first: DecodedPiece, _ descriptor: FileDescriptor
  ) -> SoundTrim {
    let demuxer = reader.demuxer
    if demuxer.isMP4 { return SoundTrim(mp4: demuxer, first: first, descriptor: descriptor) }
    if demuxer.containerName.hasPrefix("mpc"), let header = MusepackHeader(descriptor) { return header.trim }
    // Game music that states no length has no end.
    if demuxer.containerName == "libgme", demuxer.frameCount(atRate: first.sampleRate) == nil {
      return SoundTrim(start: 0, count: Self.endlessSeconds * first.sampleRate)
    }
    return SoundTrim(start: first.skippedAtStart, count: nil)
  }

  /// Returns the number of frames that the file states; counts the packets if it does not.
  private static func statedCount(
    _ reader: PieceReader, _ first: DecodedPiece, _ trim: SoundTrim, _ descriptor: FileDescriptor,
    _ onProgress: @escaping () -> Void
  ) -> Int64? {
    if let count = trim.count ?? DSFHeader.frameCount(descriptor) { return count }
    let demuxer = reader.demuxer
    var count = demuxer.frameCount(atRate: first.sampleRate)
    // The estimate of DSD is exact, since its bit rate is constant.
    if demuxer.isDurationEstimated, !reader.codec.isDSD,
      let counted = (try? PieceReader(descriptor, onProgress: onProgress))?.skipPackets()
    {
      count = FileNumber.scaled(counted, by: first.count, over: 1)
    }
    return count.map { max(0, $0 - trim.start) }
  }

  private static func description(
    _ reader: PieceReader, _ first: DecodedPiece, frameCount: Int64?
  ) -> SoundDescription {
    let (coding, bits) = reader.codec.coding(of: first.sampleFormat)
    return SoundDescription(
      sampleRate: UInt32(clamping: first.sampleRate), channels: UInt32(clamping: first.channels), coding: coding,
      bits: UInt32(bits), frameCount: frameCount, bitRate: reader.demuxer.bitRate, codec: reader.codec.name)
  }

  // MARK: Reading

  /// Fills the beginning of `buffer` with the next frames, interleaved; returns their number, 0 at the end. `buffer`
  /// has room for at least one frame.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while !hasEnded {
      rest.removeFirst(position - rest.position)
      let room = min(Int64(buffer.count / first.channels), (trim.count ?? .max) - position)
      guard room > 0 else { break }
      if rest.count > 0 {
        let count = min(rest.count, room)
        unsafe reader.codec.copySamples(from: rest.offset, count: count, to: buffer)
        rest.removeFirst(count)
        position += count
        return Int(count)
      }
      guard advance() else { break }
    }
    if !hasEnded { failure = endFailure }
    hasEnded = true
    return 0
  }

  /// Decodes the next piece, which follows the last one; returns `false` at the end, or where the format changes.
  private func advance() -> Bool {
    guard let piece = reader.next() else { return false }
    guard piece.hasFormat(of: first) else {
      failure = DecodingRefusal(.unsupported, "the rest of the file is in another format, and cannot be played")
      return false
    }
    accept(piece, at: rest.position + rest.count)
    return true
  }

  /// Continues with `piece`, which begins at frame `position`.
  private func accept(_ piece: DecodedPiece, at position: Int64) {
    rest = Rest(position: position, offset: 0, count: max(0, piece.count - piece.skippedAtEnd))
    isUniform = isUniform && lastLength == first.count
    lastLength = piece.count
  }

  /// What was wrong if the file has ended here; `nil` if nothing was.
  private var endFailure: DecodingRefusal? {
    if let failure { return failure }
    if let failure = reader.demuxer.readFailure { return DecodingRefusal(.unreadable, failure.description) }
    // The length of a video may be that of its pictures.
    if reader.demuxer.isMP4 || reader.demuxer.isOnlyStream,
      let missing = description.frameCount.map({ $0 - position }), missing > first.sampleRate
    {
      return DecodingRefusal(.malformed, "the file is truncated")
    }
    return reader.isDamaged ? DecodingRefusal(.malformed, "the file is damaged") : nil
  }

  // MARK: Seeking

  /// Seeks to `frame`, or to the end of the file if that is earlier.
  ///
  /// - Throws: `DecodingRefusal` if the file can no longer be decoded.
  func seek(toFrame frame: Int64) throws(DecodingRefusal) {
    let target = max(0, min(frame, trim.count ?? frame, Self.positionLimit))
    let isNear = !hasEnded && (position...position + Self.shortSeekSeconds * first.sampleRate).contains(target)
    failure = nil
    if !isNear {
      // Until it has succeeded, there is nothing to read.
      rest = Rest()
      hasEnded = true
      if !jump(to: target) { try restart() }
    }
    hasEnded = false
    position = target
  }

  /// Starts to decode a little before `target`; returns `false` if the position reached is not certain.
  private func jump(to target: Int64) -> Bool {
    let codec = reader.codec
    let preroll = codec.isLossless ? 0 : max(Self.preroll.frames, Self.preroll.pieces * first.count)
    let start = target + trim.start - preroll
    guard start > 0, !codec.startsAtBeginning else { return false }
    let reached = reader.demuxer.hasRoughTimestamps ? piece(countedTo: start) : piece(near: start)
    guard let (piece, position) = reached, piece.hasFormat(of: first), position <= max(0, target - preroll / 2) else {
      return false
    }
    lastLength = first.count
    accept(piece, at: position)
    return true
  }

  /// Decodes a piece at frame `start` of the file or before it, found by counting packets from the beginning. Returns
  /// the piece and its position; `nil` if that is not certain.
  private func piece(countedTo start: Int64) -> (DecodedPiece, position: Int64)? {
    guard isUniform, let reopened = try? PieceReader(descriptor, onProgress: onProgress) else { return nil }
    reader = reopened
    let skipped = reader.skipPackets(start / first.count)
    guard let piece = reader.next() else { return nil }
    // The decoder may need several packets for the first piece.
    return FileNumber.scaled(max(skipped, reader.packetCount - 1), by: first.count, over: 1)
      .map { (piece, $0 - trim.start) }
  }

  /// Decodes a piece at frame `start` of the file or before it, found by its timestamp. Returns the piece and its
  /// position; `nil` if that is not certain.
  private func piece(near start: Int64) -> (DecodedPiece, position: Int64)? {
    let demuxer = reader.demuxer
    guard let firstTimestamp = first.timestamp, areTimestampsExact || areTimestampsRounded,
      let distance = demuxer.timestamps(inFrames: start, atRate: first.sampleRate),
      reader.seek(to: firstTimestamp + distance), let piece = reader.next(), let timestamp = piece.timestamp
    else { return nil }
    return position(of: timestamp).map { (piece, $0) }
  }

  /// Whether timestamps are fine enough for every frame to have its own.
  private var areTimestampsExact: Bool { reader.demuxer.areTimestampsExact(atRate: first.sampleRate) }

  /// Whether timestamps are fine enough for every piece to have its own, and all pieces have the same length.
  private var areTimestampsRounded: Bool {
    isUniform && reader.demuxer.distinguishesPieces(of: first.count, atRate: first.sampleRate)
  }

  /// Returns the number of the frame at `timestamp`, counted from the beginning of the recording.
  private func position(of timestamp: Int64) -> Int64? {
    let difference = timestamp - (first.timestamp ?? 0)
    guard let distance = reader.demuxer.frames(inTimestamps: difference, atRate: first.sampleRate) else { return nil }
    guard !areTimestampsExact else { return distance - trim.start }
    // The timestamp is rounded, but pieces of one length begin at multiples of it.
    return (distance + first.count / 2) / first.count * first.count - trim.start
  }

  private func restart() throws(DecodingRefusal) {
    reader = try PieceReader(descriptor, onProgress: onProgress)
    guard let piece = reader.next(), piece.hasFormat(of: first) else {
      throw DecodingRefusal(.malformed, "changed during playback")
    }
    lastLength = first.count
    accept(piece, at: -trim.start)
  }
}
