// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Streams from a server on the loopback.
  @Suite(
    .enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"),
    .enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)))
  struct Streams {
    private let playground: Playground
    /// A recording of 3 s as a FLAC file, and its samples.
    private let (flac, samples): ([UInt8], [UInt8])

    init() throws {
      playground = try Playground()
      let made = try playground.shell(
        """
        ffmpeg -v error -nostdin -f lavfi -i 'aevalsrc=0.3*sin(2000*t)*sin(t)|0.2*sin(3001*t):s=44100:d=3' \
          -sample_fmt s16 ../a.flac && ffmpeg -v error -nostdin -i ../a.flac -f s16le ../a.raw
        """.replacing("../", with: ""))
      #expect(made.status == 0, "\(made.errors)")
      (flac, samples) = (try playground.bytes("a.flac"), try playground.bytes("a.raw"))
    }

    /// A function of the shell that prints what an MPD client is told.
    private static let ask = """
      ask() {
        /usr/bin/python3 -c 'import mpd, sys; client = mpd.MPDClient(); client.connect(sys.argv[1]); print(client.playlistinfo())
      for item in client.status().items(): print("%s: %s" % item)' "$1"
      }
      """

    /// A server with a file, `/a.flac`, and a station without an end, `/radio`, which names titles.
    private func server() throws -> StreamServer {
      try StreamServer { [flac] request, connection in
        if request.path == "/a.flac" { connection.send(file: flac, for: request) }
        guard request.path == "/radio" else { return }
        let interval = 8_192
        connection.send(["Content-Type: audio/flac", "icy-name: Radio Test", "icy-metaint: \(interval)"])
        let title = Array("StreamTitle='Band - Song';".utf8)
        let padding = [UInt8](repeating: 0, count: (16 - title.count % 16) % 16)
        let block = [UInt8((title.count + 15) / 16)] + title + padding
        var rest = flac[...]
        while true {
          while rest.count < interval { rest += flac }
          guard connection.send(Array(rest.prefix(interval)) + block) else { return }
          rest = rest.dropFirst(interval)
        }
      }
    }

    @Test func `A file on a server is rendered as it is, alone and in a playlist between files`() throws {
      let server = try server()
      let address = server.address("/a.flac")
      let alone = try playground.segue("play", address, "--output", "raw:out.raw")
      #expect(alone.status == 0 && alone.errors.isEmpty, "\(alone.errors)")
      #expect(try playground.bytes("out.raw") == samples)
      try playground.directory.write("a.flac\n#EXTINF:3,Far away\n\(address)\na.flac\n".utf8, to: "list.m3u")
      let list = try playground.segue("play", playground["list.m3u"], "--output", "raw:out.raw")
      #expect(list.status == 0 && list.errors.isEmpty, "\(list.errors)")
      #expect(try playground.bytes("out.raw") == samples + samples + samples)
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `A password reaches the server, and nothing else`() throws {
      let server = try StreamServer { [flac] request, connection in
        // "me:geheim1" in Base64, in lower case like all headers.
        let isKnown =
          request.headers.contains("authorization: basic bwu6z2vozwltmq==")
          && request.path.contains("t=geheim2") && request.path.contains("s=geheim3")
        guard isKnown else {
          connection.send(
            status: "401 Unauthorized", ["WWW-Authenticate: Basic realm=\"music\"", "Content-Length: 0"])
          return
        }
        connection.send(file: flac, for: request)
      }
      let host = "127.0.0.1:\(server.port)"
      let secret = "http://me:geheim1@\(host)/rest/stream?u=me&t=geheim2&s=geheim3&id="
      let shown = "http://me@\(host)/rest/stream?u=me&id="
      try playground.directory.write("#EXTM3U\n#EXTINF:3,\(secret)3\n\(secret)3\n".utf8, to: "others.m3u")
      let outcome = try playground.shell(
        """
        \(Self.ask)
        export MPD_HOST=$PWD/state/socket SEGUE_PLAYLISTS=$PWD/lists
        start() { SEGUE_LOG=$PWD/log.txt $SEGUE serve --output silent >> log 2>&1 & s=$!; await '[ -S state/socket ]'; }
        plays() { mpc -q play $1; await '$SEGUE status | grep -q "^  codec"'; mpc -q stop; echo "plays $1"; }
        start
        { $SEGUE watch & w=$!; } > watched 2>&1; { $SEGUE watch --json & j=$!; } > json 2>&1
        $SEGUE play '\(secret)1' > seen 2>&1; mpc add '\(secret)2' >> seen; $SEGUE queue add others.m3u >> seen 2>&1
        plays 1; plays 2; plays 3
        mpc add 'http://me:geheim4@127.0.0.1:1/x?token=geheim5' >> seen 2>&1; mpc -q play 4
        await 'grep -q "127.0.0.1:1/x: cannot be reached" watched'
        { $SEGUE queue; $SEGUE queue --json; $SEGUE status --json; $SEGUE queue history
          $SEGUE play 'rtsp://a:geheim6@b/'; $SEGUE play --volume 'http://a:geheim7@b/'
          mpc playlist -f '%file% %title%'; mpc status
          ask $MPD_HOST
          $SEGUE queue save All; mpc playlist -f '%file%' All; cat lists/*; cat log log.txt watched json; } >> seen 2>&1
        $SEGUE quit; wait $s $w $j
        start; plays 1; plays 3; $SEGUE quit; wait $s
        grep -c geheim seen; grep -c '\(shown)' lists/*; ls -l state | grep stream-passwords | cut -c 1-10
        grep -rl geheim state lists
        """)
      let lines = [
        "plays 1", "plays 2", "plays 3", "plays 1", "plays 3", "0", "6", "-rw-------", "state/stream-passwords",
      ]
      #expect(outcome.lines == lines, "\(outcome.output)\(outcome.errors)")
    }

    @Test func `Each title of a station is an event for scripts and people`() throws {
      let interval = 8_192
      let server = try StreamServer { [flac] _, connection in
        connection.send(["Content-Type: audio/flac", "icy-name: Radio", "icy-metaint: \(interval)"])
        var number = 0
        while true {
          for start in stride(from: 0, to: flac.count - interval, by: interval) {
            let sent = start == 0 ? Array("StreamTitle='Band - Song \(number)';".utf8) : []
            let padding = [UInt8](repeating: 0, count: (16 - sent.count % 16) % 16)
            let block = [UInt8((sent.count + 15) / 16)] + sent + padding
            guard connection.send(Array(flac[start..<(start + interval)]) + block) else { return }
          }
          number += 1
        }
      }
      let outcome = try playground.shell(
        """
        $SEGUE serve --output silent > log 2>&1 & s=$!; await '[ -S state/socket ]'
        $SEGUE watch > lines & w=$!; $SEGUE watch --json > objects & j=$!; await '[ -s lines ] && [ -s objects ]'
        $SEGUE play \(server.address("/radio")); await '[ "$(grep -c "Song .* - Band - Radio" lines)" -ge 2 ]'
        await '[ "$(grep -c "\"event\":\"title\"" objects)" -ge 2 ]'
        grep -m 1 '"event":"title"' objects | grep -oE '"(artists|artist|album)":[^],}]*'
        $SEGUE quit; wait $s $w $j
        """)
      #expect(
        Set(outcome.lines).isSuperset(of: ["\"album\":\"Radio\"", "\"artist\":\"Band\"", "\"artists\":[\"Band\""]),
        "\(outcome.output)\(outcome.errors)")
    }

    @Test func `The status of a stream has the depth, the codec and the bit rate of its audio`() throws {
      let server = try server()
      let outcome = try playground.shell(
        """
        \(Self.ask)
        $SEGUE serve --output silent > log 2>&1 & s=$!; await '[ -S state/socket ]'
        $SEGUE play \(server.address("/a.flac")) && $SEGUE pause && await '$SEGUE status | grep -q "^  codec"'
        $SEGUE status | grep -E '^  (file|codec|path) '; $SEGUE status --json | grep -oE '"(bits|codec)":[^,}]*'
        ask $PWD/state/socket | grep -E '^(audio|bitrate)'
        $SEGUE quit; wait $s
        """)
      let lines = outcome.lines
      #expect(lines.contains("  file        16 bits, 44100 Hz, stereo"), "\(outcome.output)\(outcome.errors)")
      #expect(lines.contains { $0.hasPrefix("  codec       FLAC, ") && $0.hasSuffix(" kbit/s") }, "\(outcome.output)")
      #expect(lines.contains("\"codec\":\"FLAC\"") && lines.contains("\"bits\":16"), "\(outcome.output)")
      #expect(lines.contains("audio: 44100:16:2") && !lines.contains("bitrate: 0"), "\(outcome.output)")
      #expect(!outcome.output.contains("lossy"), "\(outcome.output)")
    }

    @Test func `A server that cannot be reached is named, and the music goes on`() throws {
      try playground.directory.write("http://127.0.0.1:1/a\na.flac\n".utf8, to: "list.m3u")
      let outcome = try playground.segue("play", playground["list.m3u"], "--output", "raw:out.raw")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains("skipped http://127.0.0.1:1/a: cannot be reached (connection refused)"),
        "\(outcome.errors)")
      #expect(try playground.bytes("out.raw") == samples)
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `A station is added by a client, shows its titles, and stays in the queue and in lists`() throws {
      let server = try server()
      let address = server.address("/radio")
      let outcome = try playground.shell(
        """
        export MPD_HOST=$PWD/state/socket SEGUE_PLAYLISTS=$PWD/lists
        start() { $SEGUE serve --output silent > log 2>&1 & s=$!; await '[ -S state/socket ]'; }
        start
        mpc -q add \(address); mpc -q play 1
        await '[ "$(mpc current)" = "Radio Test: Band - Song" ]'; mpc current
        mpc -f '%file%' playlist; mpc -f '%name%' current
        mpc -f '%artist%: %title%' current
        $SEGUE queue list; $SEGUE queue --json | grep -o '"artists":[^]]*'
        timeout 2 $SEGUE watch > watched; head -n 1 watched
        $SEGUE status | head -n 2; $SEGUE status --json | grep -o '"path":"[^"]*"'
        $SEGUE seek 10 2>&1; mpc seek 10 2>&1 | head -n 1
        $SEGUE queue save Radio 2>&1; mpc -f '%file%' playlist Radio
        $SEGUE search radio 2>&1 | grep -c 127.0.0.1
        kill -9 $s; wait $s; rm -f state/socket; start
        mpc -f '%file%' playlist; mpc -q play 1; await '[ "$(mpc current)" = "Radio Test: Band - Song" ]'; echo again
        $SEGUE quit; wait $s; cat log | grep -v listening
        """)
      #expect(
        outcome.lines == [
          "Radio Test: Band - Song", address, "Radio Test", "Band: Song",
          ">\t1\tSong\tBand\tRadio Test\t-:--", "\"artists\":[\"Band\"",
          "playing: Song - Band - Radio Test",
          "▶ Song", "  Band · Radio Test",
          "\"path\":\"\(address)\"", "segue: this stream does not allow seeking", "MPD error: Not seekable",
          "saved 1 track: Radio", address, "0",
          address, "again",
        ], "\(outcome.output)\(outcome.errors)")
    }
  }
}
