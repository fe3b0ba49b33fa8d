// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

@testable import MusicModel

enum QueuePageCheck {
  /// Returns the problem in the queue page that is stored as `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    let page = QueuePage(bytes: bytes)
    let copy = QueuePage(bytes: page.bytes)
    guard copy.kind == page.kind, copy.entries == page.entries, copy.ids == page.ids else {
      return "stored again, the page differs"
    }
    if page.kind == .damaged { return page.bytes == bytes ? nil : "a damaged page has other bytes" }
    guard let tracks = page.tracks else {
      let count = page.entries.count + page.ids.count
      return (1...bytes.count).contains(count) ? nil : "\(count) elements"
    }
    return problem(of: tracks)
  }

  private static func problem(of tracks: PackedTracks) -> String? {
    var packer = TrackPacker()
    for index in 0..<tracks.count {
      let track = tracks.track(index)
      // Other tracks refer to a base track, which damage may change.
      if tracks.base(index) == index, track.albumKey != tracks.album(index) {
        return "track \(index) is of another album"
      }
      if track.duration != tracks.duration(index) { return "track \(index) has another duration" }
      if track.path != FilePath(systemBytes: tracks.pathBytes(index)) {
        return "track \(index) has another path"
      }
      _ = (track.date?.firstDay, track.date?.lastDay)
      if !packer.append(track) { return nil }
    }
    guard let repacked = PackedTracks(packer.finish()) else { return "packed again, the tracks cannot be unpacked" }
    for index in 0..<tracks.count where repacked.track(index) != tracks.track(index) {
      // NaN differs from itself.
      if tracks.track(index) == tracks.track(index) { return "packed again, track \(index) differs" }
    }
    return nil
  }
}
