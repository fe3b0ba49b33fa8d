import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary

struct CoverFileTests {
  @Test func `The best name is found in any case, and only a file that is not too large is a picture`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("a/cover.jpg")
    try directory.makeFIFO("a/folder.jpg")
    try directory.write([1], to: "a/Cover.txt")
    try directory.write([1, 2, 3], to: "a/cover.png")
    #expect(CoverFile(in: directory["a"], limit: 2) == nil)
    try directory.write([4], to: "a/FRONT.Jpeg")
    #expect(CoverFile(in: directory["a"], limit: 2)?.path == directory["a/FRONT.Jpeg"])
    #expect(CoverFile(in: directory["a"], limit: 3)?.path == directory["a/cover.png"])
    #expect(CoverFile.picture(of: directory["a/1.flac"], limit: 3) == [1, 2, 3])
    #expect(CoverFile(in: directory["none"], limit: 3) == nil)
  }
}
