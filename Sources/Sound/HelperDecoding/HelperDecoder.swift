// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import DecodingProtocol
import Platform
import SystemPackage

/// A decoder whose work is done by another program, so that a file that makes a library crash or hang does no harm.
///
/// If the program fails, another one is started, and continues at the same frame. If that fails within a minute of
/// audio, the file ends.
public final class HelperDecoder: AudioDecoder {
  /// The format of the decoded frames.
  public let format: AudioFormat
  /// The number of frames that the file claims to contain; `nil` if it is unknown.
  public let frameCount: Int64?
  /// The average bit rate of the audio in the file, in bits per second; `nil` if it is unknown.
  public let bitRate: Int?
  public let library: DecodingLibrary? = .ffmpeg
  public let codec: CodecName?
  /// The chapter of the last frames; `nil` if the file has none.
  public private(set) var text: SourceText?
  public let chapters: [SourceChapter]
  public let tags: [SourceTag]
  /// The error that ended the file early, or what was wrong with it; `nil` if there was none.
  public private(set) var failure: DecodingError?

  private let path: FilePath
  private let file: FileDescriptor
  private let helpers: DecodingHelpers
  private let description: SoundDescription
  /// The program; `nil` once it was given up.
  private var connection: HelperConnection?
  /// The number of the next frame.
  private var position: Int64 = 0
  private var isAtEnd = false
  /// The frame at which a program has failed last; `nil` if none has.
  private var failedPosition: Int64?
  /// How much has to be decoded after a failure before another one is forgiven, in seconds.
  private static let forgivenSeconds: Int64 = 60

  /// Opens the file at `path` with a program of `helpers`. Blocks as long as the file system does, and while the
  /// program starts.
  ///
  /// - Throws: `DecodingError` if the file is not a regular one, cannot be read, or cannot be decoded.
  init(_ path: FilePath, helpers: DecodingHelpers) throws(DecodingError) {
    self.path = path
    self.helpers = helpers
    let file = try FileDescriptor.openRegular(path)
    self.file = file
    do throws(DecodingError) {
      let opened = try helpers.open(helpers.ask(.file(file), path), path)
      description = opened.description
      format = opened.format
      tags = opened.connection.tags.entries.map { tag in
        SourceTag(name: String(decoding: tag.name, as: UTF8.self), value: String(decoding: tag.value, as: UTF8.self))
      }
      var textDecoder = SourceTextDecoder()
      chapters = textDecoder.chapters(of: opened.connection.chapters)
      connection = opened.connection
    } catch {
      try? file.close()
      throw error
    }
    frameCount = description.frameCount
    bitRate = description.bitRate.map { Int(clamping: $0) }
    codec = CodecName(description.codec)
    helpers.prepareSpare()
  }

  deinit { try? file.close() }

  /// Returns the first picture in the file at `path`, of at most `limit` bytes; `nil` if there is none, or it cannot be
  /// read.
  static func picture(in path: FilePath, limit: Int, helpers: DecodingHelpers) -> [UInt8]? {
    guard let file = try? FileDescriptor.openRegular(path) else { return nil }
    defer { try? file.close() }
    return (try? helpers.connect(.picture(file)).readPicture(limit: limit)) ?? nil
  }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while !isAtEnd {
      do throws(HelperFailure) {
        let count = try unsafe readFrames(into: buffer)
        text = SourceText(chapters, at: position, in: format)
        position += Int64(count)
        return count
      } catch {
        recover(from: error)
      }
    }
    return 0
  }

  /// Returns the number of frames that were read into `buffer`; at the end, 0, and sets ``isAtEnd``.
  private func readFrames(into buffer: UnsafeMutableBufferPointer<Float>) throws(HelperFailure) -> Int {
    guard let connection else { throw .ended }
    while !connection.hasSamples {
      let block = try connection.nextBlock()
      switch block.kind {
      case .samples:
        guard block.frame == position, block.hasWholeFrames(format.channels) else { throw .invalid }
      case .end:
        let content = try connection.readContent()
        isAtEnd = true
        failure = DecodingRefusal(bytes: content).map { DecodingError($0, path, at: position, of: self) }
        return 0
      case .description, .refusal, .progress, .names, .picture, .list, .tags, .chapters: throw .invalid
      }
    }
    return try unsafe connection.readFrames(into: buffer, channels: format.channels)
  }

  /// Starts another program that continues at the same frame; ends the file if one has failed near there before.
  private func recover(from failure: HelperFailure) {
    connection = nil
    let isForgiven = failedPosition.map { abs(position - $0) > Self.forgivenSeconds * Int64(format.sampleRate) } ?? true
    failedPosition = position
    if isForgiven {
      if let opened = try? helpers.open(helpers.ask(.file(file), path), path), opened.description == description,
        (try? opened.connection.seek(toFrame: position)) != nil
      {
        connection = opened.connection
        return
      }
    }
    isAtEnd = true
    self.failure = DecodingError(DecodingRefusal(.malformed, failure.reason), path, at: position, of: self)
  }

  /// Seeks to `frame`, counted from 0, or to the end of the file if that is earlier.
  public func seek(toFrame frame: Int64) {
    position = max(0, min(frame, DecodingRequest.frameLimit))
    failure = nil
    isAtEnd = false
    do throws(HelperFailure) {
      guard let connection else { throw .ended }
      try connection.seek(toFrame: position)
    } catch {
      recover(from: error)
    }
  }
}

extension AudioFormat {
  /// Creates the format of a description; returns `nil` if a number is out of its range.
  init?(_ description: SoundDescription) {
    let bits = Int(description.bits)
    let coding: SampleCoding =
      switch description.coding {
      case .lossy: .lossy
      case .integer: .integer(bits: bits)
      case .float: .float(bits: bits)
      }
    guard (1...64).contains(bits) || coding == .lossy else { return nil }
    self.init(
      sampleRate: Int(description.sampleRate), channels: Int(description.channels), coding: coding)
  }
}

extension DecodingError {
  /// Creates the error for a file or stream that a program refuses.
  init(_ refusal: DecodingRefusal, _ path: FilePath) {
    let kind: Kind =
      switch refusal.kind {
      case .unreadable, .unreachable: .unreadable
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .empty: .empty
      }
    // FFmpeg may name the address.
    self.init(path: path, kind: kind, reason: AddressSecrets.removed(from: refusal.reason))
  }

  /// Creates the error for audio in a format that cannot be played.
  init(unsupported description: SoundDescription, _ path: FilePath) {
    self.init(
      path: path, kind: .unsupported,
      reason: "has \(description.channels) channels at \(description.sampleRate) Hz, which is not supported")
  }

  /// Creates the error for a file that ended early, or was damaged, when `decoder` was at frame `position`.
  fileprivate init(_ refusal: DecodingRefusal, _ path: FilePath, at position: Int64, of decoder: HelperDecoder) {
    let error = DecodingError(refusal, path)
    let time = decoder.format.positionText(position, of: decoder.frameCount)
    self.init(path: path, kind: error.kind, reason: "ends at \(time): \(error.reason)")
  }
}

/// Decodes what a source says of itself. A few words may not show their encoding; what the source has said before then
/// decides.
struct SourceTextDecoder {
  /// The number of bytes to store of what the source has said.
  private static let historyLimit = 4_096
  private static let lineBreak: UInt8 = 0x0A

  /// What the source has said that is not UTF-8, one line each.
  private var history: ArraySlice<UInt8> = []

  /// Returns the text of `names`, which the source says now.
  mutating func text(of names: SourceNames) -> SourceText {
    let all = [names.station, names.title, names.album] + names.artists
    let encoding = encoding(of: all.filter { String(validating: $0, as: UTF8.self) == nil })
    let text = { (name: [UInt8]) -> String? in Self.text(name, encoding) }
    return SourceText(
      station: text(names.station), title: text(names.title), artists: names.artists.compactMap(text),
      album: text(names.album))
  }

  /// Returns the chapters of a file. One without a title is named by its number.
  mutating func chapters(of marks: SourceMarks) -> [SourceChapter] {
    let encoding = encoding(of: marks.entries.map(\.title).filter { String(validating: $0, as: UTF8.self) == nil })
    return marks.entries.enumerated().map { index, mark in
      SourceChapter(start: mark.start, title: Self.text(mark.title, encoding) ?? "Chapter \(index + 1)")
    }
  }

  private static func text(_ name: [UInt8], _ encoding: LegacyText.Encoding) -> String? {
    let text = String(validating: name, as: UTF8.self) ?? LegacyText.decode(name, as: encoding)
    let printable = text.withoutControls
    return printable.isEmpty ? nil : printable
  }

  /// Returns the encoding of `names`, none of which is in UTF-8.
  private mutating func encoding(of names: [[UInt8]]) -> LegacyText.Encoding {
    guard !names.isEmpty else { return .utf8 }
    let present = Array(names.joined(separator: [Self.lineBreak]))
    history = (history + [Self.lineBreak] + present).suffix(Self.historyLimit)
    let own = LegacyText.encoding(of: present)
    return own == .windows1252 ? LegacyText.encoding(of: history) : own
  }
}
