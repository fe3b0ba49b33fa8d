import Platform
import SystemPackage
import TestSupport
import Testing

struct DirectoryListingTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `Names come in the order of their bytes, with their kinds`() throws {
    try directory.write([], to: "b")
    try directory.write([], to: "B")
    try directory.write([], to: ".hidden")
    try directory.makeDirectory("a")
    try directory.link("c", to: "a")
    try directory.makeFIFO("d")
    let entries = try DirectoryListing(of: directory.path).entries
    #expect(entries.map(\.name.string) == [".hidden", "B", "a", "b", "c", "d"])
    // A file system may not tell.
    let kinds = entries.compactMap(\.kind)
    #expect(kinds == [.regular, .regular, .directory, .regular, .symbolicLink, .fifo] || kinds.isEmpty)
  }

  @Test(arguments: [
    [0x6C, 0xE9, 0x2E, 0x77], [0xFF, 0xFE], [0x61, 0x0A, 0x62], [0x1B, 0x5B, 0x6D],
    [UInt8](repeating: 0x61, count: 255),
  ])
  func `A name keeps its bytes, whatever they are`(bytes: [UInt8]) throws {
    let name = try #require(FilePath(bytes: bytes))
    try directory.write([1], to: name)
    let entry = try #require(DirectoryListing(of: directory.path).entries.first)
    #expect(entry.name == name.lastComponent)
    #expect(try FileStatus(of: directory.path.appending(entry.name)).size == 1)
  }

  @Test func `What is not a directory throws its error number`() throws {
    let file = try directory.write([], to: "a")
    #expect(throws: Errno.notDirectory) { try DirectoryListing(of: file) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try DirectoryListing(of: directory["b"]) }
  }
}

struct AbsolutePathTests {
  @Test(arguments: [("/a/b", "/a/b"), ("/a/./b/", "/a/b"), ("/", "/")])
  func `An absolute path stays`(path: String, absolute: String) throws {
    #expect(try FilePath(path).absolute() == FilePath(absolute))
  }

  @Test func `A relative path begins at the root`() throws {
    let here = try FilePath(".").absolute()
    #expect(here.isAbsolute)
    #expect(try FilePath("x/y").absolute() == here.appending("x").appending("y"))
  }

  @Test func `A path through a link goes up from the link's target`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("a/b")
    try directory.link("link", to: "a/b")
    let up = try directory["link"].appending("..").absolute()
    #expect(try FileStatus(of: up).identity == FileStatus(of: directory["a"]).identity)
    #expect(up.lastComponent?.string == "a")
  }
}
