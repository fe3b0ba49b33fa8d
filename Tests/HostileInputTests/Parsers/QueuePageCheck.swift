// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

@testable import MusicModel

enum QueuePageCheck {
  /// Returns the problem in the page of a queue stored as `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    let page = QueuePage(bytes: bytes)
    let again = QueuePage(bytes: page.bytes)
    guard again.kind == page.kind, again.entries == page.entries, again.ids == page.ids else {
      return "kept again, it is another page"
    }
    if page.kind == .damaged { return page.bytes == bytes ? nil : "a damaged page is another" }
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
      if track.duration != tracks.duration(index) { return "track \(index) lasts differently" }
      if track.path != FilePath(systemBytes: tracks.pathBytes(index)) {
        return "track \(index) has another path"
      }
      _ = (track.date?.firstDay, track.date?.lastDay)
      if !packer.append(track) { return nil }
    }
    guard let again = PackedTracks(packer.finish()) else { return "packed again, it cannot be unpacked" }
    for index in 0..<tracks.count where again.track(index) != tracks.track(index) {
      // NaN differs from itself.
      if tracks.track(index) == tracks.track(index) { return "packed again, track \(index) is another" }
    }
    return nil
  }
}
