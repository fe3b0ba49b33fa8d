import Platform
import SystemPackage
import Testing

struct PathSuffixTests {
  @Test(arguments: [
    "/a/b.flac", "b.FLAC", "/a.b/c", ".hidden", "/x/.hidden", ".hidden.mp3", "a.", "/", "", "..", "/a/..",
    "a..b",
    "...", "/x/...", "a...", "/ü/é.ü", "a.b/",
  ]) func `The suffix is what the path has as its extension`(text: String) {
    let path = FilePath(text)
    #expect(path.suffix == path.extension)
  }
}
