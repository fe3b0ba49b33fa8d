// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import FormatSniffing
import SystemPackage

/// The part of the decoded frames that belongs to the recording: without those that an encoder added at its beginning
/// and its end.
struct SoundTrim: Equatable {
  /// The number of decoded frames before the first one of the recording.
  var start: Int64
  /// The number of frames of the recording; `nil` if the file does not say.
  var count: Int64?
}

/// The trim of MP4 files.
extension SoundTrim {
  init(mp4 demuxer: AudioDemuxer, first: DecodedPiece, descriptor: FileDescriptor) {
    let unedited = try? AudioDemuxer(descriptor, options: Self.unedited, readsHeaderAlone: true)
    self.init(mp4: demuxer, first: first, unedited: unedited) { descriptor.bytes(at: $0, count: $1) }
  }

  /// The options with which FFmpeg reads an MP4 file as if it had no edit list.
  static let unedited = ["ignore_editlist": "1"]

  /// Creates the trim of the audio in an MP4 file.
  ///
  /// Its beginning is stated by the edit list, otherwise by iTunes; its length by iTunes, otherwise by the edit list.
  /// If neither exists, the beginning is where the encoder puts it (``AACDelay``), and the end is that of the file. If
  /// nothing would be left, all of it is the recording.
  ///
  /// - Parameters:
  ///   - demuxer: The open file.
  ///   - first: The first decoded piece.
  ///   - unedited: The file, opened without its edit list; `nil` if that has failed.
  ///   - bytes: Returns the bytes at an offset, or fewer at the end.
  init(
    mp4 demuxer: AudioDemuxer, first: DecodedPiece, unedited: AudioDemuxer?, bytes: (Int64, Int) -> [UInt8]
  ) {
    let rate = first.sampleRate
    let whole = unedited?.duration ?? demuxer.duration
    let itunes = demuxer.tag("iTunSMPB").flatMap {
      ITunesGapless($0)?.scaled(toFit: demuxer.packetCount.map { $0 * first.count })
    }
    // A pause alone does not say where the recording begins in the media.
    let beginning = MP4Index.beginning(bytes).flatMap { $0.isDelayed && $0.mediaTime == 0 ? nil : $0 }
    // The edit list gives the samples before the recording negative timestamps, unless a pause precedes them.
    let edit = beginning.flatMap { $0.isDelayed ? $0.mediaTime : nil } ?? max(0, -(first.timestamp ?? 0))
    let isEdited = edit > 0 || beginning != nil
    let isAAC = unsafe demuxer.stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AAC
    let stated = isEdited ? demuxer.frames(inTimestamps: edit, atRate: rate) : itunes?.delay
    let start = stated ?? (isAAC && !isEdited ? AACDelay.frames(of: demuxer, pieceLength: first.count) : 0)
    let wholeCount = whole.flatMap { demuxer.frames(inTimestamps: $0, atRate: rate) }
    if let wholeCount, start >= wholeCount {
      self.init(start: 0, count: wholeCount)
      return
    }
    let rest = wholeCount.map { $0 - start }
    let edited = demuxer.duration.flatMap { edited -> Int64? in
      let isKnown = isEdited && edited != whole && !demuxer.isRoundingError(edited, of: whole.map { $0 - edit })
      return isKnown ? demuxer.frames(inTimestamps: edited, atRate: rate) : nil
    }
    self.init(start: start, count: itunes?.count ?? edited ?? rest)
  }
}

/// The delay of encoders of AAC, which is implied if an MP4 file states none.
private enum AACDelay {
  /// The delay of Apple's encoders, in frames (Apple Technical Note TN2258).
  private static let ofApple: Int64 = 2_112
  /// The delay of FAAC and of FFmpeg's encoder. No encoder of AAC has less: it is the overlap of two blocks.
  private static let ofOthers: Int64 = 1_024
  private static let blockLength: Int64 = 1_024
  private static let namesOfApple = [
    "afconvert", "apple", "coreaudio", "itunes", "qaac", "quicktime", "x lossless decoder",
  ]

  /// Returns the delay of the encoder that the file names. A file that names none is Apple's unless its index shows
  /// that it is not: Android's and those for DASH.
  ///
  /// `pieceLength` is the length of a decoded piece: in HE-AAC, the delay is in frames of the core, which has half as
  /// many.
  static func frames(of demuxer: AudioDemuxer, pieceLength: Int64) -> Int64 {
    let scale = max(1, min(2, pieceLength / blockLength))
    return scale * (isOfApple(demuxer) ? ofApple : ofOthers)
  }

  private static func isOfApple(_ demuxer: AudioDemuxer) -> Bool {
    if let encoder = demuxer.tag("encoder")?.lowercased() { return namesOfApple.contains { encoder.contains($0) } }
    let brands = ["major_brand", "compatible_brands"].compactMap(demuxer.tag)
    return demuxer.tag("com.android.version") == nil && !brands.contains { $0.contains("dash") || $0.contains("msdh") }
  }
}

extension AudioDemuxer {
  /// The units in which many edit lists state durations, per second.
  private static let editUnitsPerSecond: Int64 = 1_000

  /// Whether `duration` is `exact`, rounded to milliseconds, as in many edit lists.
  fileprivate func isRoundingError(_ duration: Int64, of exact: Int64?) -> Bool {
    guard let exact, let timescale = timestamps(inFrames: 1, atRate: 1), timescale > 0,
      abs(exact - duration) <= timescale / Self.editUnitsPerSecond + 1,
      let units = FileNumber.scaled(duration, by: Self.editUnitsPerSecond, over: timescale)
    else { return false }
    return (units - 1...units + 1).contains {
      FileNumber.scaled($0, by: timescale, over: Self.editUnitsPerSecond) == duration
    }
  }
}

extension FileDescriptor {
  /// Returns `count` bytes at `offset`, or fewer if the file ends there or cannot be read.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe (try? read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }
}

/// The numbers in the header of a Musepack file that say where the recording begins and ends. FFmpeg does not return
/// them. (Musepack SV8 specification, "Stream Header Packet"; for SV7, the header as libmpcdec reads it.)
struct MusepackHeader: Equatable {
  /// The number of frames by which the synthesis filter of every decoder delays the sound.
  private static let filterDelay: Int64 = 481
  private static let framesPerPacket: Int64 = 1_152

  let trim: SoundTrim

  /// Reads the header of the file of `descriptor`; returns `nil` if it is not one of SV7 or SV8, or if it contradicts
  /// itself.
  init?(_ descriptor: FileDescriptor) {
    let bytes = descriptor.bytes(at: 0, count: 64)
    guard bytes.count == 64, let trim = Self.trimOfSV8(bytes) ?? Self.trimOfSV7(bytes) else { return nil }
    self.trim = trim
  }

  private static func trimOfSV8(_ bytes: [UInt8]) -> SoundTrim? {
    // The first packet: its key, its size, a checksum, and the version of the stream.
    guard bytes.starts(with: "MPCKSH".utf8) else { return nil }
    var rest = bytes.dropFirst(6)
    guard number(&rest) != nil else { return nil }
    rest = rest.dropFirst(5)
    guard let count = number(&rest), let silence = number(&rest), silence <= count else { return nil }
    return SoundTrim(start: filterDelay + silence, count: count - silence)
  }

  private static func trimOfSV7(_ bytes: [UInt8]) -> SoundTrim? {
    guard bytes.starts(with: "MP+".utf8), bytes[3] & 15 == 7 else { return nil }
    let word = { (offset: Int) in (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) } }
    let all = Int64(word(4)) * framesPerPacket
    let last = word(20)
    let missing = last >> 31 == 1 ? framesPerPacket - Int64(last >> 20 & 0x7FF) : filterDelay
    guard missing >= 0, missing < all else { return nil }
    return SoundTrim(start: filterDelay, count: all - missing)
  }

  /// Removes a number from the beginning of `bytes`, seven bits of each byte; returns `nil` if it is too long.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<6 {
      guard let byte = bytes.popFirst() else { return nil }
      number = number << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }
}

/// The length in the header of a DSF file (DSF File Format Specification 1.01, "fmt chunk"). FFmpeg counts the padding
/// of the last block, too.
enum DSFHeader {
  /// Returns the number of frames that FFmpeg decodes the file of `descriptor` to; `nil` if it is not a DSF file.
  static func frameCount(_ descriptor: FileDescriptor) -> Int64? {
    let bytes = descriptor.bytes(at: 0, count: 72)
    guard bytes.count == 72, bytes.starts(with: "DSD ".utf8), bytes[28...].starts(with: "fmt ".utf8) else {
      return nil
    }
    let sampleCount = bytes[64..<72].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // It decodes eight samples of one bit to one of PCM.
    return sampleCount / 8 < UInt64(FileNumber.limit) ? Int64(sampleCount / 8) : nil
  }
}
