// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FormatSniffing
import Platform
import SystemPackage

/// A file that a decoding library has opened. Only one thread at a time may use it.
protocol OpenFile: AnyObject {
  /// The file from which the audio is read.
  var file: RegularFile { get }
  /// The sample rate in Hz, as the file states it.
  var sampleRate: Int { get }
  /// The number of samples in a frame, as the file states it.
  var channels: Int { get }
  /// How the file encodes its samples.
  var coding: SampleCoding { get }
  /// The number of frames that the file claims to contain; `nil` if it is unknown.
  var frameCount: Int64? { get }
  /// The bit rate of the encoded audio, in bits per second; `nil` if it is unknown.
  var bitRate: Int? { get }
  var library: DecodingLibrary { get }

  /// Reads interleaved frames into `buffer`; returns their number, 0 at the end or if reading cannot continue.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int
  /// Whether seeking works after reading has ended.
  var seeksAtEnd: Bool { get }
  /// Seeks to `frame`. If it returns `false`, the library has failed, and the file must be reopened.
  func seek(toFrame frame: Int64) -> Bool
  /// Returns what is wrong if reading has ended at the frame `position`; `nil` if nothing is wrong.
  func problem(at position: Int64) -> StreamProblem?
}

extension OpenFile {
  var seeksAtEnd: Bool { false }

  /// Returns the format of the decoded frames; `path` is for the error.
  ///
  /// - Throws: `DecodingError` if it is out of the range of `AudioFormat`.
  func format(of path: FilePath) throws(DecodingError) -> AudioFormat {
    guard let format = AudioFormat(sampleRate: sampleRate, channels: channels, coding: coding) else {
      throw DecodingError(
        path: path, kind: .unsupported,
        reason: "has \(channels) channels at \(sampleRate) Hz, which is not supported")
    }
    return format
  }

  /// Returns the bit rate of audio encoded in `byteCount` bytes; `nil` if the number of frames is unknown.
  func bitRate(byteCount: Int64) -> Int? {
    guard let frameCount, frameCount > 0, sampleRate > 0 else { return nil }
    return Int(exactly: (Double(max(0, byteCount)) * 8 * Double(sampleRate) / Double(frameCount)).rounded())
  }
}

/// Chooses the library that decodes a file, finds the beginning of the audio in the file, and opens it.
enum SoundOpening {
  /// The first four bytes of files that libsndfile decodes.
  private static let sndfileMagics = ["RIFF", "RIFX", "RF64", "riff", "FORM", ".snd", "dns.", "caff"]

  /// Opens the regular file at `path`, or at `openPath`, which is another path to the same file.
  static func open(_ path: FilePath, openPath: FilePath? = nil) throws(DecodingError) -> any OpenFile {
    do throws(SndfileError) {
      return try open(RegularFile(openPath ?? path))
    } catch {
      throw error.decodingError(opening: path)
    }
  }

  private static func open(_ file: RegularFile) throws(SndfileError) -> any OpenFile {
    var bytes = ByteWindow(file.descriptor)
    let tags = LeadingTags(&bytes, size: file.size)
    // A tag may state its footer or its length in a non-standard way.
    for offset in [tags.end, tags.firstEnd, tags.firstEnd - 10] where offset >= 0 {
      let mark = bytes.read(at: offset, count: 4)
      if mark.elementsEqual("fLaC".utf8) { return try openFLAC(file, from: offset) }
      if mark.elementsEqual("OggS".utf8) { return try openOgg(file, from: offset, &bytes) }
      if sndfileMagics.contains(where: { mark.elementsEqual($0.utf8) }) {
        let header = PCMHeader(&bytes, at: offset, size: file.size)
        return try SndfileSound(
          BufferedFile(file, from: offset, patches: header.patches), statedFrames: header.missedFrames)
      }
    }
    let format = FormatSignature(size: file.size) { file.descriptor.bytes(at: $0, count: $1) }?.format
    if format?.use == .playedByFFmpeg { throw SndfileError(code: SndfileError.unsupported) }
    let isUnknown = format.map { $0.use == .none } ?? true
    if isUnknown, let start = bytes.startOfAudio(from: tags.end) {
      return start.isOgg ? try openOgg(file, from: start.offset, &bytes) : try openFLAC(file, from: start.offset)
    }
    if format == .rawFLAC { return try FLACSound(BufferedFile(file, from: tags.end), isOgg: false) }
    // Anything that is not audio, such as text, may precede MPEG frames.
    if isUnknown || [.mp1, .mp2, .mp3].contains(format), let start = MPEGStart(in: file) {
      return try openMPEG(file, start)
    }
    return try SndfileSound(BufferedFile(file))
  }

  /// Opens the FLAC stream at `start`. If its metadata is flawed, so that libFLAC finds no frame after it, libFLAC
  /// searches for the first frame right after the stream information.
  private static func openFLAC(_ file: RegularFile, from start: Int64) throws(SndfileError) -> FLACSound {
    let sound = try FLACSound(BufferedFile(file, from: start), isOgg: false)
    let (frameStart, overflows) = start.addingReportingOverflow(sound.soundStart)
    let frame = overflows ? [] : file.descriptor.bytes(at: frameStart, count: 2)
    if frame == [0xFF, 0xF8] || frame == [0xFF, 0xF9] { return sound }
    // The header of the stream information, if it is the first block as it should be.
    guard file.descriptor.bytes(at: start + 4, count: 4) == [0, 0, 0, 34] else { return sound }
    let lastBlock = BufferedFile.Patch(offset: 4, bytes: [0x80])
    return try FLACSound(BufferedFile(file, from: start, patches: [lastBlock]), isOgg: false, isMetadataSkipped: true)
  }

  /// Opens the MPEG stream that begins at `start`. If its encoder was iTunes, which states its delay in a comment, the
  /// sound is that between the delay and the padding.
  private static func openMPEG(_ file: RegularFile, _ start: MPEGStart) throws(SndfileError) -> any OpenFile {
    if !start.statesDelay, let comment = ITunesComment.text({ file.descriptor.bytes(at: $0, count: $1) }),
      let numbers = ITunesGapless(comment)
    {
      let sound = try MPEGSound(file, start, isWhole: true)
      let recording = sound.frameCount.flatMap { numbers.recording(inMP3Of: $0, frameLength: sound.frameLength) }
      if let recording { return try TrimmedSound(sound, start: recording.start, count: recording.count) }
    }
    return try MPEGSound(file, start)
  }

  private static func openOgg(
    _ file: RegularFile, from start: Int64, _ bytes: inout ByteWindow
  ) throws(SndfileError) -> any OpenFile {
    let starts = OggLinks.starts(&bytes, from: start, size: file.size)
    guard starts.count > 1 else { return try openLink(file, from: start, to: nil, countsFrames: true) }
    return try ChainedSound(file, starts)
  }

  /// Opens one stream of an Ogg file, from offset `start` up to `end`, or to the end of the file if `end` is `nil`. If
  /// `countsFrames` is set, an unknown length is determined, which takes time.
  static func openLink(
    _ file: RegularFile, from start: Int64, to end: Int64?, countsFrames: Bool = false
  ) throws(SndfileError) -> any OpenFile {
    var bytes = ByteWindow(file.descriptor)
    let packet = OggPage(&bytes, at: start).map { bytes.read(at: start + $0.bodyOffset, count: 5) } ?? []
    if packet.elementsEqual([0x7F] + Array("FLAC".utf8)) {
      return try FLACSound(
        BufferedFile(file, from: start, to: end), isOgg: true, countsFrames: countsFrames)
    }
    let patches = OpusHead.patches(&bytes, at: start)
    return try SndfileSound(BufferedFile(file, from: start, to: end, patches: patches))
  }
}

/// The tags at the beginning of a file: ID3v2, and other tags that belong after the audio but precede it.
struct LeadingTags {
  /// The offset at which the tags end according to their own lengths; may be beyond the end of the file.
  private(set) var end: Int64 = 0
  private(set) var lastStart: Int64 = 0
  /// The end of the first tag, an ID3v2 tag, according to its header alone, since the tag may be wrong about having a
  /// footer.
  private(set) var firstEnd: Int64 = 0

  /// The maximum number of tags to read.
  private static let limit = 1_000

  /// Finds the tags at the beginning, or at the offset `start`, of a file of `size` bytes that `bytes` reads.
  init(_ bytes: inout ByteWindow, size: Int64, from start: Int64 = 0) {
    end = start
    lastStart = start
    for number in 0..<Self.limit {
      let head = bytes.read(at: end, count: 16)
      guard let length = Self.length(head) else { break }
      lastStart = end
      end += length
      if number == 0 { firstEnd = end }
      if end >= size { break }
    }
  }

  /// Whether `bytes` starts with the mark of a tag: ID3, APE or Lyrics3.
  static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
    ["ID3", "TAG", "APET", "LYRI"].contains { bytes.starts(with: $0.utf8) }
  }

  /// Returns the length of the tag that begins with `head`; `nil` if no tag does.
  private static func length(_ head: ArraySlice<UInt8>) -> Int64? {
    let head = Array(head)
    guard head.count == 16 else { return nil }
    if head.starts(with: "ID3".utf8) {
      // ID3v2.4.0, sections 3.1 and 3.4: seven bits of each byte, and possibly a footer.
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
    // ID3v1, which has a fixed length.
    if head.starts(with: "TAG".utf8) { return 128 }
    // The header of an APEv2 tag: the length does not include the header itself.
    if head.starts(with: "APETAGEX".utf8) {
      return 32 + head[12...15].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    return nil
  }
}

extension ByteWindow {
  /// The maximum number of bytes that may precede a FLAC or Ogg stream.
  private static let junkLimit = 1 << 16

  /// Returns the offset at which a FLAC or Ogg stream begins, after something that is not audio; `nil` if none does.
  fileprivate mutating func startOfAudio(from start: Int64) -> (offset: Int64, isOgg: Bool)? {
    let bytes = read(at: start, count: Self.junkLimit)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "f") || bytes[index] == UInt8(ascii: "O") {
      let rest = bytes[index...]
      let offset = start + Int64(index - bytes.startIndex)
      // The stream information of FLAC is the first block, and has a fixed length.
      if rest.starts(with: "fLaC".utf8), rest.dropFirst(5).starts(with: [0, 0, 34]) { return (offset, false) }
      if OggPage(rest)?.isBeginning == true { return (offset, true) }
    }
    return nil
  }
}
