// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Disks that are full or read-only.
  @Suite(.serialized, .enabled(if: canMount, "nothing can be mounted")) struct FullDisks {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs `script` with a private file system of this size mounted at `disk`.
    private func withDisk(_ size: String, _ script: String) throws -> Playground.Outcome {
      try playground.directory.makeDirectory("disk")
      try playground.directory.write(script.utf8, to: "script")
      return try playground.shell(
        """
        export -f await
        unshare -m bash -c 'mount -t tmpfs -o size=\(size) none disk && . ./script'
        """)
    }

    @Test func `An edit that does not fit on a full disk is reported, shown by listings, and finally stored`()
      throws
    {
      let outcome = try withDisk(
        "400k",
        """
        export SEGUE_STATE_DIR=$PWD/disk/state SEGUE_PLAYLISTS=$PWD/lists
        mkdir -p music; for i in {1..900}; do echo "$PWD/music/$i.flac" >>long.m3u; touch music/$i.flac; done
        $SEGUE serve --output silent 2>serve.log >/dev/null & player=$!
        await '[ -S disk/state/socket ]'
        $SEGUE queue add ground >/dev/null; echo $?
        cat /dev/zero >disk/filler 2>/dev/null
        for line in 'queue load ./long.m3u' 'queue remove 1' 'queue add parlour' 'mode repeat all'; do
          $SEGUE $line 2>>errors >/dev/null; echo $?
        done
        $SEGUE queue 2>>errors | wc -l
        $SEGUE queue save all 2>>errors >/dev/null; grep -vc '^#' lists/all.m3u8
        grep -c 'done, but not saved yet' errors; grep -c 'the disk is full; free some space' errors; wc -l <errors
        rm disk/filler
        await '[ $($SEGUE queue 2>&1 | grep -c full) = 0 ]'
        kill -9 $player; wait $player 2>/dev/null
        $SEGUE queue | wc -l
        """)
      #expect(
        outcome.lines == ["0", "1", "1", "1", "1", "904", "904", "4", "6", "6", "904"], "\(outcome)")
    }

    @Test func `Without a player, an edit that does not fit on a full disk is refused`() throws {
      let outcome = try withDisk(
        "300k",
        """
        export SEGUE_STATE_DIR=$PWD/disk/state
        $SEGUE queue add ground >/dev/null; echo $?
        cat /dev/zero >disk/filler 2>/dev/null
        mkdir -p music; for i in {1..900}; do echo "$PWD/music/$i.flac" >>long.m3u; : >music/$i.flac; done
        $SEGUE queue load ./long.m3u; echo $?
        rm disk/filler; $SEGUE queue | wc -l
        """)
      #expect(
        outcome.lines == ["0", "1", "4"] && outcome.errors.contains("cannot save the queue in "), "\(outcome)")
    }

    @Test func `A directory is played even if there is no room for the index`() throws {
      let outcome = try withDisk(
        "64k",
        """
        cp -r "$SEGUE_LIBRARY/The Clockwork Consort/Ground and Air" album
        export SEGUE_DATA_DIR=$PWD/disk/data; cat /dev/zero >disk/filler 2>/dev/null
        for name in album ./album; do $SEGUE play $name --output raw:out.raw | wc -l; echo ${PIPESTATUS[0]}; done
        """)
      #expect(outcome.lines == ["4", "0", "4", "0"], "\(outcome)")
    }

    @Test func `A queue that is readable but not writable is resumed`() throws {
      let outcome = try withDisk(
        "1m",
        """
        export SEGUE_STATE_DIR=$PWD/disk/state
        $SEGUE queue add ground >/dev/null; $SEGUE mode consume on >/dev/null
        mount -o remount,ro disk
        $SEGUE play --output silent:50 2>errors; echo $?
        $SEGUE queue add ground 2>>errors; echo $?
        wc -l <errors; $SEGUE queue | wc -l
        """)
      #expect(outcome.lines.count == 4 + 1 + 3, "\(outcome)")
      #expect(outcome.lines.suffix(4) == ["0", "1", "2", "4"], "\(outcome)")
    }
  }
}

/// Whether a process may mount a private file system here.
private let canMount = (try? Tool.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"])) != nil
