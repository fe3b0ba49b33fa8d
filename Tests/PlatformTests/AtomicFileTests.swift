// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

struct AtomicFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func names(_ path: String = ".") throws -> [String] {
    try DirectoryListing(of: directory[path]).entries.map(\.name.string)
  }

  @Test func `A written file can be read, and its directories are created`() throws {
    let path = directory["a/b/c.json"]
    try AtomicFile.write([1, 2, 3], to: path)
    try AtomicFile.write([4], to: path)
    #expect(try AtomicFile.read(path, limit: 1) == [4])
    #expect(try names("a/b") == ["c.json"])
  }

  @Test func `A missing file is nil, and one that is too large is refused`() throws {
    #expect(try AtomicFile.read(directory["nothing"], limit: 10) == nil)
    try AtomicFile.write([1, 2, 3], to: directory["a"])
    #expect(throws: Errno.fileTooLarge) { try AtomicFile.read(directory["a"], limit: 2) }
    #expect(try AtomicFile.read(directory["a"], limit: 3) == [1, 2, 3])
  }

  @Test func `A path that is not a regular file is refused without blocking`() throws {
    try directory.makeFIFO("fifo")
    #expect(throws: Errno.invalidArgument) { try AtomicFile.read(directory["fifo"], limit: 10) }
    #expect(throws: Errno.invalidArgument) { try AtomicFile.read(directory.path, limit: 10) }
  }

  @Test func `A failure leaves the old file and nothing else`() throws {
    try directory.makeDirectory("taken")
    try directory.write([7], to: "taken/file")
    #expect(throws: Errno.self) { try AtomicFile.write([1], to: directory["taken"]) }
    #expect(try names() == ["taken"])
    try directory.write([9], to: "plain")
    #expect(throws: Errno.notDirectory) { try AtomicFile.write([1], to: directory["plain/a"]) }
    #expect(try AtomicFile.read(directory["plain"], limit: 9) == [9])
  }

  @Test func `The remains of a crash do not prevent the next write, which removes them`() throws {
    try directory.write([0, 0, 0, 0], to: ".segue-\(ProcessIdentity.own)-42.json")
    try directory.write([0, 0, 0, 0], to: ".segue-1-43")
    try AtomicFile.write([1], to: directory["a.json"])
    #expect(try AtomicFile.read(directory["a.json"], limit: 9) == [1])
    #expect(try names() == ["a.json"])
  }

  @Test func `A name of the greatest length can be written, too`() throws {
    let name = String(repeating: "n", count: 250) + ".m3u8"
    try AtomicFile.write([1], to: directory[name])
    #expect(try names() == [name])
  }

  @Test func `A file that many threads write at once has the complete contents of one write`() throws {
    let path = directory["a"]
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      let bytes = [UInt8](repeating: UInt8(index), count: 100_000 + index)
      do { try AtomicFile.write(bytes, to: path) } catch { failures.withLock { $0 += 1 } }
    }
    let found = try #require(try AtomicFile.read(path, limit: 1 << 20))
    #expect(found == [UInt8](repeating: found[0], count: 100_000 + Int(found[0])))
    #expect(failures.withLock { $0 } == 0)
    #expect(try names() == ["a"])
  }

  @Test func `Files that differ only in their extensions can be written at the same time`() throws {
    let directory = directory
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      let path = directory["a.\(index)"]
      do { try AtomicFile.write([UInt8(index)], to: path) } catch { failures.withLock { $0 += 1 } }
    }
    for index in 0..<16 { #expect(try AtomicFile.read(directory["a.\(index)"], limit: 9) == [UInt8(index)]) }
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func `A symbolic link is replaced, not followed`() throws {
    try directory.write([5], to: "target")
    try directory.link("link", to: "target")
    try AtomicFile.write([6], to: directory["link"])
    #expect(try AtomicFile.read(directory["target"], limit: 9) == [5])
    #expect(try FileStatus(of: directory["link"], followingLinks: false).kind == .regular)
  }

  @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
  func `A directory without write permission is an error`() throws {
    try directory.makeDirectory("locked")
    try directory.setPermissions(0o500, of: "locked")
    #expect(throws: Errno.permissionDenied) { try AtomicFile.write([1], to: directory["locked/a"]) }
  }
}
