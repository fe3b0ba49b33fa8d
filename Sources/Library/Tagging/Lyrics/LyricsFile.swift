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

extension Lyrics {
  /// The maximum size of a file with lyrics, in bytes.
  private static let sizeLimit = 1 << 20
  /// The tags that hold lyrics, those with times first.
  private static let tags = ["SYNCEDLYRICS", "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS"]

  /// Returns the lyrics of the file at `track`: from a file of the same name with the suffix `lrc`, from its tags, or
  /// from such a file with the suffix `txt`. Lyrics with times are preferred. Returns `nil` if there are none.
  ///
  /// Blocks until the disk has been read. Safe to call from any thread.
  public static func find(of track: FilePath) -> (lyrics: Lyrics, origin: LyricsOrigin)? {
    let candidates = [file("lrc", beside: track)] + tagged(track) + [file("txt", beside: track)]
    let found = candidates.compactMap { $0 }.filter { !$0.lyrics.lines.isEmpty }
    return found.first { $0.lyrics.isSynced } ?? found.first
  }

  private static func file(_ suffix: String, beside track: FilePath) -> (lyrics: Lyrics, origin: LyricsOrigin)? {
    for suffix in [suffix, suffix.uppercased()] {
      var path = track
      path.extension = suffix
      // A file that is too long is not text, and AtomicFile reads only regular files.
      guard path != track, let bytes = (try? AtomicFile.read(path, limit: sizeLimit)) ?? nil, bytes.count <= sizeLimit,
        !bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      else { continue }
      return (Lyrics(LegacyText.decode(bytes)), .file(path))
    }
    return nil
  }

  /// Returns the lyrics in the tags of the file at `track`, in the order of ``tags``.
  private static func tagged(_ track: FilePath) -> [(lyrics: Lyrics, origin: LyricsOrigin)] {
    // A FIFO or an endless device would block forever.
    guard (try? FileStatus(of: track))?.kind == .regular,
      let result = unsafe track.withPlatformString({ unsafe TagLibRead($0) })
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
