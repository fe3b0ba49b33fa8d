// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
public import MusicModel
import Platform
public import SystemPackage

/// Why a file's tags are as they were.
public enum ReplayGainWriterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The format has no place for loudness that other players know.
  case unsupported
  /// TagLib cannot read the file.
  case unreadable
  /// The operating system refused.
  case system(Errno)
  /// TagLib could not write the tags.
  case failed
  /// The file is damaged so that its sound would not be found behind the new tags.
  case wouldLoseSound
  /// The tags are damaged so that some of their fields would not be written again.
  case wouldLoseFields

  /// The reason in words, as the end of a line.
  public var description: String {
    switch self {
    case .unsupported: "this format does not support ReplayGain tags; the measurement is in the index"
    case .unreadable: "its tags cannot be read, so none were written"
    case .system(let error): "its tags cannot be written: \(error)"
    case .failed: "its tags could not be written"
    case .wouldLoseSound: "it is damaged, and new tags would destroy its audio, so none were written"
    case .wouldLoseFields: "its tags are damaged, and fields would be lost, so none were written"
    }
  }
}

/// Writes loudness into the tags of files.
public enum ReplayGainWriter {
  /// Writes `tags` into the file at `path`; what is `nil` in them stays as it is in the file, and so does everything
  /// else.
  ///
  /// FLAC, Vorbis, MP3, WAV and AIFF get `REPLAYGAIN_` tags, Opus gets `R128_` tags, and what would contradict them
  /// goes (see `CTagLib.h`). The tags are written into a copy, which then takes the place of the file: whatever
  /// happens meanwhile, it is there whole, with the old tags or the new ones. That takes room for one more copy on the
  /// disk. Any thread; blocks while the file system does.
  public static func write(_ tags: ReplayGainTags, to path: FilePath) throws(ReplayGainWriterError) {
    do {
      let rewrite = try FileRewrite(of: path)
      // Whoever protects a file from writing means its tags, too.
      try FileDescriptor.open(rewrite.target, .writeOnly, options: [.closeOnExec, .nonBlocking]).close()
      if let failure = write(tags, into: rewrite.copy, named: rewrite.target) {
        throw failure
      }
      let (before, after) = (TagContents(rewrite.target), TagContents(rewrite.copy))
      if let sound = before?.audio?.summary, after?.audio?.summary != sound {
        throw ReplayGainWriterError.wouldLoseSound
      }
      if loses(before?.fields, after?.fields) { throw ReplayGainWriterError.wouldLoseFields }
      try rewrite.commit()
    } catch let error as ReplayGainWriterError {
      throw error
    } catch {
      throw .system(error as? Errno ?? .ioError)
    }
  }

  /// Whether fields of other kinds than what is written are in `before` alone.
  private static func loses(_ before: TagFields?, _ after: TagFields?) -> Bool {
    func names(_ fields: TagFields?) -> Set<String> {
      Set((fields?.entries ?? []).map(\.name).filter { !$0.hasPrefix("REPLAYGAIN_") && !$0.hasPrefix("R128_") })
    }
    return !names(before).isSubset(of: names(after))
  }

  /// Writes into the file at `copy`, whose suffix is that of `name`; gives what went wrong.
  private static func write(
    _ tags: ReplayGainTags, into copy: FilePath, named name: FilePath
  ) -> ReplayGainWriterError? {
    var gain = TagGain(
      trackGain: tags.trackGain ?? .nan, trackPeak: tags.trackPeak ?? .nan, albumGain: tags.albumGain ?? .nan,
      albumPeak: tags.albumPeak ?? .nan)
    let result = unsafe copy.withPlatformString { copy in
      unsafe name.withPlatformString { name in unsafe TagLibGainWrite(copy, name, &gain) }
    }
    switch result {
    case TagWritten: return nil
    case TagUnsupported: return .unsupported
    case TagUnreadable: return .unreadable
    default: return .failed
    }
  }
}
