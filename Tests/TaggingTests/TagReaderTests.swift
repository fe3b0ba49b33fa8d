// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Tagging
import TestSupport
import Testing

struct TagReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func flac(_ tags: [(String, String)], name: String = "a.flac") throws -> Track {
    try TagReader().track(at: directory.write(SoundBytes.flac(tags), to: FilePath(name)))
  }

  @Test func `Every field of a track is read`() throws {
    let track = try flac([
      ("TITLE", "So What"), ("ARTIST", "Miles Davis"), ("ARTIST", "John Coltrane"), ("ALBUM", "Kind of Blue"),
      ("ALBUMARTIST", "Miles Davis"), ("TRACKNUMBER", "01"), ("TRACKTOTAL", "5"), ("DISCNUMBER", "1/2"),
      ("DATE", "1959-08-17"), ("GENRE", "Jazz"), ("GENRE", "Modal"), ("COMPOSER", "Miles Davis"),
      ("COMPILATION", "1"), ("TITLESORT", "so"), ("ARTISTSORT", "Davis, Miles"), ("ALBUMSORT", "kind"),
      ("ALBUMARTISTSORT", "Davis"), ("REPLAYGAIN_TRACK_GAIN", "-7.32 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.988"),
      ("REPLAYGAIN_ALBUM_GAIN", "+1.5 dB"), ("REPLAYGAIN_ALBUM_PEAK", "1.1"),
      ("MUSICBRAINZ_ALBUMID", "A1B2C3D4-0000-1111-2222-333344445555"),
    ])
    #expect(track.title == "So What")
    #expect(track.artists == ["Miles Davis", "John Coltrane"])
    #expect(track.album == "Kind of Blue")
    #expect(track.albumArtists == ["Miles Davis"])
    #expect(track.number == Ordinal(1, of: 5))
    #expect(track.disc == Ordinal(1, of: 2))
    #expect(track.date == ReleaseDate(year: 1959, month: 8, day: 17))
    #expect(track.genres == ["Jazz", "Modal"])
    #expect(track.composers == ["Miles Davis"])
    #expect(track.isCompilation)
    #expect(track.sortNames.title == "so")
    #expect(track.sortNames.artist == "Davis, Miles")
    #expect(track.sortNames.album == "kind")
    #expect(track.sortNames.albumArtist == "Davis")
    #expect(track.replayGain.trackGain == -7.32)
    #expect(track.replayGain.trackPeak == 0.988)
    #expect(track.replayGain.albumGain == 1.5)
    #expect(track.replayGain.albumPeak == 1.1)
    #expect(track.musicBrainzAlbumID == "a1b2c3d4-0000-1111-2222-333344445555")
    #expect(track.duration == .seconds(2))
    #expect(track.audio == AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: 16))
  }

  @Test(
    arguments: [
      ("3", nil, Ordinal(3)), ("03/12", nil, Ordinal(3, of: 12)), ("3/0", nil, Ordinal(3)), ("-1", nil, nil),
      ("0", nil, Ordinal(0)), ("A1", nil, Ordinal(101)), ("", nil, nil), ("3/x", nil, Ordinal(3)),
      ("3", "12", Ordinal(3, of: 12)),
      ("99999999999999999999", nil, nil), ("3/99999999999999999999", nil, Ordinal(3)),
      (" 7 ", nil, Ordinal(7)),
      ("3 of 12", nil, Ordinal(3)), ("3", "0", Ordinal(3)), ("/12", nil, nil), ("10000", nil, nil),
      ("b-02", nil, Ordinal(202)), ("C", nil, Ordinal(300)), ("A12/14", nil, Ordinal(112, of: 14)),
      ("D.3", "9", Ordinal(403, of: 9)),
      ("XIV", nil, Ordinal(14)), ("ix", nil, Ordinal(9)), ("I", nil, Ordinal(1)), ("A0", nil, nil), ("A100", nil, nil),
      ("AB1", nil, nil), ("IIII", nil, nil), ("A1 x", nil, nil), ("A-", nil, nil), ("-", nil, nil), ("Ä1", nil, nil),
    ] as [(String, String?, Ordinal?)])
  func `A track number is parsed, or left out if it is implausible`(number: String, total: String?, expected: Ordinal?)
    throws
  {
    let track = try flac([("TRACKNUMBER", number)] + (total.map { [("TOTALTRACKS", $0)] } ?? []))
    #expect(track.number == expected)
  }

  @Test(arguments: [("A1", "A1"), (" iv ", "iv"), ("B2/8", "B2"), ("07", "7"), ("A1 x", nil)] as [(String, String?)])
  func `A track number is shown as it is written`(number: String, shown: String?) throws {
    let track = try flac([("TITLE", "T"), ("TRACKNUMBER", number)])
    #expect(track.shownNumber == shown)
  }

  @Test func `A disc has no sides, but may have a Roman number`() throws {
    #expect(try flac([("DISCNUMBER", "A1")]).disc == nil)
    #expect(try flac([("DISCNUMBER", "II")]).disc == Ordinal(2))
  }

  @Test(
    arguments: [
      (["Ann feat. Bea"], ["Ann", "Bea"], ["Ann", "Bea"], "Ann feat. Bea"),
      (["Ann"], ["Ann"], ["Ann"], "Ann"), ([], ["Ann", "Bea"], ["Ann", "Bea"], "Ann, Bea"),
      (["Ann", "Bea"], ["Ann; Bea"], ["Ann", "Bea"], "Ann, Bea"), (["AC/DC"], [], ["AC/DC"], "AC/DC"),
      (["A. Other"], ["Ann Other"], ["Ann Other"], "A. Other"),
    ] as [([String], [String], [String], String)])
  func `The artists are listed one by one, and shown as they are credited`(
    credit: [String], persons: [String], expected: [String], shown: String
  ) throws {
    let track = try flac(credit.map { ("ARTIST", $0) } + persons.map { ("ARTISTS", $0) })
    #expect(track.artists == expected)
    #expect(track.artistCredit == shown)
  }

  @Test(
    arguments: [
      ([("ALBUMARTIST", "Ann & Bea"), ("ALBUMARTISTS", "Ann"), ("ALBUMARTISTS", "Bea")], ["Ann", "Bea"], "Ann & Bea"),
      (
        [("ALBUM ARTIST", "Ann & Bea"), ("album artists", "Ann"), ("Album_Artists", "Bea")], ["Ann", "Bea"], "Ann & Bea"
      ),
      ([("ALBUMARTIST", "Ann"), ("ALBUMARTISTS", "Ann")], ["Ann"], "Ann"),
      ([("ALBUMARTISTS", "Ann"), ("ALBUMARTISTS", "Bea")], ["Ann", "Bea"], "Ann, Bea"),
      ([("ALBUMARTIST", "Ann"), ("ALBUMARTIST", "Bea"), ("ALBUMARTISTS", "Ann; Bea")], ["Ann", "Bea"], "Ann, Bea"),
      ([("ALBUMARTIST", "A. Other"), ("ALBUMARTISTS", "Ann Other")], ["Ann Other"], "A. Other"), ([], [], ""),
    ] as [([(String, String)], [String], String)])
  func `The album artists are listed one by one, and shown as they are credited`(
    tags: [(String, String)], expected: [String], shown: String
  ) throws {
    let track = try flac(tags)
    #expect(track.albumArtists == expected)
    #expect(track.albumArtistCredit == shown)
  }

  @Test(arguments: ["0.5", "3.14", "0.5 Remix", "12.7"])
  func `A decimal number at the beginning of a file name is no track number`(name: String) {
    let parsed = FileNameTitle(name)
    #expect(parsed.title == name)
    #expect(parsed.number == nil)
  }

  @Test(arguments: ["05. Title", "1.03 Title", "01.1984", "1-02 Title", "5. Title"])
  func `A number in a file name that is not decimal stays a track number`(name: String) {
    #expect(FileNameTitle(name).number != nil)
  }

  @Test(
    arguments: [
      ("1959", ReleaseDate(year: 1959)), ("1959-08", ReleaseDate(year: 1959, month: 8)),
      ("1959-08-17T00:00:00Z", ReleaseDate(year: 1959, month: 8, day: 17)),
      ("1959-00-00", ReleaseDate(year: 1959)),
      ("1959-13-01", ReleaseDate(year: 1959)), ("1959-02-99", ReleaseDate(year: 1959, month: 2)),
      ("19590817", ReleaseDate(year: 1959, month: 8, day: 17)), ("17.08.1959", ReleaseDate(year: 1959)),
      ("99999", nil), ("0000", nil), ("-5", nil), ("next year", nil), ("59", nil),
      ("c. 1959 (remaster)", ReleaseDate(year: 1959)),
    ] as [(String, ReleaseDate?)])
  func `A date is parsed, or left out if it is implausible`(text: String, expected: ReleaseDate?) throws {
    #expect(try flac([("DATE", text)]).date == expected)
  }

  @Test func `The first field that contains a date is used`() throws {
    #expect(try flac([("DATE", "soon"), ("YEAR", "1959")]).date?.year == 1959)
    #expect(try flac([("ORIGINALDATE", "1959")]).date?.year == 1959)
  }

  @Test(
    arguments: [
      ("nan dB", nil), ("inf", nil), ("-1e300 dB", nil), ("loud", nil), ("", nil), ("-7,5 dB", -7.5),
      ("3", 3),
      ("--3", nil),
    ] as [(String, Double?)])
  func `A gain is parsed, or left out if it is implausible`(text: String, expected: Double?) throws {
    #expect(try flac([("REPLAYGAIN_TRACK_GAIN", text)]).replayGain.trackGain == expected)
  }

  @Test(arguments: [("0", false), ("1", true), ("true", true), ("false", false), ("No", false)])
  func `The flag of a compilation is read`(text: String, expected: Bool) throws {
    #expect(try flac([("COMPILATION", text)]).isCompilation == expected)
  }

  @Test func `An invalid MusicBrainz identifier is left out`() throws {
    #expect(try flac([("MUSICBRAINZ_ALBUMID", "1")]).musicBrainzAlbumID == nil)
  }

  @Test func `A NUL separates values, and line breaks become spaces`() throws {
    let path = try directory.write(
      SoundBytes.mp3([
        ("TIT2", Array("One\0Two".utf8)), ("TPE1", Array("A\0B\0A".utf8)),
        ("TALB", Array("Two\r\n\nLines\t".utf8)),
        ("TRCK", Array("3/12".utf8)), ("TPOS", Array("2/2".utf8)), ("TCMP", Array("1".utf8)),
        ("TDRC", Array("2003".utf8)), ("TPE2", Array("Band".utf8)), ("TSOP", Array("Sort".utf8)),
      ]), to: "a.mp3")
    let track = try TagReader().track(at: path)
    #expect(track.title == "One")
    #expect(track.artists == ["A", "B"])
    #expect(track.album == "Two Lines")
    #expect(track.number == Ordinal(3, of: 12))
    #expect(track.disc == Ordinal(2, of: 2))
    #expect(track.isCompilation)
    #expect(track.date?.year == 2003)
    #expect(track.albumArtists == ["Band"])
    #expect(track.sortNames.artist == "Sort")
    #expect(track.audio == AudioSummary(sampleRate: 44_100, channels: 2))
  }

  @Test func `Loudness in an APE tag is read, too, but an ID3 tag takes precedence`() throws {
    let tags = SoundBytes.ape([("REPLAYGAIN_TRACK_GAIN", "-6.5 dB"), ("Title", "Not this")])
    let bytes = SoundBytes.mp3([("TIT2", Array("This".utf8))]) + tags
    let track = try TagReader().track(at: directory.write(bytes, to: "a.mp3"))
    #expect(track.title == "This")
    #expect(track.replayGain.trackGain == -6.5)
  }

  @Test func `Blank values and invalid text do no harm`() throws {
    let path = try directory.write(
      SoundBytes.flac(comments: [
        Array("TITLE= \n ".utf8), Array("ALBUM=".utf8) + [0xFF, 0xFE, 0x41], Array("no equals sign".utf8),
        Array("=".utf8), Array("ARTIST=\0\0".utf8),
      ]), to: "name.flac")
    let track = try TagReader().track(at: path)
    #expect(track.title == "name")
    #expect(track.artists.isEmpty)
  }

  @Test func `A value too long to be a title is left out`() throws {
    #expect(
      try flac([("TITLE", String(repeating: "x", count: 100_000))], name: "short.flac").title == "short")
  }

  @Test(
    arguments: [
      ("03 Title.wav", "Title", 3, nil), ("03 - Title.wav", "Title", 3, nil),
      ("03. Title.wav", "Title", 3, nil),
      ("1-03 Title.wav", "Title", 3, 1), ("2-11 - Title.wav", "Title", 11, 2),
      ("03_Title.wav", "Title", 3, nil), ("3 - Title.wav", "Title", 3, nil),
      ("3) Title.wav", "Title", 3, nil),
      // Only the other files in the directory can tell whether these begin with a number.
      ("99 Luftballons.wav", "99 Luftballons", nil, nil), ("5. Sinfonie.wav", "5. Sinfonie", nil, nil),
      ("Title.wav", "Title", nil, nil), ("1999.wav", "1999", nil, nil),
      ("1999 Title.wav", "1999 Title", nil, nil),
      ("7.wav", "7", nil, nil), ("7th Heaven.wav", "7th Heaven", nil, nil), ("03 .wav", "03 ", nil, nil),
      ("99999999999999999999 x.wav", "99999999999999999999 x", nil, nil), ("夜曲.wav", "夜曲", nil, nil),
    ] as [(String, String, Int?, Int?)])
  func `Without tags, the title and the numbers come from the file name`(
    name: String, title: String, number: Int?, disc: Int?
  ) throws {
    let track = try TagReader().track(at: directory.write(SoundBytes.wav(), to: FilePath(name)))
    #expect(track.title == title)
    #expect(track.number?.number == number)
    #expect(track.disc?.number == disc)
  }

  @Test func `A name that is not valid UTF-8 is escaped in the title, and unchanged in the path`() throws {
    let name = try #require(FilePath(bytes: [0x63, 0x61, 0x66, 0xE9] + Array(".wav".utf8)))
    let track = try TagReader().track(at: directory.write(SoundBytes.wav(), to: name))
    #expect(track.title == "caf\\xE9")
    #expect(track.path.lastComponent == name.lastComponent)
  }

  @Test(arguments: [Array("Größe".utf8), [0x47, 0x72, 0xF6, 0xDF, 0x65]])
  func `The INFO fields of a WAV file are read, in UTF-8 or Latin-1`(text: [UInt8]) throws {
    let bytes = SoundBytes.wav(info: [
      ("INAM", text), ("IART", Array("Artist".utf8)), ("IPRD", Array("Album".utf8)),
      ("ITRK", Array("4".utf8)),
      ("ICRD", Array("1959".utf8)),
    ])
    let track = try TagReader().track(at: directory.write(bytes, to: "a.wav"))
    #expect(track.title == "Größe")
    #expect(track.artists == ["Artist"])
    #expect(track.album == "Album")
    #expect(track.number == Ordinal(4))
    #expect(track.date?.year == 1959)
    #expect(track.audio == AudioSummary(sampleRate: 8_000, channels: 1, bitDepth: 16))
    #expect(track.duration == .seconds(1))
  }

  @Test func `The name and author of an AIFF file are read`() throws {
    let bytes = SoundBytes.aiff(name: Array("Name".utf8), author: Array("Author".utf8))
    let track = try TagReader().track(at: directory.write(bytes, to: "a.aiff"))
    #expect(track.title == "Name")
    #expect(track.artists == ["Author"])
    #expect(track.audio == AudioSummary(sampleRate: 8_000, channels: 1, bitDepth: 16))
  }

  @Test(arguments: ["a.mp3", "a.wav", "a.ogg", "a.caf", "a"])
  func `A wrong suffix does not hide the tags`(name: String) throws {
    let bytes = SoundBytes.flac([("TITLE", "Told")])
    let track = try TagReader().track(at: directory.write(bytes, to: FilePath(name)))
    #expect(track.title == "Told")
    #expect(track.audio?.sampleRate == 44_100)
  }

  @Test func `A probe describes files in formats without tags`() throws {
    let summary = AudioSummary(sampleRate: 96_000, channels: 2, bitDepth: 24)
    let reader = TagReader {
      $0.extension == "caf" ? ProbedAudio(summary: summary, duration: .seconds(3)) : nil
    }
    let track = try reader.track(at: directory.write([1, 2, 3], to: "01 Cave.caf"))
    #expect(track.title == "Cave")
    #expect(track.audio == summary)
    #expect(track.duration == .seconds(3))
    let path = try directory.write([1, 2, 3], to: "a.wav")
    #expect(throws: LibraryProblem(path: path, reason: .noAudio)) { try reader.track(at: path) }
    // A file of tags alone has no audio.
    let tags = try directory.write(SoundBytes.id3([("TIT2", Array("Only a tag".utf8))]), to: "b.mp3")
    #expect(throws: LibraryProblem(path: tags, reason: .notSound("tags without audio"))) {
      try reader.track(at: tags)
    }
  }

  @Test func `An unplayable file is identified by its contents, whatever its suffix`() throws {
    let reader = TagReader { _ in nil }
    for (source, name, reason) in [
      ("png.ogg", "e.ogg", .notSound("a PNG picture")), ("text.mp3", "f.mp3", .notSound("text")),
    ] as [(String, String, LibraryProblem.Reason)] {
      let path = try directory.write(contents(of: Fixture.broken(source)), to: name)
      #expect(throws: LibraryProblem(path: path, reason: reason)) { try reader.track(at: path) }
    }
    for (name, bytes) in [("a.mp3", "MThd"), ("b.m4a", "OFR ")] {
      let path = try directory.write(bytes.utf8 + [UInt8](repeating: 0, count: 100), to: name)
      #expect(throws: LibraryProblem.self) { try reader.track(at: path) }
    }
    for (source, name) in [("alac.m4a", "a.m4a"), ("alac.m4a", "c.mp3"), ("wavpack.wv", "d.flac")] {
      let path = try directory.write(contents(of: Fixture.broken(source)), to: name)
      #expect(try reader.track(at: path).audio?.sampleRate == 44_100, "\(source)")
    }
    var deep = SoundBytes.flac()
    deep[20] |= 1
    deep[21] |= 0xF0
    #expect(try reader.track(at: directory.write(deep, to: "h.flac")).audio?.bitDepth == 32)
    let flac = try directory.write(contents(of: Fixture.broken("actually-flac.mp3")), to: "g.m4a")
    #expect(try reader.track(at: flac).audio?.sampleRate == 44_100)
  }

  @Test func `The loudness that iTunes has measured is used unless there is a ReplayGain tag`() throws {
    for (power, gain) in [("000003E8", 0.0), ("000007CB", -3.0), ("FFFFFFFF", nil), ("00000000", nil), ("zzz", nil)] {
      let tag = MP4Tags.freeform("iTunNORM", " 00000001 \(power)")
      let bytes = MP4Tags.adding(tag, to: try contents(of: Fixture.broken("alac.m4a")))
      let track = try TagReader().track(at: directory.write(bytes, to: "a.m4a"))
      if let gain {
        #expect(abs((track.replayGain.trackGain ?? .infinity) - gain) < 0.02, "\(power)")
      } else {
        #expect(track.replayGain.trackGain.map { ReplayGainTags.gains.contains($0) } ?? true, "\(power)")
      }
    }
  }

  @Test func `The tags that a probe returns count where TagLib reads none`() throws {
    let tags = [
      ("TITLE", "T"), ("ARTIST", "A"), ("artist", "B"), ("ALBUM/TITLE", "L"), ("album_artist", "V"), ("track", "3/9"),
      ("DATE_RELEASED", "1999"), ("replaygain_track_gain", "-3 dB"), ("ENCODER", "x"), ("_STATISTICS_TAGS", "y"),
      ("COMMENT", "a\u{FFFD}\nb"),
    ].map { ProbedAudio.Tag(name: $0.0, value: $0.1) }
    let summary = AudioSummary(sampleRate: 48_000, channels: 2, bitDepth: nil)
    let reader = TagReader { _ in ProbedAudio(summary: summary, duration: .seconds(3), tags: tags) }
    let path = try directory.write([0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 1, count: 90), to: "a.mka")
    let track = try reader.track(at: path)
    #expect(track.title == "T" && track.artists == ["A", "B"] && track.album == "L" && track.albumArtists == ["V"])
    #expect(track.number == Ordinal(3, of: 9) && track.date == ReleaseDate(year: 1999))
    #expect(track.replayGain.trackGain == -3 && track.duration == .seconds(3))
    let comments = try reader.comments(at: path)
    #expect(comments.contains { $0 == ("COMMENT", "a\u{FFFD} b") })
    #expect(!comments.contains { ["ENCODER", "_STATISTICS_TAGS"].contains($0.name) })
    let tagged = try directory.write(SoundBytes.id3([("TIT2", Array("Own".utf8))]) + [0x1A, 0x45, 0xDF], to: "b.aac")
    #expect(try reader.track(at: tagged).title == "Own")
  }

  @Test func `A file that is not audio is a problem, and never blocks`() throws {
    try directory.makeFIFO("pipe.wav")
    try directory.link("zero.wav", to: "/dev/zero")
    try directory.write([], to: "empty.wav")
    try directory.write([1], to: "song.MID")
    let reader = TagReader()
    for (name, reason) in [
      ("pipe.wav", .notAFile), ("zero.wav", .notAFile), ("empty.wav", .empty),
      ("song.MID", .unplayableFormat("MIDI")), ("gone.wav", .unreadable(.noSuchFileOrDirectory)),
    ] as [(String, LibraryProblem.Reason)] {
      #expect(throws: LibraryProblem(path: directory[name], reason: reason)) {
        try reader.track(at: directory[name])
      }
    }
  }

  @Test func `A file that is truncated anywhere is read or rejected, and does no harm`() throws {
    let files = [
      ("a.flac", SoundBytes.flac([("TITLE", "T"), ("ARTIST", "A")])),
      ("a.mp3", SoundBytes.mp3([("TIT2", [0x54])])),
      ("a.wav", SoundBytes.wav(info: [("INAM", [0x54])])),
      ("a.aiff", SoundBytes.aiff(name: [0x54], author: [0x41])),
    ]
    for (name, bytes) in files {
      for length in stride(from: 1, to: min(bytes.count, 300), by: 7) {
        let path = try directory.write(Array(bytes.prefix(length)), to: FilePath(name))
        let track = try? TagReader().track(at: path)
        #expect(track?.title.isEmpty != true)
      }
    }
  }
}
