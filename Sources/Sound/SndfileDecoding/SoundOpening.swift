import AudioCore
import FormatSniffing
import SystemPackage

/// A file that a library has open for decoding. Belongs to one thread at a time.
protocol OpenSound: AnyObject {
  /// The file that is read.
  var file: RegularFile { get }
  /// In Hz, as the file says.
  var sampleRate: Int { get }
  /// Samples in a frame, as the file says.
  var channels: Int { get }
  /// How the file keeps its samples.
  var coding: SampleCoding { get }
  /// The number of frames that the file is said to hold, or `nil` where nobody knows.
  var frameCount: Int64? { get }
  /// How many bits a second the sound takes in the file; `nil` where nothing is known of that.
  var bitRate: Int? { get }

  /// Reads frames of interleaved samples into `buffer` and gives their number, 0 at the end or where it cannot go on.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int
  /// Goes to `frame`; `false` where the library cannot, and then the file has to be reopened.
  func seek(toFrame frame: Int64) -> Bool
  /// What is wrong, where reading ended at the frame `position`; `nil` where all was as it should be.
  func problem(at position: Int64) -> StreamProblem?
}

extension OpenSound {
  /// The format of the frames of the file at `path`.
  ///
  /// - Throws: `DecodingError` where it is out of the range of `AudioFormat`.
  func format(of path: FilePath) throws(DecodingError) -> AudioFormat {
    guard let format = AudioFormat(sampleRate: sampleRate, channels: channels, coding: coding) else {
      throw DecodingError(
        path: path, kind: .unsupported,
        reason: "has \(channels) channels at \(sampleRate) Hz, which cannot be played")
    }
    return format
  }

  /// How many bits a second the sound takes that `byteCount` bytes hold.
  func bitRate(byteCount: Int64) -> Int? {
    guard let frameCount, frameCount > 0, sampleRate > 0 else { return nil }
    return Int(exactly: (Double(max(0, byteCount)) * 8 * Double(sampleRate) / Double(frameCount)).rounded())
  }
}

/// Finds out which library decodes a file, and where in it the sound begins, and opens it.
enum SoundOpening {
  /// How files begin that libsndfile decodes.
  private static let otherMarks = ["RIFF", "RIFX", "RF64", "riff", "FORM", ".snd", "dns.", "caff"]

  /// Opens the regular file at `path`; with `place`, which is another way to the same file, goes that way.
  ///
  /// With `resamplers`, streams that follow each other in it may have different sample rates.
  static func open(
    _ path: FilePath, place: FilePath? = nil, resamplers: ResamplerFactory?
  ) throws(DecodingError) -> any OpenSound {
    do throws(SndfileError) {
      return try open(RegularFile(place ?? path), resamplers)
    } catch {
      throw error.decodingError(opening: path)
    }
  }

  private static func open(
    _ file: RegularFile, _ resamplers: ResamplerFactory?
  ) throws(SndfileError) -> any OpenSound {
    var bytes = ByteWindow(file.descriptor)
    let tags = TagsInFront(&bytes, size: file.size)
    // A tag may say that it has a footer, or how long it is, in a way of its own.
    for place in [tags.end, tags.firstEnd, tags.firstEnd - 10] where place >= 0 {
      let mark = bytes.read(at: place, count: 4)
      if mark.elementsEqual("fLaC".utf8) { return try FLACSound(BufferedFile(file, from: place), isOgg: false) }
      if mark.elementsEqual("OggS".utf8) { return try openOgg(file, from: place, &bytes, resamplers) }
      if otherMarks.contains(where: { mark.elementsEqual($0.utf8) }) {
        return try SndfileSound(BufferedFile(file, from: place))
      }
    }
    switch FormatSignature(size: file.size, read: { file.descriptor.bytes(at: $0, count: $1) })?.format {
    case .mp1, .mp2, .mp3, .text, .tagsAlone, .zeros, nil:
      if let start = MPEGStart(in: file) { return try MPEGSound(file, start) }
    case .rawFLAC:
      return try FLACSound(BufferedFile(file, from: tags.end), isOgg: false)
    default: break
    }
    return try SndfileSound(BufferedFile(file))
  }

  private static func openOgg(
    _ file: RegularFile, from start: Int64, _ bytes: inout ByteWindow, _ resamplers: ResamplerFactory?
  ) throws(SndfileError) -> any OpenSound {
    let starts = OggLinks.starts(&bytes, from: start, size: file.size)
    guard starts.count > 1 else { return try openLink(file, from: start, to: nil) }
    return try LinkedSound(file, starts, resamplers: resamplers)
  }

  /// Opens one stream of an Ogg file, from `start` to before `end`, or to the file's end.
  static func openLink(_ file: RegularFile, from start: Int64, to end: Int64?) throws(SndfileError) -> any OpenSound {
    var bytes = ByteWindow(file.descriptor)
    let packet = OggPage(&bytes, at: start).map { bytes.read(at: start + $0.bodyOffset, count: 5) } ?? []
    if packet.elementsEqual([0x7F] + Array("FLAC".utf8)) {
      return try FLACSound(BufferedFile(file, from: start, to: end), isOgg: true)
    }
    let patches = OpusHead.patches(&bytes, at: start)
    return try SndfileSound(BufferedFile(file, from: start, to: end, patches: patches))
  }
}

/// The tags with which a file begins: ID3v2, and what belongs behind the sound, but stands ahead of it.
struct TagsInFront {
  /// Where they end by what they say themselves; may be behind the end of the file.
  private(set) var end: Int64 = 0
  /// Where the last of them begins.
  private(set) var lastStart: Int64 = 0
  /// Where the first of them, an ID3v2 tag, ends by its header alone, where it may say of a footer what is not so.
  private(set) var firstEnd: Int64 = 0

  /// How many there may be.
  private static let limit = 1_000

  /// Those of the file of `size` bytes that `bytes` reads.
  init(_ bytes: inout ByteWindow, size: Int64) {
    for number in 0..<Self.limit {
      let head = bytes.read(at: end, count: 16)
      guard let length = Self.length(head) else { break }
      lastStart = end
      end += length
      if number == 0 { firstEnd = end }
      if end >= size { break }
    }
  }

  /// Whether `bytes` begin one of them.
  static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
    ["ID3", "TAG", "APET", "LYRI"].contains { bytes.starts(with: $0.utf8) }
  }

  /// The length of the tag that `head` begins, or `nil` where it begins none.
  private static func length(_ head: ArraySlice<UInt8>) -> Int64? {
    let head = Array(head)
    guard head.count == 16 else { return nil }
    if head.starts(with: "ID3".utf8) {
      // ID3v2.4.0, sections 3.1 and 3.4: seven bits of each byte, and perhaps a footer.
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
    // ID3v1, which has no length of its own.
    if head.starts(with: "TAG".utf8) { return 128 }
    // The header of an APEv2 tag: what it says does not count itself.
    if head.starts(with: "APETAGEX".utf8) {
      return 32 + head[12...15].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    return nil
  }
}
