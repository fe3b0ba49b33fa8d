// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import SystemPackage
import Tagging
import TestSupport
import Testing

/// Cue sheets in collections that are played without a library index.
struct CueCollectionTests {
  private let directory: TemporaryDirectory
  private let scanner = LibraryScanner()

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(SoundBytes.flac([("TITLE", "Image")], seconds: 60), to: "Album/big.flac")
    try directory.write(
      SoundBytes.flac([("TITLE", "Single"), ("ALBUM", "Other")], seconds: 5), to: "Album/x.flac")
    let text = """
      TITLE "The Album"
      PERFORMER "Band"
      FILE "BIG.WAV" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:02:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 00 00:20:00
          INDEX 01 00:22:30
        TRACK 03 AUDIO
          INDEX 01 01:10:00
      """
    try directory.write(Array(text.utf8), to: "Album/Sheet.CUE")
  }

  @Test func `Each track of a sheet begins at its INDEX 01, and includes the gap that follows`() throws {
    let (collection, problems) = try scanner.collection(at: directory["Album/Sheet.CUE"])
    #expect(collection.title == "The Album")
    #expect(collection.tracks.map(\.title) == ["One", "Two"])
    #expect(
      collection.tracks.map(\.segment) == [
        TrackSegment(start: 150, end: 1_680), TrackSegment(start: 1_680, end: nil),
      ])
    #expect(collection.tracks.map(\.duration) == [.milliseconds(20_400), .milliseconds(37_600)])
    #expect(problems.map(\.reason) == [.cueSheet("track 3 begins after the end of big.flac")])
  }

  @Test func `A directory gives the tracks of its sheet instead of the image file`() throws {
    let (collection, problems) = try scanner.collection(at: directory["Album"])
    #expect(collection.tracks.map(\.title).sorted() == ["One", "Single", "Two"])
    #expect(problems.count == 1)
    #expect(try scanner.scan(directory.path).albums.map(\.title).sorted() == ["Other", "The Album"])
  }

  @Test func `A sheet names files in a directory below it`() throws {
    for disc in 1...2 {
      try directory.write(SoundBytes.flac([], seconds: 9), to: FilePath("Discs/CD\(disc)/01.flac"))
    }
    let text = """
      TITLE "Discs"
      FILE "CD2\\01.wav" WAVE
      TRACK 01 AUDIO
      TITLE "One"
      INDEX 01 00:00:00
      FILE "CD1/01.wav" WAVE
      TRACK 02 AUDIO
      TITLE "Two"
      INDEX 01 00:00:00
      """
    try directory.write(Array(text.utf8), to: "Discs/discs.cue")
    let (collection, problems) = try scanner.collection(at: directory["Discs/discs.cue"])
    #expect(collection.tracks.map(\.title) == ["One", "Two"] && problems.isEmpty)
    #expect(collection.tracks.map(\.path) == [directory["Discs/CD2/01.flac"], directory["Discs/CD1/01.flac"]])
    let (discs, discProblems) = try scanner.collection(at: directory["Discs"])
    #expect(discs.title == "Discs" && discs.tracks.map(\.title).sorted() == ["One", "Two"] && discProblems.isEmpty)
  }

  @Test(arguments: [
    ("Bj\u{F6}rk.wav", "Bjo\u{308}rk.flac", ""), ("BJ%C3%96RK.flac", "Bj\u{F6}rk.flac", ""),
    ("Bj%F6rk.flac", "Bj\u{F6}rk.flac", ""), ("C:\\Music\\Any\\cd1\\01.flac", "CD1/01.flac", ""),
    ("/storage/0/Music/CD1/01.flac", "CD1/01.flac", ""), ("Bjo%CC%88rk%201\\01.wav", "BJ\u{D6}RK 1/01.flac", ""),
    ("/Users/x/Music/Bj\u{F6}rk 1/01.FLAC", "Bjo\u{308}rk 1/01.flac", ""),
    ("\\\\nas\\Music\\Other\\One.flac", "one.flac", ""),
    ("Debut Album.flac", "Debut Albun.flac", "Debut Album.flac is missing (nearest: Debut Albun.flac)"),
  ])
  func `A sheet names files as other machines write them`(line: String, file: String, problem: String) throws {
    try directory.write(SoundBytes.flac([], seconds: 9), to: FilePath("Own/\(file)"))
    try directory.write(SoundBytes.flac([], seconds: 9), to: "Own/unlike.flac")
    let text = "TITLE \"T\"\nFILE \"\(line)\" WAVE\nTRACK 01 AUDIO\nTITLE \"One\"\nINDEX 01 00:00:00\n"
    try directory.write(Array(text.utf8), to: "Own/sheet.cue")
    let sheet = directory["Own/sheet.cue"]
    if problem.isEmpty {
      let tracks = try scanner.collection(at: sheet).collection.tracks
      #expect(tracks.map(\.path) == [directory["Own"].pushing(FilePath(file))])
    } else {
      #expect { try scanner.collection(at: sheet) } throws: { "\($0)".contains(problem) }
    }
  }

  @Test func `An image file opened by its own name is played as a whole`() throws {
    let (collection, _) = try scanner.collection(at: directory["Album/big.flac"])
    #expect(collection.tracks.map(\.title) == ["Image"] && collection.tracks[0].segment == nil)
    #expect(collection.tracks[0].duration == .seconds(60))
  }

  @Test func `An invalid sheet, or one whose file is missing, is an error with the reason`() throws {
    try directory.write(Array("hello".utf8), to: "Album/none.cue")
    try directory.write(Array("FILE y.flac\nTRACK 1 AUDIO\nINDEX 1 0:0:0".utf8), to: "Album/lost.cue")
    for (name, reason) in [("none", "it has no audio tracks"), ("lost", "y.flac is missing")] {
      #expect {
        try scanner.collection(at: directory["Album/\(name).cue"])
      } throws: {
        "\($0)".contains(reason)
      }
    }
  }

  @Test(arguments: ["flac", "ape", "id3"])
  func `An embedded sheet is found in the tags of any format`(kind: String) throws {
    let text =
      "FILE \"a.wav\" WAVE\r\nTRACK 01 AUDIO\r\nTITLE \"One\"\r\nINDEX 01 00:00:00\r\nTRACK 02 AUDIO\r\nTITLE \"Two\"\r\nINDEX 01 00:00:02"
    switch kind {
    case "flac": try directory.write(SoundBytes.flac([("cuesheet", text)]), to: "one/a.flac")
    case "ape": try directory.write(SoundBytes.mp3() + SoundBytes.ape([("Cuesheet", text)]), to: "one/a.mp3")
    default:
      try directory.write(
        SoundBytes.id3([("TXXX", Array("CUESHEET\0\(text)".utf8))]) + SoundBytes.mp3(), to: "one/a.mp3")
    }
    let (collection, _) = try scanner.collection(at: directory["one"])
    #expect(collection.tracks.map(\.title) == ["One", "Two"])
  }

  @Test(arguments: ["flac", "ape", "id3"])
  func `Tags for one track of an embedded sheet precede what the sheet and the file say`(kind: String) throws {
    let text = """
      PERFORMER "Band"
      TITLE "Sheet"
      FILE "a.wav" WAVE
      TRACK 01 AUDIO
      TITLE "One"
      PERFORMER "Singer"
      INDEX 01 00:00:00
      TRACK 02 AUDIO
      INDEX 01 00:00:02
      TRACK 03 AUDIO
      INDEX 01 00:00:04
      """
    let tags = [
      ("cuesheet", text), ("cue_track01_title", "Uno"), ("CUE_TRACK01_COMPOSER", "Monteverdi"),
      ("cue_track01_performer", "Soloist"), ("cue_track2_title", "Dos"), ("cue_track02_genre", "Jazz"),
      ("cue_track02_date", "1610"), ("cue_track02_isrc", "DEABC9800001"), ("Cue_Track02_Artist", "Zed"),
      ("cue_track02_songwriter", "Hand"), ("cue_track03_performer", "Solo"), ("cue_track99_title", "None"),
      ("cue_track03_cuesheet", text), ("artist", "Comp"), ("artistsort", "Comp, The"), ("genre", "Early"),
    ]
    let file = directory["one/a.\(kind == "flac" ? "flac" : "mp3")"]
    switch kind {
    case "flac": try directory.write(SoundBytes.flac(tags), to: "one/a.flac")
    case "ape": try directory.write(SoundBytes.mp3() + SoundBytes.ape(tags), to: "one/a.mp3")
    default:
      let frames = tags.map { ("TXXX", Array("\($0.0)\0\($0.1)".utf8)) }
      try directory.write(SoundBytes.id3(frames) + SoundBytes.mp3(), to: "one/a.mp3")
    }
    let tracks = try scanner.collection(at: directory["one"]).collection.tracks
    #expect(tracks.map(\.title) == ["Uno", "Dos", "Track 3"])
    #expect(tracks.map(\.artists) == [["Singer"], ["Zed"], ["Solo"]])
    #expect(tracks.map(\.composers) == [["Monteverdi"], ["Hand"], []])
    #expect(tracks.map(\.genres) == [["Early"], ["Jazz"], ["Early"]])
    #expect(tracks.map(\.date?.year) == [nil, 1610, nil])
    #expect(tracks.map(\.album) == ["Sheet", "Sheet", "Sheet"])
    #expect(tracks.map(\.sortNames.artist) == [nil, nil, nil])
    #expect(try TagReader().comments(at: file).allSatisfy { !$0.name.hasPrefix("CUE_TRACK") })
  }

  @Test func `Tags for one track do not change what a sheet beside the file says`() throws {
    let inside = "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:01:00"
    try directory.write(
      SoundBytes.flac([("CUESHEET", inside), ("CUE_TRACK01_TITLE", "Inside"), ("CUE_TRACK_TITLE", "Any")]),
      to: "one/a.flac")
    #expect(try scanner.collection(at: directory["one"]).collection.tracks.map(\.title) == ["Inside", "Track 2"])
    let beside = inside.replacing("a.wav", with: "a.flac").replacing("TRACK 02", with: "TITLE Beside\nTRACK 02")
    try directory.write(Array(beside.utf8), to: "one/a.cue")
    #expect(try scanner.collection(at: directory["one"]).collection.tracks.map(\.title) == ["Beside", "Track 2"])
  }

  @Test func `A sheet with one track leaves the file one track, with the tags of that track`() throws {
    let sheet = "TITLE Sheet\nFILE a.wav WAVE\nTRACK 01 AUDIO\nTITLE One\nINDEX 01 00:00:00"
    try directory.write(
      SoundBytes.flac([
        ("CUESHEET", sheet), ("CUE_TRACK01_TITLE", "Uno"), ("TITLE", "File"), ("ARTIST", "A"),
        ("CUE_TRACK12345_TITLE", "No number"), ("CUE_TRACK01_", "No name"),
      ]), to: "one/a.flac")
    let tracks = try scanner.collection(at: directory["one"]).collection.tracks
    #expect(tracks.map(\.title) == ["Uno"] && tracks.map(\.album) == ["Sheet"] && tracks.map(\.artists) == [["A"]])
  }
}
