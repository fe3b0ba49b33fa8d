import TestSupport
import Testing

extension ProgramTests {
  /// The built program on a session bus of the test's own.
  @Suite(.serialized, .enabled(if: ["dbus-daemon", "dbus-send", "playerctl"].allSatisfy(Tool.exists)))
  struct Desktop {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `Files and directories are opened and added, and their pictures are copied for the owner alone`() throws
    {
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
        list=org.mpris.MediaPlayer2.TrackList
        add() { dbus-send --print-reply --dest=org.mpris.MediaPlayer2.segue /org/mpris/MediaPlayer2 $list.AddTrack "$@" >/dev/null; }
        add "string:file://${SEGUE_LIBRARY// /%20}/Various%20Artists" objpath:/org/mpris/MediaPlayer2/TrackList/NoTrack boolean:true
        await '[ "$(p metadata title)" = Greensleeves ]'; $SEGUE queue | cut -f 2,3
        p open https://example.org/a.flac 2>/dev/null || echo refused
        kill $s; wait $s; kill $d
        """)
      #expect(
        outcome.lines == [
          "3", "1", "1", "600", "700", "1\tGreensleeves", "2\tMinuet in G", "3\tOde to Joy", "4\tAuld Lang Syne",
          "5\tCanon in D, Part Two", "refused",
        ], "\(outcome.output)\(outcome.errors)")
    }
  }
}
