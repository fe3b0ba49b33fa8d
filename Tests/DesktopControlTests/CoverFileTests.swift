import SystemPackage
import TestSupport
import Testing

@testable import DesktopControl

@Suite struct CoverFileTests {
  @Test func `the best name is found in any case, and only a file is a picture`() throws {
    let directory = try TemporaryDirectory()
    var covers = CoverFile()
    let cover = { covers.cover(of: $0) }
    #expect(cover(directory["none/1.flac"]) == nil)
    try directory.write([1], to: "a/1.flac")
    try directory.makeDirectory("a/cover.jpg")
    try directory.makeFIFO("a/folder.jpg")
    try directory.write([1], to: "a/Cover.txt")
    #expect(cover(directory["a/1.flac"]) == nil)
    try directory.write([1], to: "a/AlbumArt.jpg")
    try directory.write([1], to: "a/FRONT.Jpeg")
    // The directory is read again for another track.
    #expect(cover(directory["a/1.flac"]) == nil)
    #expect(cover(directory["a/2.flac"]) == directory["a/FRONT.Jpeg"])
    #expect(cover("1.flac") == nil)
  }
}
