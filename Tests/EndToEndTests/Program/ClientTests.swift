// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Common MPD clients, connected to a running player.
  @Suite(.serialized) struct Clients {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs `body` while `segue serve` runs with a scanned library.
    private func withServer(_ body: () throws -> Void) throws {
      // Use a copy of the library, since playlists are saved in it.
      #expect(try playground.shell("cp -r '\(Playground.music)' music").status == 0)
      let library = ["--library", playground["music"]]
      #expect(try playground.run(Playground.program.string, ["scan"] + library).status == 0)
      let server = try TerminalSession(playground, ["serve", "--output", "silent"] + library)
      #expect(server.shows("listening on \(playground["state/socket"])"))
      try body()
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `mpc browses, searches, queues, plays, seeks, sets modes and manages playlists`() throws {
      try withServer {
        let outcome = try playground.shell(
          """
          export MPD_HOST="$PWD/state/socket"
          mpc() { command mpc "$@" || echo "mpc $1: $?"; }
          mpc ls | head -n 1; mpc search artist clockwork | wc -l; mpc -q add 'The Clockwork Consort/Ground and Air'
          mpc playlist | head -n 1; mpc -q play 2; mpc current; mpc -q seek 3; mpc -q pause; mpc status | sed -n 2p | cut -c-15
          mpc -q volume 40; mpc -q random on; mpc -q single once; mpc status | tail -n 1; mpc -q random off
          mpc -q move 1 3; mpc -q del 4; mpc playlist | wc -l; mpc list album | wc -l; mpc -q clear; mpc -q findadd album 'Parlour Pieces'
          mpc playlist | wc -l; mpc -q sticker 'The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac' set rating 8
          mpc sticker 'The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac' get rating; mpc outputs | cut -c-8
          (mpc idle mixer > idle; echo "woken: $(cat idle)" > woken) &
          await '[ -e woken ] || { mpc -q volume 29; mpc -q volume 30; false; }'; wait; cat woken; mpc stats | head -n 3 | tail -n 1
          $SEGUE queue | wc -l; $SEGUE volume; mpc -q stop
          """)
        #expect(
          outcome.lines == [
            "Music Box Theatre", "5", "The Clockwork Consort - Canon in D, Part One",
            "The Clockwork Consort - Canon in D, Part Two", "[paused]  #2/4 ",
            "volume: 40%   repeat: off   random: on    single: once  consume: off", "3", "4", "5", "rating=8",
            "Output 1", "woken: mixer", "Songs:       16", "5", "volume 30",
          ], "\(outcome.output) \(outcome.errors)")
      }
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/mpd"), "python3-mpd is not installed"
      ))
    func `python-mpd2 sees its own changes, and is notified of those by other clients`() throws {
      let script = """
        import mpd, subprocess, os
        c = mpd.MPDClient(); c.connect(os.path.abspath("state/socket"))
        c.findadd("album", "Parlour Pieces"); c.play(1)
        print(len(c.playlistinfo()), c.currentsong()["title"], c.status()["state"])
        c.command_list_ok_begin(); c.next(); c.single("oneshot"); c.status(); print(c.command_list_end()[2]["single"])
        print(c.list("album", "group", "albumartist")[0]["album"], c.search("(title contains 'canon')")[0]["title"])
        version = c.status()["playlist"]; c.moveid(c.playlistinfo()[0]["id"], 2)
        print([change["pos"] for change in c.plchanges(version)])
        c.save("evening"); print([list["playlist"] for list in c.listplaylists()]); c.clear(); c.load("evening")
        print(len(c.listplaylistinfo("evening")), c.status()["playlistlength"]); c.rm("evening")
        c.crossfade(3); c.replay_gain_mode("album"); print(c.status()["xfade"], c.replay_gain_status())
        c.update(); c.idle("update")
        other = subprocess.run([os.environ["SEGUE"], "queue", "clear"], capture_output=True)
        print(c.idle("playlist"), c.status()["playlistlength"])
        try: c.addid("no such file")
        except mpd.CommandError as error: print(str(error)[:7])
        """
      try withServer {
        let outcome = try playground.run("/usr/bin/python3", ["-c", script])
        #expect(
          outcome.lines == [
            "5 Für Elise play", "oneshot", "Parlour Pieces Canon in D, Part One", "['0', '1', '2']",
            "['evening']", "5 5", "3 album", "['playlist'] 0", "[50@0] ",
          ], "\(outcome.output) \(outcome.errors)")
      }
    }

    @Test(.enabled(if: Tool.exists("ncmpcpp"), "ncmpcpp is not installed"))
    func `ncmpcpp shows the queue, and follows changes by other clients`() throws {
      try withServer {
        #expect(try playground.segue("play", "parlour", "--library", playground["music"]).status == 0)
        try playground.directory.write(
          Array("ncmpcpp_directory = \(playground["nc"])\nmpd_host = \(playground["state/socket"])\n".utf8),
          to: "nc/config")
        let client = try TerminalSession(
          playground, ["-c", playground["nc/config"], "-b", "/dev/null"], program: "/usr/bin/ncmpcpp")
        #expect(client.shows("The Entertainer"))
        client.type("2")
        #expect(client.shows("[The Clockwork Consort]"))
        client.type("4")
        #expect(client.shows("Media library"))
        client.type("1")
        #expect(try playground.segue("queue", "add", "ground", "--library", playground["music"]).status == 0)
        #expect(client.shows("Gymnop"))
        client.type("q")
        #expect(client.exitStatus() == 0)
      }
    }
  }
}

extension ProgramTests {
  /// The player on a private D-Bus session bus.
  @Suite(
    .serialized,
    .enabled(
      if: ["dbus-daemon", "playerctl"].allSatisfy(Tool.exists), "dbus-daemon or playerctl is not installed"))
  struct Desktop {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `Files and directories can be opened, and covers are cached for the owner alone`() throws {
      let outcome = try playground.shell(
        """
        export DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/bus SEGUE_CACHE_DIR=$PWD/cache
        # The bus starts after the player.
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '[ -S state/socket ]'
        dbus-daemon --session --nofork --address=$DBUS_SESSION_BUS_ADDRESS >/dev/null 2>&1 & d=$!
        await 'playerctl -l 2>/dev/null | grep -q segue'
        p() { playerctl --player=segue "$@"; }
        p open "$SEGUE_LIBRARY/時計の楽団"; await 'p metadata xesam:artist | grep -q 時計の楽団'; $SEGUE queue | wc -l
        p open "$SEGUE_LIBRARY/The Clockwork Consort/Ground and Air/02 Canon in D, Part Two.flac"
        await '[ "$(p metadata title)" = "Canon in D, Part Two" ]'; $SEGUE queue | wc -l
        p metadata mpris:artUrl | grep -c "^file://$PWD/cache/covers/[0-9a-f]*.jpg$"; stat -c %a cache/covers cache/covers/* | sort -u
        p open ftp://example.org/a.flac 2>/dev/null || echo refused
        kill $s; wait $s; kill $d
        """)
      #expect(
        outcome.lines == ["3", "1", "1", "600", "700", "refused"], "\(outcome.output)\(outcome.errors)")
    }
  }
}
