import SystemPackage
import Testing

extension ProgramTests {
  /// The options of a player, and what each refuses: with one line and a status, before anything is played.
  @Suite(.serialized) struct Options {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [
      (["--buffer", "49"], "--buffer 49: write 50 to 2000 milliseconds"),
      (["--buffer", "2001"], "--buffer 2001"),
      (["--rate", "0"], "--rate 0: write 8000 to 768000 Hz"), (["--rate", "768001"], "--rate 768001"),
      (["--rate", "cd"], "'cd' is invalid for '--rate"),
      (["--depth", "20"], "--depth 20: write 16, 24 or 32 bits"),
      (["--on-format-change", "x"], "--on-format-change x: write reopen, resample"),
      (["--volume", "101"], "--volume 101: write 0 to 100"), (["--volume=-1"], "--volume -1: write 0 to 100"),
      (["--replay-gain", "loud"], "--replay-gain loud: write off, track, album, auto"),
      (["--preamp", "52"], "--preamp 52: write -51 to 51 dB"), (["--preamp", "nan"], "--preamp nan"),
      (["--fallback-gain=-52"], "--fallback-gain -52: write -51 to 51 dB"),
      (["--clipping", "x"], "--clipping x: write peak, limiter, none"),
      (["--crossfade", "31"], "--crossfade 31: write 0 to 30 seconds"),
      (["--crossfade", "nan"], "--crossfade nan"),
      (["--crossfade-albums"], "--crossfade-albums needs --crossfade"),
      (["--sleep", "10"], "no time to sleep is \"10\": write 45m"), (["--sleep", "0s"], "no time to sleep"),
      (["--sleep-after", "disc"], "--sleep-after disc: write track, album or queue"),
      (["--sleep", "1m", "--sleep-after", "track"], "not both"),
    ])
    func `A value out of its range is one line and a status`(options: [String], part: String) throws {
      let outcome = try playground.run(
        Playground.program.string, ["play", "ground", "--output", "raw:out.raw"] + options)
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty && outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.errors.hasPrefix("segue: ") && outcome.errors.contains(part), "\(outcome.errors)")
      #expect((try? playground.bytes("out.raw")) == nil)
    }

    @Test func `The words of the REPL show what they set, and refuse what is out of their range`() throws {
      let script = """
        replaygain
        replaygain album
        replaygain loud
        replaygain
        crossfade
        crossfade 5
        crossfade 31
        crossfade
        crossfade 2.5 --albums
        crossfade
        sleep
        sleep 5m
        play ground
        sleep --after disc
        sleep 5m --fade 4000
        sleep --after album
        sleep
        sleep off
        sleep
        quit
        """
      let outcome = try playground.segue("repl", "--output", "silent", input: script)
      #expect(outcome.status == 1)
      #expect(
        outcome.lines == [
          "ReplayGain off", "ReplayGain album", "no crossfade", "crossfade 5 s",
          "crossfade 2.5 s, albums too",
          "no sleep timer is set",
          "1/4 Canon in D, Part One - The Clockwork Consort - Ground and Air (0:08)",
          "stops after this album", "no sleep timer is set",
        ])
      #expect(try playground.segue("repl", "--volume", "101").status == 2)
      #expect(
        outcome.errors.split(separator: "\n") == [
          "segue: line 3: replaygain loud: write off, track, album, auto",
          "segue: line 7: crossfade 31: write 0 to 30 seconds, or off",
          "segue: line 12: nothing is playing: play an album first",
          "segue: line 14: --after disc: write track, album or queue",
          "segue: line 15: --fade 4000.0: write 0 to 3600 seconds",
        ])
    }
  }
}
