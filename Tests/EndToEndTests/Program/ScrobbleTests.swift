// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Logging in, and what the built program sends to servers on the loopback.
  @Suite struct ScrobbleTests {
    private let playground: Playground
    /// The status with which the server answers to listens.
    private let status = Watched("200 OK")
    private let server: StreamServer
    private let variables: [String: String]

    init() throws {
      playground = try Playground(isScanned: false)
      variables = ["SEGUE_LIBRARY": playground["music"], "SEGUE_SOCKET": playground["socket"]]
      server = try StreamServer { [status] request, connection in
        switch request.path {
        case "/1/validate-token":
          let isValid = request.headers.contains("authorization: token good")
          connection.send(body: isValid ? "{\"valid\":true,\"user_name\":\"ann\"}" : "{\"valid\":false}")
        case "/2.0/":
          connection.send(
            body: request.text.contains("auth.getToken")
              ? "{\"token\":\"T\"}" : "{\"session\":{\"name\":\"bob\",\"key\":\"x\"}}")
        default: connection.send(status: status.value, body: "{\"status\":\"ok\"}")
        }
      }
      try playground.directory.write(
        """
        [scrobble]
        listenbrainz-url = "\(server.address(""))"
        lastfm-url = "\(server.address("/2.0/"))"
        loves = true

        """.utf8, to: "home/.config/segue/config.toml")
    }

    private func segue(_ arguments: String..., input: String? = nil) throws -> Playground.Outcome {
      try playground.run(
        Playground.program.string, arguments, input: input.map { Array($0.utf8) }, with: variables)
    }

    /// Creates two tracks of three seconds, with tags.
    private func makeMusic() throws {
      let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
      for title in ["Anthem", "Ballad"] {
        let tags = SoundBytes.id3([
          ("TIT2", Array("The \(title)".utf8)), ("TPE1", Array("Ann".utf8)), ("TALB", Array("Low".utf8)),
          ("TRCK", Array((title == "Anthem" ? "1" : "2").utf8)),
        ])
        try playground.directory.write(
          tags + [[UInt8]](repeating: frame, count: 120).joined(), to: FilePath("music/Low/\(title).mp3"))
      }
      #expect(try segue("scan").status == 0)
    }

    /// The listens that the server has received, not what was playing.
    private var listens: [StreamServer.Request] {
      server.requests.filter { $0.text.contains("listened_at") }
    }

    @Test func `A token is validated, and stored for its owner only`() throws {
      let refused = try segue("scrobble", "login", input: "bad\n")
      #expect(refused.status == 1 && refused.errors == "segue: ListenBrainz refuses the token\n", "\(refused)")
      #expect(try segue("scrobble", "status").output.contains("ListenBrainz: not logged in"))
      #expect(try segue("scrobble", "login", input: "").status == 2)
      let accepted = try segue("scrobble", "login", input: "good\n")
      #expect(accepted.status == 0, "\(accepted)")
      let attributes = try FileManager.default.attributesOfItem(atPath: playground["data/scrobble-accounts.json"])
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let status = try segue("scrobble", "status", "--json").output
      #expect(status.contains("\"user\":\"ann\"") && status.contains("\"isLoggedIn\":false"), "\(status)")
      #expect(!status.contains("good"))
      #expect(try segue("scrobble", "logout").status == 0)
      #expect(!FileManager.default.fileExists(atPath: playground["data/scrobble-accounts.json"]))
      let again = try segue("scrobble", "logout")
      #expect(again.status != 0 && again.errors.contains("there is no account at ListenBrainz"))
    }

    @Test func `Last.fm is allowed on a page of its own`() throws {
      let outcome = try segue("scrobble", "login", "lastfm", input: "key\nsecret\n\n")
      #expect(outcome.status == 0 && outcome.output.contains("/api/auth/?api_key=key&token=T"), "\(outcome)")
      #expect(try segue("scrobble", "status").output.contains("Last.fm: logged in as bob"))
    }

    @Test func `What plays is sent: what is playing, listens, and a like`() throws {
      try makeMusic()
      #expect(try segue("scrobble", "login", input: "good\n").status == 0)
      let outcome = try segue("play", "Low", "--output", "silent")
      #expect(outcome.status == 0, "\(outcome)")
      // The program does not wait for the last answer.
      #expect(try segue("scrobble", "send").status == 0)
      let playing = server.requests.filter { $0.text.contains("playing_now") }
      #expect(playing.count == 2 && playing.allSatisfy { $0.headers.contains("authorization: token good") })
      let texts = listens.map(\.text).joined()
      #expect(
        texts.contains("The Anthem") && texts.contains("The Ballad") && texts.contains("\"release_name\":\"Low\""))
      #expect(texts.contains("\"tracknumber\":1") && texts.contains("\"media_player\":\"Segue\""))
      let status = try segue("scrobble", "status").output
      #expect(status.contains("sent: 2") && status.contains("waiting: 0"), "\(status)")
      #expect(try segue("like", "The Anthem").status == 0)
    }

    @Test func `Listens survive kill -9 without a network, and are sent once, in order`() throws {
      try makeMusic()
      #expect(try segue("scrobble", "login", input: "good\n").status == 0)
      status.change { $0 = "500 Internal Server Error" }
      // The player is killed as soon as it has tried to send the second listen, or noted that it waits.
      let script = """
        "$SEGUE" play Low --output silent & player=$!
        await '[ "$("$SEGUE" scrobble status --json | grep -o "\\"waiting\\":[0-9]*" | head -n 1)" = "\\"waiting\\":2" ]'
        kill -9 $player
        """
      let outcome = try Playground(playground, with: variables).shell(script)
      #expect(!outcome.errors.contains("never"), "\(outcome)")
      let attempts = listens.count
      #expect(attempts >= 1)
      let waiting = try segue("scrobble", "status").output
      #expect(waiting.contains("waiting: 2; the server answers with status 500"), "\(waiting)")
      status.change { $0 = "200 OK" }
      for _ in 1...2 { #expect(try segue("scrobble", "send").status == 0) }
      #expect(listens.count == attempts + 1)
      let last = try #require(listens.last?.text)
      let (first, second) = (try #require(last.range(of: "The Anthem")), try #require(last.range(of: "The Ballad")))
      #expect(last.contains("\"import\"") && first.lowerBound < second.lowerBound)
    }

    @Test(.enabled(if: canMountDisk, "nothing can be mounted"))
    func `On a full disk, playing goes on, and what was played is stored when there is room`() throws {
      try makeMusic()
      try playground.directory.makeDirectory("disk")
      // The disk is full while the first track counts, and no longer while the second does.
      try playground.directory.write(
        """
        export SEGUE_DATA_DIR=$PWD/disk
        "$SEGUE" scan >/dev/null && echo good | "$SEGUE" scrobble login
        cat /dev/zero >disk/filler 2>/dev/null
        "$SEGUE" play Low --output silent 2>errors >/dev/null & player=$!
        await 'grep -q scrobbling errors'
        rm disk/filler
        wait $player; echo "played: $?"; grep -c scrobbling errors
        "$SEGUE" scrobble send; "$SEGUE" scrobble status
        """.utf8, to: "script")
      let outcome = try Playground(playground, with: variables).shell(
        "export -f await; unshare -m bash -c 'mount -t tmpfs -o size=1m none disk && . ./script'")
      #expect(outcome.output.contains("played: 0\n1\n") && outcome.output.contains("sent: 2"), "\(outcome)")
      let errors = String(decoding: try playground.bytes("errors"), as: UTF8.self)
      #expect(errors.contains("segue: scrobbling: cannot store what was played in "), "\(errors)")
      #expect(errors.contains("the disk is full"), "\(errors)")
    }

    @Test func `Without an account, nothing is sent, and libcurl is not loaded`() throws {
      try makeMusic()
      let outcome = try Playground(playground, with: variables).shell(
        """
        "$SEGUE" play Low --output silent & player=$!
        await '"$SEGUE" status --json | grep -q "\\"elapsed\\":[1-9]"'
        echo "mapped: $(grep -c libcurl /proc/$player/maps)"
        wait $player
        """)
      #expect(outcome.output.contains("mapped: 0\n"), "\(outcome)")
      #expect(server.requests.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: playground["data/scrobbles.sqlite"]))
    }

    @Test func `A program prints the token`() throws {
      let program = try playground.directory.writeProgram("#!/bin/sh\necho good\n", to: "token")
      try playground.directory.write(
        "[scrobble]\nlistenbrainz-url = \"\(server.address(""))\"\ntoken-command = \"\(program)\"\n".utf8,
        to: "home/.config/segue/config.toml")
      try makeMusic()
      #expect(try segue("play", "Low", "--output", "silent").status == 0)
      #expect(try segue("scrobble", "send").status == 0)
      #expect(!listens.isEmpty && listens.allSatisfy { $0.headers.contains("authorization: token good") })
      try playground.directory.write(
        "[scrobble]\ntoken-command = \"no-such-program\"\n".utf8, to: "home/.config/segue/config.toml")
      let failed = try segue("scrobble", "send")
      #expect(failed.status == 1 && failed.errors.contains("no-such-program: there is no such program"), "\(failed)")
    }
  }
}

private let canMountDisk = (try? Tool.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"])) != nil
