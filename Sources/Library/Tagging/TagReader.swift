// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
public import MusicModel
package import Platform
public import SystemPackage

/// Reads what a file's tags and header say of its track.
public struct TagReader: Sendable {
  /// What the files are opened with whose sound the tag library does not understand.
  package let probe: AudioProbe?

  /// A reader that turns to `probe` for the files whose sound the tag library does not understand.
  ///
  /// Without a probe such files count as playable, of unknown length.
  public init(probe: AudioProbe? = nil) {
    self.probe = probe
  }

  /// The track in the file at `path`. Opens nothing but regular files; blocks while the file system does. Any
  /// thread.
  ///
  /// Tags that make no sense are left out. Without a title it is the file's name without its suffix; where that begins
  /// with a number and the tags give none, the number is the track's ("03 Title", "1-03 Title").
  ///
  /// - Throws: why the file cannot be in a library.
  public func track(at path: FilePath) throws(LibraryProblem) -> Track {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw problem(path, .unreadable(error)) }
    var (track, fields) = try read(path, status)
    track.furtherTags = FurtherTags(fields)
    return track
  }

  /// All that the tags of the file at `path` say, by TagLib's names for them. Opens and blocks as ``track(at:)`` does.
  ///
  /// - Throws: why the file cannot be in a library.
  public func comments(at path: FilePath) throws(LibraryProblem) -> [(name: String, value: String)] {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw problem(path, .unreadable(error)) }
    return try read(path, status).fields.entries.map { ($0.name, $0.value) }
  }

  /// The track in the file at `path`, whose status is known, with all that its tags hold. Throws what ``track(at:)``
  /// throws.
  package func read(_ path: FilePath, _ status: FileStatus) throws(LibraryProblem) -> (
    track: Track, fields: TagFields
  ) {
    guard status.kind == .regular else { throw problem(path, .notAFile) }
    guard status.size > 0 else { throw problem(path, .empty) }
    if case .unplayable(let promised) = AudioFileKind(path) {
      // The suffix may lie.
      let signature = signature(of: path, status)
      if signature?.format.use != .played {
        throw problem(path, reason(signature) ?? .unplayableFormat(promised))
      }
    }

    let contents = TagContents(path)
    if contents?.isUnplayable == true {
      throw problem(path, reason(signature(of: path, status)) ?? .unplayableFormat("the format"))
    }
    let fields = contents?.fields ?? TagFields()
    var track = Track(path: path, fields: fields)
    if let audio = contents?.audio {
      track.audio = audio.summary
      // What is only guessed is counted.
      let counted = contents?.isLengthGuessed == true ? probe?(path)?.duration : nil
      track.duration = counted ?? audio.duration
    } else if let probe {
      guard let audio = probe(path) else {
        throw problem(path, reason(signature(of: path, status)) ?? reasonForNoAudio(path))
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

  /// What the contents of the regular file at `path` show it to be, as far as they can be read.
  private func signature(of path: FilePath, _ status: FileStatus) -> FormatSignature? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
      return nil
    }
    defer { try? file.close() }
    return FormatSignature(size: status.size) { place, count in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled =
          unsafe (try? file.read(fromAbsoluteOffset: place, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
      }
    }
  }

  /// Why a file with this signature is in no library; `nil` where nothing is known, or it can be played.
  private func reason(_ signature: FormatSignature?) -> LibraryProblem.Reason? {
    guard let signature else { return nil }
    if let name = signature.unplayableName { return .unplayableFormat(name) }
    return signature.format.use == .none ? .notSound(signature.format.name) : nil
  }

  /// Tells a file that may not be opened from one that holds nothing.
  private func reasonForNoAudio(_ path: FilePath) -> LibraryProblem.Reason {
    do {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]).close()
      return .noAudio
    } catch {
      return (error as? Errno).map { .unreadable($0) } ?? .noAudio
    }
  }
}

/// Opens a file as sound, for the formats whose headers the tag library cannot read; `nil` where it is no sound
/// that can be played.
///
/// It is called with regular files that are not empty, on any thread, on several at once.
public typealias AudioProbe = @Sendable (FilePath) -> ProbedAudio?

/// What opening a file as sound tells of it.
public struct ProbedAudio: Sendable, Hashable {
  /// The sound's format.
  public var summary: AudioSummary
  /// How long it lasts, where the header says so.
  public var duration: Duration?

  /// Sound of this format and length.
  public init(summary: AudioSummary, duration: Duration?) {
    self.summary = summary
    self.duration = duration
  }
}
