// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Files that FFmpeg decodes, in the library and in the player.
  @Suite(.serialized, .enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"))
  struct FFmpegFormats {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Creates an album cut from one recording: `count` files, of which each second one is in a format of FFmpeg.
    /// Returns the recording.
    private func makeAlbum(_ count: Int) throws -> [UInt8] {
      let made = try playground.shell(
        """
        mkdir -p album && cd album
        ffmpeg -v error -nostdin -f lavfi -i 'aevalsrc=0.3*sin(2000*t)*sin(t)|0.2*sin(3001*t):s=44100:d=\(count).3' \
          -c:a pcm_s16le whole.wav
        for i in $(seq 0 \(count - 1)); do
          case $((i % 4)) in 0) options='-c:a alac' suffix=m4a ;; 2) options='-c:a wavpack' suffix=wv ;;
            *) options='-c:a flac' suffix=flac ;; esac
          start=$((i * 44103)); end=$(((i + 1) * 44103))
          [ $i = \(count - 1) ] && end=100000000
          ffmpeg -v error -nostdin -i whole.wav -af "atrim=start_sample=$start:end_sample=$end,asetpts=PTS-STARTPTS" \
            $options -metadata title="Part $i" -metadata album=Whole -metadata artist=Somebody -metadata track=$((i + 1)) \
            "$(printf %03d $i).$suffix" || exit 1
        done
        ffmpeg -v error -nostdin -i whole.wav -f s16le ../whole.raw && rm whole.wav
        """)
      #expect(made.status == 0, "\(made.errors)")
      return try playground.bytes("whole.raw")
    }

    @Test func `An album in formats of both decoders, cut from one recording, is rendered as that recording`() throws {
      let whole = try makeAlbum(9)
      let outcome = try playground.segue("play", playground["album"], "--output", "raw:out.raw")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let rendered = try playground.bytes("out.raw")
      #expect(rendered.count == whole.count)
      #expect(rendered == whole, "equal up to \(zip(rendered, whole).prefix { $0 == $1 }.count) bytes")
    }

    @Test func `The library lists such files with their tags, formats and lengths`() throws {
      _ = try makeAlbum(3)
      #expect(try playground.segue("scan", "--library", playground["album"]).status == 0)
      let listed = try playground.segue("tracks", "artist:somebody", "--json", "--library", playground["album"])
      #expect(listed.status == 0, "\(listed.errors)")
      for part in ["Part 0", "Part 1", "Part 2", "Whole"] { #expect(listed.output.contains(part), "\(part)") }
      let problems = try playground.segue("problems", "--library", playground["album"])
      #expect(!problems.output.contains("m4a") && !problems.output.contains("wv"))
    }

    @Test func `Tags and covers of containers that only FFmpeg reads are shown like those of other files`() throws {
      let made = try playground.shell(
        """
        mkdir -p album && cd album
        ffmpeg -v error -nostdin -f lavfi -i color=red:s=64x64:d=1 -frames:v 1 ../red.png || exit 1
        tag() { echo "-metadata title=$1 -metadata artist=Somebody -metadata album=Whole -metadata track=$2/9"; }
        sound='-f lavfi -i sine=d=1:r=48000'
        ffmpeg -v error -nostdin $sound -c:a flac $(tag Mka 1) -metadata replaygain_track_gain='-3 dB' \
          -attach ../red.png -metadata:s:t mimetype=image/png -metadata:s:t filename=cover.png a.mka || exit 1
        ffmpeg -v error -nostdin $sound -c:a libopus $(tag Webm 2) b.webm || exit 1
        ffmpeg -v error -nostdin $sound -c:a aac $(tag Aac 3) -write_id3v2 1 c.aac || exit 1
        ffmpeg -v error -nostdin $sound -c:a real_144 -ar 8000 -ac 1 -metadata title=Ra -metadata author=Somebody d.ra
        ffmpeg -v error -nostdin $sound -c:a aac $(tag Keys 5) -movflags use_metadata_tags e.m4a || exit 1
        ffmpeg -v error -nostdin $sound -f lavfi -i color=red:s=64x64:d=1:r=5 -map 1 -map 0 -c:v libtheora \
          -c:a libvorbis $(tag Ogg 6) f.ogg || exit 1
        """)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try playground.segue("scan", "--library", playground["album"]).status == 0)
      let listed = try playground.segue("tracks", "album:whole", "--json", "--library", playground["album"])
      for title in ["Mka", "Webm", "Aac", "Keys", "Ogg"] {
        #expect(listed.output.contains("\"\(title)\""), "\(title): \(listed.output)")
      }
      let all = try playground.segue("tracks", "--json", "--library", playground["album"])
      #expect(all.output.contains("\"Ra\""), "\(all.output)")
    }

    @Test func `A file whose decoder is missing is skipped, with the name of the package`() throws {
      _ = try makeAlbum(2)
      let outcome = try playground.shell(
        "mkdir bin && cp \"$SEGUE\" bin/ && bin/segue play album --output raw:out.raw")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains(
          "is ALAC in an MP4 container, which libsndfile does not decode; install segue-decode to play it"),
        "\(outcome.errors)")
      #expect(try playground.bytes("out.raw").count > 100_000)
    }

    @Test func `A damaged file is skipped, and the music goes on`() throws {
      _ = try makeAlbum(3)
      let damage = try playground.shell("head -c 3000 album/000.m4a > cut && mv cut album/000.m4a")
      #expect(damage.status == 0)
      let outcome = try playground.segue("play", playground["album"], "--output", "raw:out.raw")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("000.m4a"), "\(outcome.errors)")
      #expect(try playground.bytes("out.raw").count > 300_000)
    }
  }
}
