// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Tagging
import TestSupport
import Testing

/// Tests of tags in files of formats that TagLib may not know, whose audio a probe reads.
@Suite struct LooseTagTests {
  private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<200).map { UInt8($0) }
  private static let id3 = SoundBytes.id3([
    ("TIT2", Array("Title".utf8)), ("TPE1", Array("One\0Two".utf8)), ("TALB", Array("Album".utf8)),
    ("TRCK", Array("3/9".utf8)), ("TXXX", Array("REPLAYGAIN_TRACK_GAIN\0-3 dB".utf8)),
    ("APIC", Array("image/jpeg\0".utf8) + [3, 0] + picture),
  ])
  private static let ape = SoundBytes.ape([
    ("Title", "Title"), ("Artist", "One\0Two"), ("Album", "Album"), ("Track", "3/9"),
    ("REPLAYGAIN_TRACK_GAIN", "-3 dB"),
  ])
  private static let audio = ProbedAudio(
    summary: AudioSummary(sampleRate: 88_200, channels: 2, bitDepth: nil), duration: .seconds(3))

  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns bytes that no format begins with, nor contain the header of a frame.
  private static func unknown(_ name: String) -> [UInt8] {
    Array(name.utf8) + [UInt8](repeating: 0x69, count: 5_000)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func dsf(tagAt offset: Int? = nil) -> [UInt8] {
    let sound = [UInt8](repeating: 0x69, count: 8_192)
    let end = 28 + 52 + 12 + sound.count
    var bytes = Array("DSD ".utf8) + little(28, 8) + little(end + id3.count, 8) + little(offset ?? end, 8)
    bytes += Array("fmt ".utf8) + little(52, 8) + little(1, 4) + little(0, 4) + little(2, 4) + little(2, 4)
    bytes += little(2_822_400, 4) + little(1, 4) + little(32_768, 8) + little(4_096, 4) + little(0, 4)
    return bytes + Array("data".utf8) + little(12 + sound.count, 8) + sound + id3
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 8).reversed() + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func dff() -> [UInt8] {
    var properties = chunk("FS  ", [0, 0x2B, 0x11, 0])
    properties += chunk("CHNL", [0, 2] + "SLFTSRGT".utf8)
    properties += chunk("CMPR", Array("DSD ".utf8) + [0, 0])
    var chunks = Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0])
    chunks += chunk("PROP", Array("SND ".utf8) + properties)
    chunks += chunk("DSD ", [UInt8](repeating: 0x69, count: 8_192))
    return chunk("FRM8", chunks + chunk("ID3 ", id3))
  }

  private static let lyrics: [UInt8] = Array("LYRICSBEGININD0000200000021LYRICS200".utf8)
  private static let id3v1: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

  private static let withID3: [String: [UInt8]] = [
    "a.dsf": dsf(), "a.dff": dff(), "a.aac": id3 + unknown("x"), "a.ac3": id3 + unknown("x"),
    "a.tak": id3 + unknown("tBaK"), "a.ape": id3 + unknown("MAC "),
  ]

  @Test(arguments: withID3.keys.sorted())
  func `An ID3v2 tag is read in a file of any format`(name: String) throws {
    let bytes = try #require(Self.withID3[name])
    try expectTags(directory.write(bytes, to: FilePath(name)))
    #expect(EmbeddedPicture(of: directory[name], limit: 1_000)?.bytes == Self.picture)
    #expect(EmbeddedPicture(of: directory[name], limit: 100) == nil)
  }

  private static let withAPE: [String: [UInt8]] = [
    "a.tak": unknown("tBaK") + ape, "b.tak": unknown("tBaK") + ape + id3v1,
    "c.tak": unknown("tBaK") + ape + lyrics + id3v1, "a.dts": unknown("x") + ape,
  ]

  @Test(arguments: withAPE.keys.sorted())
  func `An APE tag is read at the end of a file of any format`(name: String) throws {
    let bytes = try #require(Self.withAPE[name])
    try expectTags(directory.write(bytes, to: FilePath(name)))
  }

  @Test func `An APE tag is read in front of the audio`() throws {
    let body = Self.ape.dropLast(32)
    let footer = Array(Self.ape.suffix(32))
    var header = footer
    header[23] |= 0xA0
    var end = footer
    end[23] |= 0x80
    for tag in [header + body + end] {
      try expectTags(directory.write(tag + Self.unknown("x"), to: "a.aac"))
      try expectTags(directory.write(Self.unknown("x") + tag, to: "a.tak"))
    }
  }

  private func expectTags(_ path: FilePath) throws {
    let track = try TagReader { _ in Self.audio }.track(at: path)
    #expect(track.title == "Title" && track.artists == ["One", "Two"] && track.album == "Album")
    #expect(track.number == Ordinal(3, of: 9))
    #expect(track.replayGain.trackGain == -3)
  }

  @Test func `A tag that is not where the file says, or is cut, is left out without harm`() throws {
    for offset in [0, 1, 28, 1 << 40, -1, .max] {
      let track = try TagReader { _ in Self.audio }.track(at: directory.write(Self.dsf(tagAt: offset), to: "a.dsf"))
      #expect(track.title == "a")
    }
    for bytes in [Self.dsf(), Self.dff(), Self.unknown("x") + Self.ape + Self.lyrics + Self.id3v1] {
      for change in bytes.indices.prefix(130) + bytes.indices.suffix(300) {
        for value: UInt8 in [0, 0x7F, 0xFF] {
          var damaged = bytes
          damaged[change] = value
          _ = try? TagReader { _ in Self.audio }.track(at: directory.write(damaged, to: "a.dsf"))
        }
        let path = try directory.write(Array(bytes[..<max(1, change)]), to: "a.dsf")
        _ = try? TagReader { _ in Self.audio }.track(at: path)
      }
    }
  }
}
