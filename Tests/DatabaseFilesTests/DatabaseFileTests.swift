// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct DatabaseFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func names() throws -> [String] {
    try DirectoryListing(of: directory.path).entries.map(\.name.string).sorted()
  }

  @Test func `A file is set aside with its companions, and never replaces another`() throws {
    let file = DatabaseFile(directory["a.sqlite"])
    var newPaths: [FilePath] = []
    for text in ["one", "two"] {
      for suffix in ["", "-wal", "-shm"] { try directory.write(text.utf8, to: FilePath("a.sqlite\(suffix)")) }
      newPaths.append(try file.setAside())
    }
    let setAsideNames = newPaths.compactMap { $0.lastComponent?.string }
    #expect(setAsideNames.allSatisfy { $0.hasPrefix("a.sqlite.damaged-") } && Set(setAsideNames).count == 2)
    #expect(try names() == setAsideNames.flatMap { [$0, $0 + "-shm", $0 + "-wal"] }.sorted())
    #expect(throws: Errno.noSuchFileOrDirectory) { try file.setAside() }
  }

  @Test func `A new file is private to its owner, and an existing one is unchanged`() throws {
    let file = DatabaseFile(directory["a.sqlite"])
    #expect(!file.isEmpty)
    #expect(file.createPrivate())
    #expect(try directory.permissions(of: "a.sqlite") == 0o600)
    #expect(file.isEmpty)
    try directory.write("there".utf8, to: "a.sqlite")
    try directory.setPermissions(0o644, of: "a.sqlite")
    #expect(!file.createPrivate())
    #expect(try contents(of: file.path) == Array("there".utf8))
    #expect(try directory.permissions(of: "a.sqlite") == 0o644)
    #expect(!file.isEmpty)
  }

  @Test func `The size of the log is 0 without a log`() throws {
    let file = DatabaseFile(directory["a.sqlite"])
    #expect(file.logSize == 0)
    try directory.write("12345".utf8, to: "a.sqlite-wal")
    #expect(file.logSize == 5)
  }

  @Test func `A URI escapes special characters`() throws {
    #expect(
      DatabaseFile("/a b/c?d%e#f/ü.sqlite").immutableURI
        == "file:/a%20b/c%3fd%25e%23f/%c3%bc.sqlite?immutable=1")
    #expect(DatabaseFile(FilePath(systemBytes: [0x2F, 0xFF])).immutableURI == nil)
  }
}
