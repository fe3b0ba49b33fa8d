// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

@testable import Commands
@testable import PlayerFlow

struct EventHookTests {
  @Test func `The environment says what has happened, and nothing that has not`() {
    var track = PlayerEvent(.track)
    var song = Track(path: "/m/a.flac", title: "So\nWhat")
    song.artists = ["Miles"]
    track.song = PlayerStatus.Song(song, duration: .milliseconds(325_500))
    track.queuePosition = 2
    #expect(
      EventHooks.variables(track) == [
        "SEGUE_EVENT": "track", "SEGUE_TITLE": "So\nWhat", "SEGUE_ARTIST": "Miles", "SEGUE_PATH": "/m/a.flac",
        "SEGUE_DURATION": "325.5", "SEGUE_POSITION": "3",
      ])
    var rating = PlayerEvent(.rating)
    (rating.rating, rating.count) = (8, 1)
    #expect(
      EventHooks.variables(rating) == [
        "SEGUE_EVENT": "rating", "SEGUE_RATING": "8", "SEGUE_COUNT": "1",
      ])
    #expect(EventHooks.variables(PlayerEvent(.end)) == ["SEGUE_EVENT": "end"])
  }
}
