// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
import FormatSniffing
public import MusicModel
package import Platform
public import SystemPackage

/// Reads the tracks of files from their tags and headers.
public struct TagReader: Sendable {
  /// The probe for files whose audio TagLib does not understand; `nil` for none.
  package let probe: AudioProbe?
  /// The decoder of text whose encoding is not stated; `nil` if each file decides by its own fields.
  package var fieldDecoder: LegacyText.FieldDecoder?

  /// Creates a reader that uses `probe` for files whose audio TagLib does not understand.
  ///
  /// Without a probe, such files count as playable, with an unknown duration.
  public init(probe: AudioProbe? = nil) {
    self.probe = probe
  }

  /// Returns the track in the file at `path`. Opens only regular files. Blocks until the disk has been read. Safe to
  /// call from any thread.
  ///
  /// Invalid tags are left out. Without a title tag, the title is the file name without its suffix. If it begins with a
  /// number, as in "03 Title" or "1-03 Title", and the tags have no track number, this is the track number.
  ///
  /// - Throws: The reason why the file cannot be in a library.
  public func track(at path: FilePath) throws(LibraryProblem) -> Track {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw problem(path, .unreadable(error)) }
    var (track, fields) = try read(path, status)
    track.additionalTags = AdditionalTags(fields)
    return track
  }

  /// Returns all tags of the file at `path`, by TagLib's names. Opens files and blocks like ``track(at:)``.
  ///
  /// - Throws: The reason why the file cannot be in a library.
  public func comments(at path: FilePath) throws(LibraryProblem) -> [(name: String, value: String)] {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw problem(path, .unreadable(error)) }
    return try read(path, status).fields.entries.map { ($0.name, $0.value) }
  }

  /// Returns the name of the format of the file at `path`; `nil` if it is not known. Opens only regular files. Blocks
  /// until the disk has been read. Safe to call from any thread.
  public static func formatName(of path: FilePath) -> String? {
    guard let status = try? FileStatus(of: path), status.kind == .regular else { return nil }
    return FormatSignature(path, status)?.format.name
  }

  /// Returns the track in the file at `path`, whose status is known, with all of its tags. Throws like ``track(at:)``.
  package func read(_ path: FilePath, _ status: FileStatus) throws(LibraryProblem) -> (
    track: Track, fields: TagFields
  ) {
    guard status.kind == .regular else { throw problem(path, .notAFile) }
    guard status.size > 0 else { throw problem(path, .empty) }
    if case .unplayable(let suffixFormat) = AudioFileKind(path) {
      // The suffix may be wrong.
      let signature = FormatSignature(path, status)
      if signature?.format.isPlayable != true {
        throw problem(path, reason(signature) ?? .unplayableFormat(suffixFormat))
      }
    }

    let contents = TagContents(path)
    // A copy-protected file has the tags and the name of one that is not.
    if contents?.isMP4 == true, let reason = reason(FormatSignature(path, status)) { throw problem(path, reason) }
    var fields = contents?.fields ?? TagFields()
    // TagLib does not know the format.
    if contents == nil, var file = TagFile(path) { fields.fingerprint = SoundFingerprint(of: &file) }
    fields.decode(by: fieldDecoder)
    var track = Track(path: path, fields: fields)
    if let audio = contents?.audio {
      track.audio = audio.summary
      // If the length is unknown, or only a guess, the probe counts the frames.
      let isCounted = contents?.isLengthGuessed == true || audio.duration == nil
      let countedDuration = isCounted ? probe?(path)?.duration : nil
      track.duration = countedDuration ?? audio.duration
    } else if let probe {
      guard let audio = probe(path) else {
        let signature = FormatSignature(path, status)
        // Without FFmpeg, or because the file is damaged.
        let other = signature?.nameForFFmpeg.map { LibraryProblem.Reason.unplayableFormat($0) }
        throw problem(path, reason(signature) ?? other ?? reasonForNoAudio(path))
      }
      // What TagLib reads is more exact.
      if fields.isEmpty {
        fields.replace(with: ForeignNames.values(of: audio.tags))
        track = Track(path: path, fields: fields)
      }
      track.audio = audio.summary
      track.duration = audio.duration
    } else if contents == nil, case .unreadable(let code) = reasonForNoAudio(path) {
      throw problem(path, .unreadable(code))
    }
    fields.separateCueTracks()
    return (track, fields)
  }

  private func problem(_ path: FilePath, _ reason: LibraryProblem.Reason) -> LibraryProblem {
    LibraryProblem(path: path, reason: reason)
  }

  /// Returns the reason why a file with this signature cannot be in a library. Returns `nil` if no reason is known, or
  /// if the file can be played.
  private func reason(_ signature: FormatSignature?) -> LibraryProblem.Reason? {
    guard let signature else { return nil }
    if let name = signature.unplayableName { return .unplayableFormat(name) }
    return signature.format.use == .none ? .notSound(signature.format.name) : nil
  }

  /// Returns the reason why a file has no audio: it cannot be opened, or it contains none.
  private func reasonForNoAudio(_ path: FilePath) -> LibraryProblem.Reason {
    do {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]).close()
      return .noAudio
    } catch {
      return (error as? Errno).map { .unreadable($0) } ?? .noAudio
    }
  }
}

/// Opens a file as audio, for formats whose headers TagLib cannot read. Returns `nil` if the file contains no
/// audio that can be played.
///
/// It is called only with regular files that are not empty, from any thread, and concurrently.
public typealias AudioProbe = @Sendable (FilePath) -> ProbedAudio?

/// The result of opening a file as audio.
public struct ProbedAudio: Sendable, Hashable {
  /// The audio format.
  public var summary: AudioSummary
  /// The duration; `nil` if the header does not state it.
  public var duration: Duration?
  /// The tags, by the names that FFmpeg gives them.
  public var tags: [Tag]
  /// The chapters, in the order of their beginnings.
  public var chapters: [TagChapter]

  /// A tag. The text may contain anything.
  public struct Tag: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates the result for audio of this format and duration.
  public init(summary: AudioSummary, duration: Duration?, tags: [Tag] = [], chapters: [TagChapter] = []) {
    self.summary = summary
    self.duration = duration
    self.tags = tags
    self.chapters = chapters
  }
}

struct TagContents: Sendable, Equatable {
  private(set) var fields = TagFields()
  /// The audio; `nil` if TagLib does not understand it.
  private(set) var audio: ProbedAudio?
  /// Whether the file is an MP4 container, which may hold audio that cannot be played.
  private(set) var isMP4 = false
  /// Whether the duration is only a guess, which may be far off.
  private(set) var isLengthGuessed = false

  /// Reads the regular file at `path`. Returns `nil` if it cannot be opened, or if TagLib does not know its format.
  ///
  /// - Parameter usesOnlyTagLib: Whether TagLib also reads files that ``FastTags`` could read; the result is the same.
  init?(_ path: FilePath, byTagLibAlone usesOnlyTagLib: Bool = false) {
    guard var file = TagFile(path) else { return nil }
    if !usesOnlyTagLib, let tags = try? FastTags(of: &file, at: path) {
      self.init(tags, fileLength: file.length)
    } else {
      self.init(byTagLib: path, &file)
    }
    fields.fingerprint = SoundFingerprint(of: &file)
  }

  private init(_ tags: FastTags, fileLength: Int) {
    for (name, value) in tags.values { fields.append(value, to: name) }
    if let sheet = tags.cueSheet { fields.append(sheet, to: TagField.cueSheet.name) }
    setAudio(
      sampleRate: tags.sampleRate, channels: tags.channels, bitDepth: tags.bitDepth, milliseconds: tags.milliseconds)
    isLengthGuessed = tags.isFLAC && isUnderstated(fileLength)
  }

  private init?(byTagLib path: FilePath, _ file: inout TagFile) {
    guard let result = unsafe path.withPlatformString({ unsafe TagLibRead($0) }) else { return nil }
    defer { unsafe result.pointee.release(result) }
    let properties = unsafe UnsafeBufferPointer(start: result.pointee.properties, count: result.pointee.propertyCount)
    for index in 0..<properties.count {
      let property = unsafe properties[index]
      let value = unsafe UnsafeRawBufferPointer(start: property.value, count: property.valueLength)
      let name = unsafe UnsafeRawBufferPointer(start: property.key, count: property.keyLength)
      let key = unsafe String(decoding: name, as: UTF8.self)
      if unsafe property.isUndecoded {
        unsafe fields.append(undecoded: value, to: key)
      } else {
        fields.append(unsafe String(decoding: value, as: UTF8.self), to: key)
      }
    }
    let bits = Int(unsafe result.pointee.bitsPerSample)
    let (sampleRate, milliseconds) = unsafe (Int(result.pointee.sampleRate), Int(result.pointee.lengthInMilliseconds))
    setAudio(
      sampleRate: sampleRate, channels: Int(unsafe result.pointee.channels), bitDepth: bits > 0 ? bits : nil,
      milliseconds: milliseconds)
    switch unsafe result.pointee.format {
    case TagFLAC, TagOgg:
      if let tags = try? FastTags(commentsOf: &file) { fields.replace(with: tags.partlyUndecoded) }
    case TagMP4, TagASF: break
    default: addAPEItems(of: &file)
    }
    switch unsafe result.pointee.format {
    case TagFLAC:
      isLengthGuessed = isUnderstated(file.length)
      guard fields.cueSheet == nil else { break }
      let sheet = FLACCueSheet.text(of: &file, sampleRate: sampleRate, milliseconds: milliseconds)
      if let sheet { fields.append(sheet, to: TagField.cueSheet.name) }
    case TagMP4:
      isMP4 = true
      isLengthGuessed = MP4Index.isLengthDoubtful(milliseconds: milliseconds) { offset, count in
        let present = min(count, max(0, file.length - Int(clamping: offset)))
        return (try? file.bytes(at: Int(clamping: offset), count: present)).map { Array($0) } ?? []
      }
      fields.replace(with: MP4Items.values(of: &file))
    case TagASF: fields.replace(with: ASFAttributes.values(of: &file))
    case TagOgg: isLengthGuessed = OggPageHeader.isChained(&file)
    case TagMPEGLayer3:
      let (start, isStated) = unsafe (Int(result.pointee.firstFrame), result.pointee.isLengthStated)
      isLengthGuessed = MPEGFrame.isLengthGuessed(&file, at: start, isStated: isStated)
    default: isLengthGuessed = WAVLength.isBelied(&file, milliseconds: milliseconds)
    }
  }

  /// Adds the items of an APE tag that TagLib drops, to which an ID3v2 tag is preferred.
  private mutating func addAPEItems(of file: inout TagFile) {
    let items = APEItems.undecoded(of: &file)
    guard !items.isEmpty else { return }
    let isSecond = (try? file.bytes(at: 0, count: 3))?.holds("ID3") == true
    fields.replace(with: isSecond ? items.filter { fields.first($0.name) == nil } : items)
  }

  /// Whether the stated length is so small that even uncompressed audio would not fill a file of this length.
  private func isUnderstated(_ fileLength: Int) -> Bool {
    guard let audio, let duration = audio.duration, let bitDepth = audio.summary.bitDepth else { return false }
    let sampleCount = duration / .seconds(1) * Double(audio.summary.sampleRate) * Double(audio.summary.channels)
    return sampleCount * Double(bitDepth) < Double(fileLength) * 8
  }

  private mutating func setAudio(sampleRate: Int, channels: Int, bitDepth: Int?, milliseconds: Int) {
    guard sampleRate > 0, channels > 0 else { return }
    audio = ProbedAudio(
      summary: AudioSummary(sampleRate: sampleRate, channels: channels, bitDepth: bitDepth),
      duration: milliseconds > 0 ? .milliseconds(milliseconds) : nil)
  }
}
