// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

@testable import LibraryScanning
@testable import Tagging

struct IndependenceCheckTests {
  private func tracks(_ albums: [(title: String, release: String?)]) -> [PendingTrack] {
    var maker = TrackRecordMaker()
    return albums.enumerated().map { number, album in
      var fields = TagFields()
      fields.append(album.title, to: "ALBUM")
      if let release = album.release { fields.append(release, to: "MUSICBRAINZ_ALBUMID") }
      let path = FilePath("/music/\(number).flac")
      let record = maker.record(Track(path: path, fields: fields), fields: fields, in: "/music")
      return PendingTrack(
        id: Int64(number), directory: 1, name: [], state: .unknown, added: 0, record: record, sheet: 0)
    }
  }

  @Test func `A part that shares a title or release with another, now or earlier, is not independent`() {
    let releaseID = "a1b2c3d4-0000-1111-2222-333344445555"
    var check = IndependenceCheck()
    let first = tracks([("A", nil), ("A", nil), ("B", nil), ("B", releaseID), ("C", releaseID), ("A", nil)])
    #expect(check.areIndependent([0..<2, 2..<4, 4..<5, 5..<6], of: first) == [false, false, false, false])
    let second = tracks([("D", nil), ("E", nil), ("a", nil), ("F", releaseID)])
    #expect(check.areIndependent([0..<2, 2..<3, 3..<4], of: second) == [true, false, false])
  }
}
