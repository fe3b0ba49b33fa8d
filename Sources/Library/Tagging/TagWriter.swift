// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
public import MusicModel
import Platform
public import SystemPackage

/// The reason why tags were not written; the file is unchanged.
public enum TagWriterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The format has no such tags that other players know.
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
    case .unsupported: "this format does not support such tags; the value is in the index"
    case .unreadable: "its tags cannot be read, so nothing was written"
    case .system(let error): "its tags cannot be written: \(error)"
    case .failed: "its tags could not be written"
    case .wouldLoseSound: "it is damaged, and new tags would destroy its audio, so nothing was written"
    case .wouldLoseFields: "its tags are damaged, and writing them would lose fields, so nothing was written"
    }
  }
}

/// Writes ReplayGain values and ratings into the tags of files.
public enum TagWriter {
  /// The beginnings of the names of fields that are written or removed.
  private static let written = [
    "REPLAYGAIN_", "R128_", "FMPS_RATING", "FMPS/RATING", "POPM", "RATING", "WM/SHAREDUSERRATING",
  ]

  /// Writes `tags` and `rating` into the file at `path`. Values that are `nil` are not changed in the file, nor is
  /// anything else.
  ///
  /// The formats and their fields are described in `CTagLib.h`. The tags are written into a copy, which then replaces
  /// the file. Whatever happens meanwhile, the file stays complete, with either the old tags or the new ones. This
  /// takes disk space for one more copy. Blocks until the disk has been written. Safe to call from any thread.
  ///
  /// - Parameter rating: The rating in half stars, from 1 to 10; 0 removes it.
  public static func write(
    _ tags: ReplayGainTags = ReplayGainTags(), rating: Int? = nil, to path: FilePath
  ) throws(TagWriterError) {
    do {
      let rewrite = try FileRewrite(of: path)
      // If a file is protected from writing, this applies to its tags as well.
      try FileDescriptor.open(rewrite.target, .writeOnly, options: [.closeOnExec, .nonBlocking]).close()
      var changes = TagChanges(
        trackGain: tags.trackGain ?? .nan, trackPeak: tags.trackPeak ?? .nan, albumGain: tags.albumGain ?? .nan,
        albumPeak: tags.albumPeak ?? .nan, rating: Int32(clamping: rating ?? -1))
      if let failure = write(&changes, into: rewrite.copy, named: rewrite.target) {
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

  /// Returns the rating in the tags of the file at `path`, in half stars; `nil` if it has none or cannot be read.
  public static func rating(of path: FilePath) -> Int? { TagContents(path)?.fields.rating }

  /// Whether `before` has fields that `after` lacks, other than those that are written.
  private static func loses(_ before: TagFields?, _ after: TagFields?) -> Bool {
    func names(_ fields: TagFields?) -> Set<String> {
      Set((fields?.entries ?? []).map(\.name).filter { name in !written.contains { name.hasPrefix($0) } })
    }
    return !names(before).isSubset(of: names(after))
  }

  /// Writes the tags into the file at `copy`, whose format is given by the suffix of `name`. Returns the error, or
  /// `nil`.
  private static func write(
    _ changes: inout TagChanges, into copy: FilePath, named name: FilePath
  ) -> TagWriterError? {
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
