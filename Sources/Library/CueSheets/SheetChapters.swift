// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
public import SystemPackage
public import Tagging

extension TagReader {
  /// Returns the chapters that the tags of the file at `path` list or, if they list none, the tracks of the cue sheet
  /// in the file, in the order of their beginnings. Returns none if the file cannot be read. Opens files and blocks
  /// like ``track(at:)``.
  public func chapters(at path: FilePath) -> [TagChapter] {
    guard let status = try? FileStatus(of: path), let (track, fields) = try? read(path, status) else { return [] }
    let listed = TagChapter.list(in: fields.entries.map { ($0.name, $0.value) })
    guard listed.isEmpty, let sheet = SheetClaim(embeddedIn: fields) else { return listed }
    return sheet.tracks(of: track, fields: fields).tracks.compactMap { track, _ in
      track.segment.map { TagChapter(start: $0.startMilliseconds, title: track.title) }
    }
  }
}

extension TrackSegment {
  /// The beginning of the segment, in milliseconds from that of the file.
  fileprivate var startMilliseconds: Int64 {
    let (seconds, rest) = Int64(start).quotientAndRemainder(dividingBy: Int64(Self.framesPerSecond))
    return min(seconds, .max / 1_000 - 1) * 1_000 + rest * 1_000 / Int64(Self.framesPerSecond)
  }
}
