// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import Testing

@testable import Scrobbling

struct ListenTests {
  private static let id = "e225fb84-dc9a-419e-adcd-9890f59ec432"

  @Test func `What the tags say is sent, and of MusicBrainz IDs only those that are`() throws {
    var track = ScrobbleRig.track("Anthem")
    track.album = "Low"
    track.albumArtists = ["Ann", "Bea"]
    track.number = Ordinal(3)
    track.musicBrainzAlbumID = "no id"
    track.additionalTags = AdditionalTags([
      .init(.musicBrainzTrackID, Self.id.uppercased()), .init(.musicBrainzArtistID, "x"),
      .init(.musicBrainzArtistID, Self.id), .init(.musicBrainzReleaseGroupID, String(Self.id.dropLast())),
      .init(.artistCredit, "Ann feat. Bea"),
    ])
    let listen = try #require(Listen(track, time: 5))
    #expect(listen.artist == "Ann feat. Bea" && listen.title == "The Anthem" && listen.album == "Low")
    #expect(listen.albumArtist == "Ann, Bea" && listen.number == 3 && listen.milliseconds == 100_000)
    #expect(listen.recordingID == Self.id && listen.artistIDs == [Self.id])
    #expect(listen.releaseID == nil && listen.releaseGroupID == nil)
  }

  @Test func `What has no artist or no title, and streams, are not sent`() throws {
    #expect(Listen(ScrobbleRig.track("Anthem", artist: nil), time: 5) == nil)
    var track = ScrobbleRig.track("Anthem")
    track.title = ""
    #expect(Listen(track, time: 5) == nil)
    let address = try #require(StreamAddress("http://radio.example/live"))
    var stream = Track(path: address.path, title: "Anthem")
    stream.artists = ["Ann"]
    #expect(Listen(stream, time: 5) == nil)
  }

  @Test func `Last.fm wants no tracks of half a minute, and must know how long they are`() throws {
    let counts = { (seconds: Int) in
      Listen(ScrobbleRig.track("Anthem", seconds: seconds), time: 5).map { listen in
        ScrobbleService.allCases.map { listen.counts(for: $0) }
      }
    }
    #expect(counts(30) == [true, false] && counts(31) == [true, true])
    var track = ScrobbleRig.track("Anthem")
    track.duration = nil
    #expect(Listen(track, time: 5)?.counts(for: .lastFM) == false)
    #expect(Listen(track, time: 5, duration: .seconds(40))?.counts(for: .lastFM) == true)
  }
}

struct MD5Tests {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
    (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
    (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
    (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
  ])
  func `Hashes are those of RFC 1321`(text: String, hash: String) {
    #expect(MD5.hexadecimal(text) == hash)
  }
}
