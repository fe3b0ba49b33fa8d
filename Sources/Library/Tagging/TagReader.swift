// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
public import MusicModel
package import Platform
public import SystemPackage

/// Reads the tracks of files from their tags and headers.
public struct TagReader: Sendable {
  /// The probe for files whose audio TagLib does not understand; `nil` for none.
  package let probe: AudioProbe?

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

  /// Returns the track in the file at `path`, whose status is known, with all of its tags. Throws like ``track(at:)``.
  package func read(_ path: FilePath, _ status: FileStatus) throws(LibraryProblem) -> (
    track: Track, fields: TagFields
  ) {
    guard status.kind == .regular else { throw problem(path, .notAFile) }
    guard status.size > 0 else { throw problem(path, .empty) }
    if case .unplayable(let suffixFormat) = AudioFileKind(path) {
      // The suffix may be wrong.
      let signature = signature(of: path, status)
      if signature?.format.isPlayable != true {
        throw problem(path, reason(signature) ?? .unplayableFormat(suffixFormat))
      }
    }

    let contents = TagContents(path)
    // A copy-protected file has the tags and the name of one that is not.
    if contents?.isMP4 == true, let reason = reason(signature(of: path, status)) { throw problem(path, reason) }
    let fields = contents?.fields ?? TagFields()
    var track = Track(path: path, fields: fields)
    if let audio = contents?.audio {
      track.audio = audio.summary
      // If the length is unknown, or only a guess, the probe counts the frames.
      let isCounted = contents?.isLengthGuessed == true || audio.duration == nil
      let countedDuration = isCounted ? probe?(path)?.duration : nil
      track.duration = countedDuration ?? audio.duration
    } else if let probe {
      guard let audio = probe(path) else {
        let signature = signature(of: path, status)
        // Without FFmpeg, or because the file is damaged.
        let other = signature?.nameForFFmpeg.map { LibraryProblem.Reason.unplayableFormat($0) }
        throw problem(path, reason(signature) ?? other ?? reasonForNoAudio(path))
      }
      track.audio = audio.summary
      track.duration = audio.duration
    } else if contents == nil, case .unreadable(let code) = reasonForNoAudio(path) {
      throw problem(path, .unreadable(code))
    }
    return (track, fields)
  }

  private func problem(_ path: FilePath, _ reason: LibraryProblem.Reason) -> LibraryProblem {
    LibraryProblem(path: path, reason: reason)
  }

  /// Returns the format that the contents of the regular file at `path` indicate, or `nil` if it cannot be read.
  private func signature(of path: FilePath, _ status: FileStatus) -> FormatSignature? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
      return nil
    }
    defer { try? file.close() }
    return FormatSignature(size: status.size) { offset, count in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled =
          unsafe (try? file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
      }
    }
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

  /// Creates the result for audio of this format and duration.
  public init(summary: AudioSummary, duration: Duration?) {
    self.summary = summary
    self.duration = duration
  }
}
