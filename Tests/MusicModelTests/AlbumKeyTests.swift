import SystemPackage
import Testing

@testable import MusicModel

struct AlbumKeyTests {
  private static let paths: [FilePath] = [
    "/m/a/1.flac", "/m/1.flac", "/1.flac", "1.flac", "a/1.flac", "/", "", "//m//b//2.flac", "/m/é ü/ö.mp3",
    "./x", "../x/y",
  ]

  @Test(arguments: paths)
  func `Without an album, the bytes of the directory tell`(path: FilePath) {
    var key = StableHash()
    key.combine(0 as UInt64)
    for byte in path.removingLastComponent().string.utf8 { key.combine(byte: byte) }
    #expect(Track(path: path, title: "t").albumKey == key.value)
  }

  @Test func `With an album and its artists, the directory does not tell`() {
    var (one, other) = (Track(path: "/a/1", title: "1"), Track(path: "/b/2", title: "2"))
    (one.album, other.album) = ("Blue", "Blue")
    #expect(one.albumKey != other.albumKey)
    (one.albumArtists, other.albumArtists) = (["J"], ["J"])
    #expect(one.albumKey == other.albumKey)
  }
}
