// SPDX-License-Identifier: GPL-3.0-or-later

public import Platform
public import SystemPackage

/// A decoder of one audio file. Only one thread at a time may use it; reading may block on the file.
public protocol AudioDecoder: AnyObject {
  /// The format of the frames that ``read(into:)`` returns; never changes (see ``continuation()``).
  var format: AudioFormat { get }

  /// The number of frames that the file claims to contain; `nil` if it does not say.
  ///
  /// Good enough for a progress bar; the real end is where ``read(into:)`` returns 0. It grows while a recording that
  /// is still being made is read beyond its earlier end.
  var frameCount: Int64? { get }

  /// Whether the file contains more since ``read(into:)`` has returned 0. May block on the file.
  var hasGrown: Bool { get }

  /// The average bit rate of the encoded audio, in bits per second, or `nil` if it is not known.
  var bitRate: Int? { get }

  /// The library that decodes the audio; `nil` if none does.
  var library: DecodingLibrary? { get }

  /// The name of the codec; `nil` if the decoder does not say.
  var codec: CodecName? { get }

  /// Whether ``seek(toFrame:)`` can reach any frame. A stream that does not permit that continues where it is.
  var isSeekable: Bool { get }

  /// What the source says of the frames that ``read(into:)`` returned last; `nil` if it says nothing.
  var text: SourceText? { get }

  /// The tags of the file, by the names of the library that decodes it; empty if there are none.
  var tags: [SourceTag] { get }

  /// The chapters of the file, as far as the library that decodes it states them; empty if there are none.
  var chapters: [SourceChapter] { get }

  /// Fills the beginning of `buffer` with the next frames and returns their number; 0 at the end.
  ///
  /// `buffer` has room for at least one frame. Fewer frames than fit do not mean the end. If data cannot be read beyond
  /// a damaged part, the stream ends early.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int

  /// Lets ``read(into:)`` return 0 early, although there may be more, once `isInterrupted` returns `true` during a long
  /// wait. `isInterrupted` is called on the thread that reads.
  func setInterruption(_ isInterrupted: @escaping () -> Bool)

  /// The error that ended the file early; `nil` if there was none. Valid after ``read(into:)`` has returned 0: the
  /// reason why the audio ended before the end that the file states, or what was wrong with the data before it.
  var failure: DecodingError? { get }

  /// Seeks to `frame`, counted from 0, or to the end of the file if that is earlier.
  ///
  /// - Throws: `DecodingError` if the file can no longer be read.
  func seek(toFrame frame: Int64) throws(DecodingError)

  /// Returns a decoder for the rest of the file if the file continues in another format, and the number of its first
  /// frame; `nil` if the file has ended. Valid after ``read(into:)`` has returned 0; may block on the file.
  ///
  /// The decoder counts frames from the beginning of the file, at its own sample rate. It cannot seek to before its
  /// first frame.
  ///
  /// - Throws: `DecodingError` if the rest cannot be decoded.
  func continuation() throws(DecodingError) -> (decoder: any AudioDecoder, firstFrame: Int64)?

  /// Returns a decoder that converts the same file to PCM, from its beginning, if this one returns DSD; otherwise
  /// `nil`. May block on the file.
  ///
  /// - Throws: `DecodingError` if the file cannot be converted.
  func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)?
}

extension AudioDecoder {
  /// The default: `nil`, for a file of one format.
  public func continuation() throws(DecodingError) -> (decoder: any AudioDecoder, firstFrame: Int64)? { nil }

  /// The default: `nil`, for a decoder that returns PCM.
  public func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)? { nil }

  /// The default: `false`, for a file that does not change.
  public var hasGrown: Bool { false }

  /// The default: `true`, for a file.
  public var isSeekable: Bool { true }

  /// The default: nothing, for a file, where waits are short.
  public func setInterruption(_ isInterrupted: @escaping () -> Bool) {}

  /// The default: `nil`, for a source that says nothing.
  public var text: SourceText? { nil }

  /// The default: none.
  public var tags: [SourceTag] { [] }

  /// The default: none.
  public var chapters: [SourceChapter] { [] }

  /// The default: `nil`, for an unknown bit rate.
  public var bitRate: Int? { nil }

  /// The default: `nil`, for audio that no library decodes.
  public var library: DecodingLibrary? { nil }

  /// The default: `nil`, for a file, whose name says it.
  public var codec: CodecName? { nil }
}

/// What a source says of its frames. The text may contain anything but control characters.
public struct SourceText: Sendable, Hashable {
  /// The name of the station, in a stream; `nil` if there is none.
  public var station: String?
  /// The title of what a stream plays; `nil` if there is none.
  public var title: String?
  /// The artists of what a stream plays; empty if it names none.
  public var artists: [String]
  /// The title of the album of what a stream plays; `nil` if it names none.
  public var album: String?
  /// The chapters of a file, in the order of their beginnings; empty if there are none.
  public var chapters: [SourceChapter]
  /// The index of the chapter to which the frames belong; `nil` before the first one.
  public var chapterIndex: Int?

  public init(
    station: String? = nil, title: String? = nil, artists: [String] = [], album: String? = nil,
    chapters: [SourceChapter] = [], chapterIndex: Int? = nil
  ) {
    self.station = station
    self.title = title
    self.artists = artists
    self.album = album
    self.chapters = chapters
    self.chapterIndex = chapterIndex
  }
}

/// A tag of a file. The text may contain anything.
public struct SourceTag: Sendable, Hashable {
  public let name: String
  public let value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A library that decodes audio.
public enum DecodingLibrary: UInt8, Sendable, Hashable, BitwiseCopyable, CaseIterable {
  case sndfile
  /// libmpg123.
  case mpg123
  case flac
  /// FFmpeg, in a process of its own.
  case ffmpeg

  public var name: String {
    switch self {
    case .sndfile: "libsndfile"
    case .mpg123: "libmpg123"
    case .flac: "libFLAC"
    case .ffmpeg: "FFmpeg"
    }
  }
}

/// How a source is encoded, and what decodes it.
public struct SourceEncoding: Sendable, Hashable, BitwiseCopyable {
  /// The average bit rate of the audio in the file, in bits per second; `nil` if it is not known.
  public var bitRate: Int?
  /// The library that decodes the audio; `nil` if it is not known.
  public var library: DecodingLibrary?
  /// The name of the codec; `nil` if it is not known.
  public var codec: CodecName?
  /// Whether any position can be reached, which in a stream depends on the server.
  public var isSeekable: Bool

  public init(
    bitRate: Int? = nil, library: DecodingLibrary? = nil, codec: CodecName? = nil, isSeekable: Bool = true
  ) {
    self.bitRate = bitRate
    self.library = library
    self.codec = codec
    self.isSeekable = isSeekable
  }
}

/// A function that opens the file at a path for decoding.
public typealias DecoderFactory = @Sendable (FilePath) throws(DecodingError) -> any AudioDecoder

/// A stream to which a list on a server leads.
public struct StreamPart: Sendable, Hashable {
  public let address: StreamAddress
  /// What the list says of the stream.
  public let text: SourceText

  public init(address: StreamAddress, text: SourceText) {
    self.address = address
    self.text = text
  }
}

/// The error that is thrown when a file cannot be played.
public struct DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Sendable, Hashable {
    /// The file is missing, or may not be read.
    case unreadable
    /// The file is not audio, or is damaged beyond reading.
    case malformed
    /// The file is in a format that cannot be decoded.
    case unsupported
    /// The file is in a format for another decoder.
    case otherDecoder
    /// The file contains no audio.
    case empty
    /// The path is the address of a list of streams, which are to be played instead, one after the other.
    case list([StreamPart])
  }

  /// The path of the file; may contain bytes that are not valid UTF-8.
  public let path: FilePath
  /// The kind of error.
  public let kind: Kind
  /// A description of the error for the user, without the path.
  public let reason: String

  /// Creates an error for the file at `path`.
  public init(path: FilePath, kind: Kind, reason: String) {
    self.path = path
    self.kind = kind
    self.reason = reason
  }

  public var description: String { "\(StreamAddress(path)?.description ?? path.description): \(reason)" }
}

/// The short name of a codec, such as "FLAC" or "AAC", in storage of a fixed size.
public struct CodecName: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  private var bytes = SIMD32<UInt8>()

  /// Creates the name without an explanation in parentheses, such as that in "AAC (Advanced Audio Coding)", and without
  /// what is longer than 32 bytes; returns `nil` if it is empty or not in ASCII.
  public init?(_ text: String) {
    let name = text.firstRange(of: " (").map { text[..<$0.lowerBound] } ?? text[...]
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    for (index, byte) in zip(bytes.indices, name.utf8) { bytes[index] = byte }
  }

  public var description: String {
    String(decoding: bytes.indices.map { bytes[$0] }.prefix { $0 != 0 }, as: UTF8.self)
  }
}
