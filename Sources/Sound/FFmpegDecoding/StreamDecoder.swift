// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
public import DecodingProtocol

/// The reason why an address does not lead to one stream of audio.
public enum StreamFailure: Error {
  /// It cannot be played.
  case refused(DecodingRefusal)
  /// It leads to a list of streams that are to be played one after the other.
  case list([ListedStream])
}

/// A decoder of what a server sends, with FFmpeg's libraries: a station, or a file. Only one thread may use it.
final class StreamDecoder: SoundFileDecoder {
  /// The maximum number of lists that lead to other lists.
  private static let listDepthLimit = 4
  /// The maximum number of entries of a list that are tried.
  private static let entryLimit = 8
  /// How much to decode before the wanted frame after packets that were skipped, in frames, since lossy codings refer
  /// to earlier pieces.
  private static let preroll: Int64 = 8_192

  /// The format of the audio, and its length if it has one.
  private(set) var description: SoundDescription
  /// What ended the stream; `nil` if a file has ended.
  private(set) var failure: DecodingRefusal?
  /// The number of the next frame that ``read(into:)`` returns.
  private(set) var position: Int64 = 0
  var picture: [UInt8]? { reader.demuxer.picture(limit: DecodingBlock.contentLimit) }
  /// What the server says of itself, and of the last frames.
  private(set) var names: SourceNames?

  private let wait: NetworkWait
  private var reader: PieceReader
  /// The first piece in the present format.
  private var first: DecodedPiece
  /// The frames that are the recording, if the container is MP4; otherwise its packets say it.
  private let trim: SoundTrim?
  /// The number of frames to leave out before the next one.
  private var surplus: Int64 = 0
  /// The next frame of the last piece, and the number of frames that are left of it.
  private var rest: (offset: Int64, count: Int64)
  private var hasEnded = false
  /// The first piece in another format, before which the audio has ended.
  private var next: DecodedPiece?
  /// Whether the audio has continued in another format.
  private var hasContinued = false

  /// Connects to the server of `address`, which may send a list of streams instead.
  ///
  /// - Throws: ``StreamFailure`` if the server cannot be reached, or if it sends no audio, or a list of several parts.
  init(address: String, wait: NetworkWait) throws(StreamFailure) {
    ServerConnection.readLog()
    self.wait = wait
    wait.begin()
    (reader, first) = try Self.open(address, wait)
    let demuxer = reader.demuxer
    trim = Self.trim(demuxer, first)
    let frameCount = demuxer.isEndless ? nil : trim?.count ?? demuxer.frameCount(atRate: first.sampleRate)
    let (coding, bits) = reader.codec.coding(of: first.sampleFormat)
    description = SoundDescription(
      sampleRate: UInt32(clamping: first.sampleRate), channels: UInt32(clamping: first.channels), coding: coding,
      bits: UInt32(bits), frameCount: frameCount, bitRate: demuxer.bitRate ?? demuxer.announcedBitRate,
      isSeekable: demuxer.isSeekable && !demuxer.isEndless, isEndless: demuxer.isEndless, codec: reader.codec.name)
    rest = (0, 0)
    surplus = trim?.start ?? 0
    accept(first)
    readNames()
  }

  /// Returns the trim of an MP4 file on a server, whose index another connection reads; `nil` if it is unknown.
  private static func trim(_ demuxer: AudioDemuxer, _ first: DecodedPiece) -> SoundTrim? {
    // Where the server sends no parts, the index says nothing of an edit list that trims no beginning.
    guard demuxer.isMP4, demuxer.isSeekable || first.timestamp ?? 0 < 0,
      let unedited = demuxer.again(options: SoundTrim.unedited, readsHeaderAlone: true)
    else { return nil }
    return SoundTrim(mp4: demuxer, first: first, unedited: unedited) { unedited.bytes(at: $0, count: $1) }
  }

  private func readNames() {
    names = SourceNames(reader.demuxer)
    _ = reader.demuxer.takeTagChange()
    reader.demuxer.forgetStreamTags()
  }

  /// Connects to the server of `address`; follows a list to the first of its entries that sends audio. Returns a reader
  /// and the first piece of audio.
  ///
  /// - Throws: ``StreamFailure`` if there is no audio, or if it comes in several parts.
  private static func open(
    _ address: String, _ wait: NetworkWait, depth: Int = 0
  ) throws(StreamFailure) -> (PieceReader, DecodedPiece) {
    let list: StreamList
    do throws(DecodingRefusal) {
      let connection = try ServerConnection(address, wait)
      switch StreamFormat.beginning(of: connection) {
      case .audio(let demuxer):
        var opened = try AudioDemuxer(connection, demuxer: demuxer, wait: wait)
        if opened.needsSimpleEditList, let simple = opened.again(options: AudioDemuxer.simpleEditList) {
          opened = simple
        }
        let reader = try PieceReader(opened)
        return (reader, try firstPiece(of: reader))
      case .text: list = try StreamList(connection.read(StreamList.byteLimit + 1), from: connection.address)
      }
    } catch {
      throw .refused(wait.refusal ?? error)
    }
    if list.isSequence { throw .list(list.entries) }
    guard depth < listDepthLimit else {
      throw .refused(DecodingRefusal(.unsupported, "sends lists that only lead to further lists"))
    }
    var failure: DecodingRefusal?
    for entry in list.entries.prefix(entryLimit) where wait.refusal == nil {
      do throws(StreamFailure) {
        return try open(entry.address, wait, depth: depth + 1)
      } catch {
        guard case .refused(let refusal) = error else { throw error }
        failure = failure ?? refusal
      }
    }
    throw .refused(wait.refusal ?? failure ?? DecodingRefusal(.unsupported, "sends an empty list"))
  }

  private static func firstPiece(of reader: PieceReader) throws(DecodingRefusal) -> DecodedPiece {
    guard let first = reader.next() else { throw DecodingRefusal(.empty, "sends no audio") }
    guard first.isSupported else {
      throw DecodingRefusal(
        .unsupported, "has \(first.channels) channels at \(first.sampleRate) Hz, which is not supported")
    }
    return first
  }

  /// Waits for the next piece of audio.
  private func nextPiece() -> DecodedPiece? {
    wait.begin()
    return reader.next()
  }

  /// Fills the beginning of `buffer` with the next frames, interleaved; returns their number, 0 at the end. `buffer`
  /// has room for at least one frame.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while !hasEnded {
      let room = min(Int64(buffer.count / first.channels), (trim?.count ?? .max) - position)
      guard room > 0 else { return 0 }
      let count = min(rest.count, room)
      if count > 0 {
        unsafe reader.codec.copySamples(from: rest.offset, count: count, to: buffer)
        rest = (rest.offset + count, rest.count - count)
        position += count
        return Int(count)
      }
      advance()
    }
    return 0
  }

  private func advance() {
    guard let piece = nextPiece() else { return end(wait.refusal ?? endFailure) }
    guard piece.hasFormat(of: first) else {
      next = piece.isSupported ? piece : nil
      return end(
        piece.isSupported
          ? nil : DecodingRefusal(.unsupported, "the rest is in another format, which is not supported"))
    }
    accept(piece)
    if reader.demuxer.takeTagChange() { readNames() }
  }

  /// Makes `piece` the last one.
  private func accept(_ piece: DecodedPiece) {
    let isTrimmed = trim != nil
    let start = min(isTrimmed ? surplus : max(surplus, piece.skippedAtStart), piece.count)
    surplus = max(0, surplus - start)
    rest = (start, max(0, piece.count - start - (isTrimmed ? 0 : piece.skippedAtEnd)))
  }

  /// Continues with what follows in another format, if the audio has ended because of that.
  func continueInNextFormat() -> Bool {
    guard let piece = next else { return false }
    next = nil
    position = FileNumber.scaled(position, by: piece.sampleRate, over: first.sampleRate) ?? 0
    first = piece
    let (coding, bits) = reader.codec.coding(of: piece.sampleFormat)
    description.sampleRate = UInt32(clamping: piece.sampleRate)
    description.channels = UInt32(clamping: piece.channels)
    (description.coding, description.bits) = (coding, UInt32(bits))
    // What the container states is about its first part.
    (description.frameCount, description.isSeekable) = (nil, false)
    (hasEnded, hasContinued) = (false, true)
    // In Ogg, timestamps count frames, and what comes before the first one only serves to decode it.
    surplus = reader.demuxer.containerName == "ogg" ? max(0, -(piece.timestamp ?? 0)) : 0
    accept(piece)
    readNames()
    return true
  }

  private func end(_ failure: DecodingRefusal?) {
    self.failure = failure
    hasEnded = true
  }

  /// Why there is nothing more, unless a file has ended.
  private var endFailure: DecodingRefusal? {
    description.isEndless || reader.demuxer.isConnectionLost
      ? DecodingRefusal(.unreadable, "the connection was lost") : nil
  }

  /// Seeks to about `frame`. A stream that is not seekable continues with what the server sends, from `frame` on.
  ///
  /// - Throws: `DecodingRefusal` if the server does not send that part.
  func seek(toFrame frame: Int64) throws(DecodingRefusal) {
    // The player asks for a part in the earlier format, of which this decoder is no longer one.
    guard !hasContinued else { throw DecodingRefusal(.unreadable, "the format has changed") }
    let ahead = frame - position
    let isForward = ahead >= 0 && !hasEnded
    position = frame
    guard description.isSeekable else { return }
    guard !isForward || ahead > rest.count else { return rest = (rest.offset + ahead, rest.count - ahead) }
    (failure, hasEnded, next, surplus) = (nil, false, nil, 0)
    let wanted = frame + (trim?.start ?? 0)
    guard move(toFrame: wanted, isForward: isForward) else {
      (rest, hasEnded) = ((0, 0), true)
      throw DecodingRefusal(.unreadable, "the server does not send this part")
    }
    // Audio before the frame, as containers have pieces of up to several seconds.
    var early: Int64 = 0
    repeat {
      rest = (0, 0)
      advance()
      let reached = reader.codec.piece.timestamp.flatMap { timestamp in
        reader.demuxer.frames(inTimestamps: timestamp - (first.timestamp ?? 0), atRate: first.sampleRate)
      }
      early = max(0, reached.map { wanted - $0 } ?? 0)
    } while !hasEnded && early >= rest.count
    if !hasEnded { rest = (rest.offset + early, rest.count - early) }
  }

  /// Continues with a piece that contains `frame`, counted from the first decoded one, or that comes before it; returns
  /// whether the server sends it.
  private func move(toFrame frame: Int64, isForward: Bool) -> Bool {
    let demuxer = reader.demuxer
    guard let distance = demuxer.timestamps(inFrames: frame, atRate: first.sampleRate) else { return false }
    let timestamp = (first.timestamp ?? 0) + distance
    guard demuxer.seeksByReading else { return reader.seek(to: timestamp) }
    if !isForward {
      guard let again = demuxer.again(), let beginning = try? PieceReader(again) else { return false }
      reader = beginning
    }
    let preroll = demuxer.timestamps(inFrames: Self.preroll, atRate: first.sampleRate) ?? 0
    reader.skipPackets(before: timestamp - preroll)
    return true
  }
}
