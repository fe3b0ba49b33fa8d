// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Tagging
import TestSupport
import Testing

@Suite struct EmbeddedPictureTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<200).map { UInt8($0) }

  @Test func `The cover of an MP4 file is found`() throws {
    let directory = try TemporaryDirectory()
    let bytes = MP4Tags.adding(MP4Tags.cover(Self.jpeg), to: try contents(of: Fixture.broken("alac.m4a")))
    let picture = EmbeddedPicture(of: try directory.write(bytes, to: "a.m4a"), limit: 1_000)
    #expect(picture?.bytes == Self.jpeg && picture?.mimeType == "image/jpeg")
    #expect(EmbeddedPicture(of: directory["a.m4a"], limit: 100) == nil)
  }

  @Test func `The cover of a file of a format that TagLib does not know comes from the probe`() throws {
    let directory = try TemporaryDirectory()
    let source = CoverSource { _, limit in limit >= Self.jpeg.count ? Self.jpeg : nil }
    let matroska = try directory.write([0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 1, count: 90), to: "a.mka")
    #expect(source.embeddedPicture(of: matroska, limit: 1_000)?.bytes == Self.jpeg)
    #expect(source.picture(of: matroska, limit: 1_000) == Self.jpeg && source.picture(of: matroska, limit: 9) == nil)
    let plain = try directory.write(contents(of: Fixture.broken("alac.m4a")), to: "b.m4a")
    #expect(source.embeddedPicture(of: plain, limit: 1_000) == nil)
    #expect(CoverSource().embeddedPicture(of: matroska, limit: 1_000) == nil)
  }

  @Test func `The front cover in the APE tag of a WavPack file is found`() throws {
    let directory = try TemporaryDirectory()
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
    let tag = apeTag([("Cover Art (Back)", Self.jpeg), ("Cover Art (Front)", png)])
    let path = try directory.write(contents(of: Fixture.broken("wavpack.wv")) + tag, to: "a.wv")
    let picture = EmbeddedPicture(of: path, limit: 1_000)
    #expect(picture?.bytes == png && picture?.mimeType == "image/png")
  }

  /// Returns an APEv2 tag with pictures, each with a file name.
  private func apeTag(_ pictures: [(String, [UInt8])]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let body = pictures.flatMap { name, picture in
      let value = Array("cover.x\0".utf8) + picture
      // The flag of binary data.
      return little(value.count) + little(2) + Array("\(name)\0".utf8) + value
    }
    let footer = little(2_000) + little(body.count + 32) + little(pictures.count) + little(0)
    return body + Array("APETAGEX".utf8) + footer + [UInt8](repeating: 0, count: 8)
  }
}
