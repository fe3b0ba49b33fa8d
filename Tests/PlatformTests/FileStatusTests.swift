import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileStatusTests {
  @Test func `files, directories, links and FIFOs are told apart`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([1, 2, 3], to: "file")
    try Tool.run("ln", ["-s", file.string, directory.file("link").string])
    try Tool.run("mkfifo", [directory.file("fifo").string])
    #expect(try FileStatus(of: file).kind == .regular)
    #expect(try FileStatus(of: file).size == 3)
    #expect(try FileStatus(of: directory.path).kind == .directory)
    #expect(try FileStatus(of: directory.file("fifo")).kind == .special)
    #expect(try FileStatus(of: "/dev/null").kind == .special)
    #expect(try FileStatus(of: directory.file("link")).identity == FileStatus(of: file).identity)
    #expect(try FileStatus(of: directory.file("link"), followingLinks: false).kind == .symbolicLink)
  }

  @Test func `what is not there, or links to itself, is an error`() throws {
    let directory = try TemporaryDirectory()
    try Tool.run("ln", ["-s", "loop", directory.file("loop").string])
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: directory.file("none")) }
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try FileStatus(of: directory.file("loop")) }
  }
}
