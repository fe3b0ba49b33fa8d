// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// A player that is killed again and again, while it counts plays, sends listens, stores ratings and fills its queue.
  @Suite struct KilledPlayerTests {
    private static let killCount = 8

    private let playground: Playground
    private let server: StreamServer

    init() throws {
      playground = try Playground(isScanned: false)
      server = try StreamServer { request, connection in
        connection.send(body: request.path == "/1/validate-token" ? "{\"valid\":true}" : "{\"status\":\"ok\"}")
      }
      try playground.directory.write(
        "[scrobble]\nlistenbrainz-url = \"\(server.address(""))\"\n".utf8, to: "home/.config/segue/config.toml")
      let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
      for number in 0..<18 {
        let tags = SoundBytes.id3([
          ("TIT2", Array("Song \(number)".utf8)), ("TPE1", Array("Artist \(number / 3)".utf8)),
          ("TALB", Array("Album \(number / 3)".utf8)), ("TRCK", Array("\(number % 3 + 1)".utf8)),
          ("TCON", Array("Rock".utf8)),
        ])
        try playground.directory.write(
          tags + [[UInt8]](repeating: frame, count: 45).joined(), to: FilePath("music/\(number / 3)/\(number).mp3"))
      }
    }

    @Test func `No acknowledged rating, no counted play and no listen is lost, and no listen is sent twice`() throws {
      let outcome = try playground.shell(
        """
        export SEGUE_LIBRARY="$PWD/music"
        "$SEGUE" scan > scan && echo good | "$SEGUE" scrobble login > login && "$SEGUE" mode keep-playing similar || exit 1
        # The rating of each track goes through all stars; a line holds the track, the rating and the status.
        rate() {
          local n=0
          while [ ! -e stop ]; do
            "$SEGUE" rate $((n / 18 % 5 + 1)) "Song $((n % 18))" > rating 2>&1
            echo "$((n % 18)) $((n / 18 % 5 + 1)) $?" >> ratings
            n=$((n + 1))
          done
        }
        for ((kill = 1; kill <= \(Self.killCount); kill++)); do
          # Until the job runs and empties it, the file holds the output of the player before.
          rm -f log
          "$SEGUE" serve --output silent > log 2>&1 & player=$!
          await 'grep -q listening log'
          if [ $kill = 1 ]; then "$SEGUE" play 'Album 0'; else "$SEGUE" resume; fi
          rm -f stop; rate & rater=$!
          await '[ "$("$SEGUE" history --json | wc -l)" -ge '$kill' ]' || cat log >&2
          "$SEGUE" history --json > counted
          kill -9 $player; wait $player 2> /dev/null
          touch stop; wait $rater
          "$SEGUE" history --json | wc -l > left
          [ "$(cat left)" -ge "$(wc -l < counted)" ] || echo "lost a play: $kill" >&2
        done
        "$SEGUE" scrobble send
        """)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
      let json = try playground.run(
        Playground.program.string, ["tracks", "--json"], with: ["SEGUE_LIBRARY": playground["music"]]
      ).output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      let ratings = Dictionary(json.map { ($0.title, $0.rating ?? 0) }) { first, _ in first }
      for (number, stars) in try acknowledgedRatings() {
        #expect(ratings["Song \(number)"] == 2 * stars, "Song \(number)")
      }
      let plays = json.reduce(0) { $0 + ($1.plays ?? 0) }
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let listens = try server.requests.filter { $0.text.contains("listened_at") }.flatMap { request in
        try decoder.decode(Submission.self, from: Data(request.body)).payload
      }
      #expect(plays >= Self.killCount && listens.count == plays && Set(listens).count == listens.count, "\(listens)")
      // What was added to keep playing outlives the player, too.
      #expect(try playground.segue("queue", "--plain").lines.count > 3)
    }

    private struct Line: Decodable {
      let title: String
      let rating: Int?
      let plays: Int?
    }

    /// The listens in a request.
    private struct Submission: Decodable {
      struct Listen: Decodable, Hashable {
        struct Track: Decodable, Hashable { let trackName: String }

        let listenedAt: Int
        let trackMetadata: Track
      }

      let payload: [Listen]
    }

    /// Returns the stars of the tracks whose last rating was acknowledged, by the number of the track.
    private func acknowledgedRatings() throws -> [Int: Int] {
      var ratings: [Int: Int] = [:]
      for line in String(decoding: try playground.bytes("ratings"), as: UTF8.self).split(separator: "\n") {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        ratings[numbers[0]] = numbers[2] == 0 ? numbers[1] : nil
      }
      #expect(ratings.count > 3)
      return ratings
    }
  }
}
