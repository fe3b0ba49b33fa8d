// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
import Platform
public import SystemPackage

/// Where the lyrics of a track were found.
public enum LyricsOrigin: Sendable, Hashable {
  /// In a file beside the track.
  case file(FilePath)
  /// In the tags of the track's own file, under this name.
  case tag(String)
}

/// A file beside a track that is named like lyrics, but cannot be used, while there are no other lyrics.
public struct LyricsProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the file, and what is wrong with it, in one line. Not yet escaped for a terminal.
  public let description: String
}

extension Lyrics {
  /// The maximum size of a file with lyrics, in bytes.
  private static let sizeLimit = 1 << 20
  /// The tags that hold lyrics, those with times first.
  private static let tags = ["SYNCEDLYRICS", "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS"]

  /// Returns the lyrics of the file at `track`: from a file of the same name with the suffix `lrc`, from its tags, or
  /// from such a file with the suffix `txt`. Lyrics with times are preferred. Returns `nil` if there are none. Opens
  /// only files within `reach`.
  ///
  /// Blocks until the disk has been read. Safe to call from any thread.
  ///
  /// - Throws: ``LyricsProblem``.
  public static func find(
    of track: FilePath, reach: FileReach
  ) throws(LyricsProblem) -> (lyrics: Lyrics, origin: LyricsOrigin)? {
    var problems: [LyricsProblem] = []
    let candidates =
      [file("lrc", beside: track, reach, &problems)] + tagged(track, reach)
      + [file("txt", beside: track, reach, &problems)]
    let found = candidates.compactMap { $0 }.filter { !$0.lyrics.lines.isEmpty }
    if let best = found.first(where: { $0.lyrics.isSynced }) ?? found.first { return best }
    if let problem = problems.first { throw problem }
    return nil
  }

  private static func file(
    _ suffix: String, beside track: FilePath, _ reach: FileReach, _ problems: inout [LyricsProblem]
  ) -> (lyrics: Lyrics, origin: LyricsOrigin)? {
    for suffix in [suffix, suffix.uppercased()] {
      var path = track
      path.extension = suffix
      guard path != track, let (file, _) = reach.file(path, isBesideMusic: true) else { continue }
      let problem: String
      do throws(Errno) {
        guard let bytes = try AtomicFile.read(file, limit: sizeLimit) else { continue }
        guard bytes.count <= sizeLimit else { throw .fileTooLarge }
        if !LegacyText.isBinary(bytes) {
          return (Lyrics(LegacyText.decode(bytes)), .file(path))
        }
        problem = "is not text"
      } catch {
        switch error {
        case .fileTooLarge: problem = "is too large for lyrics: use a file of at most \(sizeLimit >> 20) MiB"
        // It is not a file.
        case .invalidArgument: continue
        default: problem = "cannot be read: \(error)"
        }
      }
      problems.append(LyricsProblem(description: "\(path.shown) \(problem)"))
    }
    return nil
  }

  /// Returns the lyrics in the tags of the file at `track`, in the order of ``tags``.
  private static func tagged(_ track: FilePath, _ reach: FileReach) -> [(lyrics: Lyrics, origin: LyricsOrigin)] {
    // A FIFO or an endless device would block forever.
    guard let (file, _) = reach.file(track), let result = unsafe file.withPlatformString({ unsafe TagLibRead($0) })
    else { return [] }
    defer { unsafe result.pointee.release(result) }
    let properties = unsafe UnsafeBufferPointer(start: result.pointee.properties, count: result.pointee.propertyCount)
    var found: [(rank: Int, lyrics: Lyrics, origin: LyricsOrigin)] = []
    for index in 0..<properties.count {
      let property = unsafe properties[index]
      let name = unsafe String(
        decoding: UnsafeRawBufferPointer(start: property.key, count: property.keyLength), as: UTF8.self)
      // A description may follow the name.
      guard let rank = tags.firstIndex(where: { name == $0 || name.hasPrefix($0 + ":") }) else { continue }
      let text = unsafe String(
        decoding: UnsafeRawBufferPointer(start: property.value, count: property.valueLength), as: UTF8.self)
      found.append((rank, Lyrics(text), .tag(name)))
    }
    return found.sorted { $0.rank < $1.rank }.map { ($0.lyrics, $0.origin) }
  }
}
