// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct DirectoryListingTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `Names are sorted by their bytes, with their kinds`() throws {
    try directory.write([], to: "b")
    try directory.write([], to: "B")
    try directory.write([], to: ".hidden")
    try directory.makeDirectory("a")
    try directory.link("c", to: "a")
    try directory.makeFIFO("d")
    let entries = try DirectoryListing(of: directory.path).entries
    #expect(entries.map(\.name.string) == [".hidden", "B", "a", "b", "c", "d"])
    // A file system may not state the kind.
    let kinds = entries.compactMap(\.kind)
    #expect(kinds == [.regular, .regular, .directory, .regular, .symbolicLink, .fifo] || kinds.isEmpty)
  }

  @Test(arguments: [
    [0x6C, 0xE9, 0x2E, 0x77], [0xFF, 0xFE], [0x61, 0x0A, 0x62], [0x1B, 0x5B, 0x6D],
    [UInt8](repeating: 0x61, count: 255),
  ])
  func `A name keeps its exact bytes`(bytes: [UInt8]) throws {
    let name = try #require(FilePath(bytes: bytes))
    try directory.write([1], to: name)
    let entry = try #require(DirectoryListing(of: directory.path).entries.first)
    #expect(entry.name == name.lastComponent)
    #expect(try FileStatus(of: directory.path.appending(entry.name)).size == 1)
  }

  @Test func `A path that is not a directory throws its error number`() throws {
    let file = try directory.write([], to: "a")
    #expect(throws: Errno.notDirectory) { try DirectoryListing(of: file) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try DirectoryListing(of: directory["b"]) }
  }
}

struct AbsolutePathTests {
  @Test(arguments: [("/a/b", "/a/b"), ("/a/./b/", "/a/b"), ("/", "/")])
  func `An absolute path is unchanged`(path: String, absolute: String) throws {
    #expect(try FilePath(path).absolute() == FilePath(absolute))
  }

  @Test func `A relative path is resolved from the root`() throws {
    let here = try FilePath(".").absolute()
    #expect(here.isAbsolute)
    #expect(try FilePath("x/y").absolute() == here.appending("x").appending("y"))
  }

  @Test func `A path through a link goes up from the target of the link`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("a/b")
    try directory.link("link", to: "a/b")
    let up = try directory["link"].appending("..").absolute()
    #expect(try FileStatus(of: up).identity == FileStatus(of: directory["a"]).identity)
    #expect(up.lastComponent?.string == "a")
  }
}

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

  @Test func `A FIFO and a device are distinguished, without blocking`() throws {
    try directory.makeFIFO("pipe")
    #expect(try FileStatus(of: directory["pipe"]).kind == .fifo)
    #expect(try FileStatus(of: "/dev/zero").kind == .special)
  }

  @Test func `A missing file throws its error number`() throws {
    try directory.link("dangling", to: "nowhere")
    try directory.link("loop", to: "loop")
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: directory["nothing"]) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: directory["dangling"]) }
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try FileStatus(of: directory["loop"]) }
  }
}

#if os(Linux)
  struct MountPointsTests {
    private let table = """
      22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
      30 22 0:26 / /home/me/Music rw - tmpfs none rw
      31 22 0:27 / /home/me/Music/My\\040disc rw - tmpfs none rw
      32 22 0:28 / /home/me/Musical rw - tmpfs none rw
      short line

      """

    @Test func `Mount points at or below a path are found, with blanks in names`() {
      func count(_ path: String) -> Int {
        MountPoints.lines(of: Array(table.utf8), at: Array(path.utf8)).count
      }
      #expect(count("/home/me/Music") == 2)
      #expect(count("/home/me/Music/My disc") == 1)
      #expect(count("/home/me/Music/My") == 0)
      #expect(count("/home") == 3)
      #expect(count("/") == 4)
    }
  }
#endif
