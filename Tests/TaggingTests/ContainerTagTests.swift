// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

@Suite struct ContainerTagTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func track(mp4 tags: [UInt8]..., path: [String] = ["moov", "udta", "meta", "ilst"]) throws -> Track {
    var bytes = try contents(of: Fixture.broken("alac.m4a"))
    for tag in tags { bytes = MP4Tags.adding(tag, to: bytes, in: path) }
    return try TagReader().track(at: directory.write(bytes, to: "a.m4a"))
  }

  private func comments(_ name: String, _ wanted: String) throws -> [String] {
    try TagReader().comments(at: directory[name]).filter { $0.name == wanted }.map(\.value)
  }

  private func mp4Values(_ bytes: [UInt8]) throws -> NamedValues {
    guard var file = TagFile(try directory.write(bytes, to: "a.m4a")) else { return NamedValues() }
    return MP4Items.values(of: &file)
  }

  private func asfValues(_ bytes: [UInt8]) throws -> NamedValues {
    guard var file = TagFile(try directory.write(bytes, to: "a.wma")) else { return NamedValues() }
    return ASFAttributes.values(of: &file)
  }

  @Test(arguments: [
    ("replaygain_track_gain", "com.apple.iTunes"), ("REPLAYGAIN_TRACK_GAIN", "com.apple.iTunes"),
    ("Replaygain_Track_Gain", "org.hydrogenaudio.replaygain"), ("replaygain track gain", "org.example"),
  ])
  func `ReplayGain in an MP4 file is read in any spelling`(name: String, mean: String) throws {
    for text in ["-3.50 dB", "-3.50 dB\0", "-3.50 dB\0\0\0", "-3.50"] {
      #expect(try track(mp4: MP4Tags.freeform(name, text, mean: mean)).replayGain.trackGain == -3.5, "\(text)")
    }
  }

  @Test func `Items that are repeated in an MP4 file are several values in their order`() throws {
    let id = "a1b2c3d4-0000-1111-2222-333344445555"
    let track = try track(
      mp4: MP4Tags.text("©ART", "Zoe"), MP4Tags.text("©ART", "Adam", "Mia"), MP4Tags.text("©gen", "Rock"),
      MP4Tags.text("aART", "Z"), MP4Tags.text("©gen", "Jazz"), MP4Tags.freeform("ARTISTS", "Zoe", "Adam"),
      MP4Tags.freeform("MusicBrainz Album Id", id), MP4Tags.freeform("MUSICBRAINZ ARTIST ID", "1", "2"),
      MP4Tags.freeform("iTunSMPB", " 00000000 00000840"), MP4Tags.freeform("MusicBrainz Album Type", "live"),
      MP4Tags.freeform("Own", "x"), MP4Tags.freeform("Own", "y"))
    #expect(track.artists == ["Zoe", "Adam", "Mia"])
    #expect(track.genres == ["Rock", "Jazz"])
    #expect(track.albumArtists == ["Z"])
    #expect(track.musicBrainzAlbumID == id)
    #expect(try comments("a.m4a", "ARTISTS") == ["Zoe", "Adam"])
    #expect(try comments("a.m4a", "MUSICBRAINZ_ARTISTID") == ["1", "2"])
    #expect(try comments("a.m4a", "ITUNSMPB") == ["00000000 00000840"])
    #expect(try comments("a.m4a", "RELEASETYPE") == ["live"])
    #expect(try comments("a.m4a", "OWN") == ["x", "y"])
  }

  @Test func `Metadata with keys in an MP4 file are read`() throws {
    let track = try track(
      mp4: MP4Tags.keyed([
        ("com.apple.quicktime.title", "Title"), ("artist", "Artist"), ("album_artist", "Various"), ("track", "3/9"),
        ("com.apple.quicktime.album", "Album"), ("date", "1999"), ("REPLAYGAIN_TRACK_GAIN", "1.5 dB"),
      ]), path: ["moov"])
    #expect(track.title == "Title" && track.artists == ["Artist"] && track.albumArtists == ["Various"])
    #expect(track.number == Ordinal(3, of: 9) && track.album == "Album" && track.date == ReleaseDate(year: 1999))
    #expect(track.replayGain.trackGain == 1.5)
  }

  @Test func `An MP4 file that is cut or changed anywhere is read without harm`() throws {
    var bytes = try contents(of: Fixture.broken("alac.m4a"))
    bytes = MP4Tags.adding(MP4Tags.text("©ART", "A", "B"), to: bytes)
    bytes = MP4Tags.adding(MP4Tags.freeform("Own", "x"), to: bytes)
    bytes = MP4Tags.adding(MP4Tags.keyed([("artist", "C")]), to: bytes, in: ["moov"])
    for change in bytes.indices.suffix(400) {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[change] = value
        #expect(try mp4Values(damaged).fields.count < 10)
      }
      _ = try mp4Values(Array(bytes[..<change]))
    }
  }

  @Test func `The persons among the album artists are listed in every container`() throws {
    let files: [(name: String, bytes: [UInt8])] = [
      (
        "a.mp3",
        SoundBytes.mp3([
          ("TPE2", Array("Ann & Bea".utf8)), ("TXXX", Array("ALBUMARTISTS\0Ann\0Bea".utf8)),
        ])
      ),
      (
        "b.mp3",
        SoundBytes.mp3([
          ("TPE2", Array("Ann & Bea".utf8)), ("TXXX", Array("Album Artists\0Ann\0Bea".utf8)),
        ])
      ),
      ("c.mp3", SoundBytes.mp3() + SoundBytes.ape([("Album Artist", "Ann & Bea"), ("Albumartists", "Ann\0Bea")])),
      ("d.mp3", SoundBytes.mp3() + SoundBytes.ape([("Album Artist", "Ann & Bea"), ("ALBUM ARTISTS", "Ann\0Bea")])),
      (
        "e.wma",
        ASFBytes.file(
          title: "Title", author: "One",
          attributes: [
            ("WM/AlbumArtist", "Ann & Bea"), ("WM/AlbumArtists", "Ann"), ("WM/AlbumArtists", "Bea"),
          ], library: [], libraryIsFirst: false)
      ),
      (
        "f.wma",
        ASFBytes.file(
          title: "Title", author: "One",
          attributes: [("WM/AlbumArtist", "Ann & Bea"), ("ALBUM ARTISTS", "Ann"), ("ALBUM ARTISTS", "Bea")],
          library: [], libraryIsFirst: false)
      ),
    ]
    var tracks = try files.map {
      (name: $0.name, track: try TagReader().track(at: directory.write($0.bytes, to: $0.name)))
    }
    for name in ["ALBUMARTISTS", "Album Artists", "albumartists"] {
      tracks.append((name, try track(mp4: MP4Tags.text("aART", "Ann & Bea"), MP4Tags.freeform(name, "Ann", "Bea"))))
    }
    for (name, track) in tracks {
      #expect(track.albumArtists == ["Ann", "Bea"], "\(name)")
      #expect(track.albumArtistCredit == "Ann & Bea", "\(name)")
    }
  }

  @Test func `Values of ASF attributes are read in their order, wherever the header has them`() throws {
    for isReversed in [false, true] {
      let bytes = ASFBytes.file(
        title: "Title", author: "One",
        attributes: [
          ("WM/Genre", "Rock"), ("replaygain_track_gain", "-3 dB\0"), ("REPLAYGAIN_ALBUM_GAIN", "-4 dB"),
          ("replaygain/track_peak", "0.5"), ("MusicBrainz/Album Id", "A1B2C3D4-0000-1111-2222-333344445555"),
          ("WM/ARTISTS", "x"),
        ],
        library: [("Author", "Two"), ("Author", "Three"), ("WM/Genre", "Jazz"), ("WM/ARTISTS", "y")],
        libraryIsFirst: isReversed)
      let track = try TagReader().track(at: directory.write(bytes, to: "a.wma"))
      #expect(track.title == "Title" && track.artists == ["One", "Two", "Three"])
      #expect(track.genres == ["Rock", "Jazz"])
      #expect(
        track.replayGain == ReplayGainTags(trackGain: -3, trackPeak: 0.5, albumGain: -4, albumPeak: nil))
      #expect(track.musicBrainzAlbumID == "a1b2c3d4-0000-1111-2222-333344445555")
      #expect(try comments("a.wma", "ARTISTS") == ["x", "y"])
    }
  }

  @Test func `An ASF file that is cut or changed anywhere is read without harm`() throws {
    let bytes = ASFBytes.file(
      title: "T", author: "A", attributes: [("WM/Genre", "Rock")], library: [("Author", "B")], libraryIsFirst: true)
    for change in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[change] = value
        #expect(try asfValues(damaged).fields.count < 10)
      }
      _ = try asfValues(Array(bytes[..<change]))
    }
  }

  @Test func `What exceeds the limits of fields is left out`() {
    var values = NamedValues()
    values.append(String(repeating: "x", count: NamedValues.valueLimit + 1), to: "A")
    values.append("x", to: String(repeating: "n", count: NamedValues.nameLimit + 1))
    values.append("", to: "B")
    #expect(values.fields.isEmpty)
    for _ in 0..<100 { values.append(String(repeating: "x", count: 1 << 16), to: "A") }
    #expect(values.fields.map(\.values.count) == [15])
  }
}

/// Creates ASF files without audio (Advanced Systems Format Specification 01.20.05).
private enum ASFBytes {
  static func file(
    title: String, author: String, attributes: [(String, String)], library: [(String, String)], libraryIsFirst: Bool
  ) -> [UInt8] {
    let lengths = little(wide(title).count, 2) + little(wide(author).count, 2) + [UInt8](repeating: 0, count: 6)
    let content = object(
      [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C],
      lengths + wide(title) + wide(author))
    var fields = little(attributes.count, 2)
    for (name, value) in attributes {
      fields += little(wide(name).count, 2) + wide(name)
      fields += little(0, 2) + little(wide(value).count, 2) + wide(value)
    }
    let extended = object(
      [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50], fields)
    var records = little(library.count, 2)
    for (name, value) in library {
      records += little(0, 4) + little(wide(name).count, 2) + little(0, 2)
      records += little(wide(value).count, 4) + wide(name) + wide(value)
    }
    let metadata = object(
      [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54], records)
    let others = object(
      [0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65],
      [UInt8](repeating: 0, count: 18) + little(metadata.count, 4) + metadata)
    // Without these, TagLib rejects the file.
    let properties = object(
      [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65],
      [UInt8](repeating: 0, count: 80))
    let stream = object(
      [0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65],
      [UInt8](repeating: 0, count: 72))
    let tags = libraryIsFirst ? others + content + extended : content + extended + others
    let objects = properties + stream + tags
    return object(
      [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C],
      little(5, 4) + [1, 2] + objects)
  }

  private static func object(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
    identifier + little(content.count + 24, 8) + content
  }

  /// Returns text in UTF-16, with the NUL at its end.
  private static func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { little(Int($0), 2) } + [0, 0] }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
