import Platform
import SystemPackage
import TestSupport
import Testing

struct FileStatusTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `A file has its kind and size`() throws {
    let path = try directory.write([1, 2, 3], to: "a")
    let status = try FileStatus(of: path)
    #expect(status.kind == .regular)
    #expect(status.size == 3)
    #expect(try FileStatus(of: directory.path).kind == .directory)
  }

  @Test func `A link stands for its target, or for itself`() throws {
    let path = try directory.write([1], to: "a")
    try directory.link("b", to: "a")
    #expect(try FileStatus(of: directory["b"]).identity == FileStatus(of: path).identity)
    #expect(try FileStatus(of: directory["b"], followingLinks: false).kind == .symbolicLink)
  }

  @Test func `A FIFO and a device are told apart, and asking does not block`() throws {
    try directory.makeFIFO("pipe")
    #expect(try FileStatus(of: directory["pipe"]).kind == .fifo)
    #expect(try FileStatus(of: "/dev/zero").kind == .special)
  }

  @Test func `What is not there throws its error number`() throws {
    try directory.link("dangling", to: "nowhere")
    try directory.link("loop", to: "loop")
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: directory["nothing"]) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: directory["dangling"]) }
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try FileStatus(of: directory["loop"]) }
  }
}
