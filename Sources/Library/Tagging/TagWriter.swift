// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
public import MusicModel
import Platform
public import SystemPackage

/// The reason why ReplayGain tags were not written; the file is unchanged.
public enum TagWriterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The format has no tags for loudness that other players know.
  case unsupported
  /// TagLib cannot read the file.
  case unreadable
  /// The operating system returned an error.
  case system(Errno)
  /// TagLib could not write the tags.
  case failed
  /// The file is damaged, so that its audio would not be found after the new tags.
  case wouldLoseSound
  /// The tags are damaged, so that some of their fields would be lost.
  case wouldLoseFields

  /// The reason in words, phrased to end a line.
  public var description: String {
    switch self {
    case .unsupported: "this format does not support ReplayGain tags; the measurement is in the index"
    case .unreadable: "its tags cannot be read, so nothing was written"
    case .system(let error): "its tags cannot be written: \(error)"
    case .failed: "its tags could not be written"
    case .wouldLoseSound: "it is damaged, and new tags would destroy its audio, so nothing was written"
    case .wouldLoseFields: "its tags are damaged, and writing them would lose fields, so nothing was written"
    }
  }
}

/// Writes ReplayGain values into the tags of files.
public enum TagWriter {
  /// Writes `tags` into the file at `path`. Values that are `nil` are not changed in the file, nor is anything else.
  ///
  /// FLAC, Vorbis, MP3, WAV and AIFF files get `REPLAYGAIN_` tags, Opus files get `R128_` tags, and tags that would
  /// contradict them are removed (see `CTagLib.h`). The tags are written into a copy, which then replaces the file.
  /// Whatever happens meanwhile, the file stays complete, with either the old tags or the new ones. This takes disk
  /// space for one more copy. Blocks until the disk has been written. Safe to call from any thread.
  public static func write(_ tags: ReplayGainTags, to path: FilePath) throws(TagWriterError) {
    do {
      let rewrite = try FileRewrite(of: path)
      // If a file is protected from writing, this applies to its tags as well.
      try FileDescriptor.open(rewrite.target, .writeOnly, options: [.closeOnExec, .nonBlocking]).close()
      if let failure = write(tags, into: rewrite.copy, named: rewrite.target) {
        throw failure
      }
      let (before, after) = (TagContents(rewrite.target), TagContents(rewrite.copy))
      if let before, after == nil || before.audio != nil && after?.audio?.summary != before.audio?.summary {
        throw TagWriterError.wouldLoseSound
      }
      if loses(before?.fields, after?.fields) { throw TagWriterError.wouldLoseFields }
      try rewrite.commit()
    } catch let error as TagWriterError {
      throw error
    } catch {
      throw .system(error as? Errno ?? .ioError)
    }
  }

  /// Whether `before` has fields that `after` lacks, other than those that are written.
  private static func loses(_ before: TagFields?, _ after: TagFields?) -> Bool {
    func names(_ fields: TagFields?) -> Set<String> {
      Set((fields?.entries ?? []).map(\.name).filter { !$0.hasPrefix("REPLAYGAIN_") && !$0.hasPrefix("R128_") })
    }
    return !names(before).isSubset(of: names(after))
  }

  /// Writes the tags into the file at `copy`, whose format is given by the suffix of `name`. Returns the error, or
  /// `nil`.
  private static func write(
    _ tags: ReplayGainTags, into copy: FilePath, named name: FilePath
  ) -> TagWriterError? {
    var changes = TagChanges(
      trackGain: tags.trackGain ?? .nan, trackPeak: tags.trackPeak ?? .nan, albumGain: tags.albumGain ?? .nan,
      albumPeak: tags.albumPeak ?? .nan)
    let result = unsafe copy.withPlatformString { copy in
      unsafe name.withPlatformString { name in unsafe TagLibWrite(copy, name, &changes) }
    }
    switch result {
    case TagWritten: return nil
    case TagUnsupported: return .unsupported
    case TagUnreadable: return .unreadable
    default: return .failed
    }
  }
}
