// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileRewriteTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func append(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: [.append])
    try file.closeAfter { _ = try file.writeAll(text.utf8) }
  }

  private var names: [String] {
    get throws { try DirectoryListing(of: directory.path).entries.map(\.name.string) }
  }

  /// Rewrites a file with `text` appended.
  private func rewrite(_ path: FilePath, appending text: String, commits: Bool) throws {
    let rewrite = try FileRewrite(of: path)
    #expect(rewrite.copy.extension == rewrite.target.extension)
    try append(text, to: rewrite.copy)
    if commits { try rewrite.commit() }
  }

  @Test func `A committed copy replaces the file, and nothing else is left`() throws {
    let path = try directory.write("old".utf8, to: "a.flac")
    try directory.setPermissions(0o640, of: "a.flac")
    try rewrite(path, appending: " new", commits: true)
    #expect(try contents(of: path) == Array("old new".utf8))
    #expect(try names == ["a.flac"])
    #expect(try directory.permissions(of: "a.flac") == 0o640)
  }

  @Test func `A copy that is not committed leaves the file unchanged, and is removed`() throws {
    let path = try directory.write("old".utf8, to: "a.flac")
    let before = try FileStatus(of: path)
    try rewrite(path, appending: " new", commits: false)
    #expect(try contents(of: path) == Array("old".utf8))
    #expect(try FileStatus(of: path) == before)
    #expect(try names == ["a.flac"])
  }

  @Test func `A symbolic link stays, and its target is replaced`() throws {
    let path = try directory.write("old".utf8, to: "a.flac")
    try directory.link("b.flac", to: "a.flac")
    try rewrite(directory["b.flac"], appending: " new", commits: true)
    #expect(try contents(of: path) == Array("old new".utf8))
    #expect(try FileStatus(of: directory["b.flac"], followingLinks: false).kind == .symbolicLink)
  }

  @Test func `A path that is not a regular file is refused, and so is a second rewrite at the same time`() throws {
    try directory.makeFIFO("fifo")
    #expect(throws: Errno.invalidArgument) { try rewrite(directory["fifo"], appending: "", commits: true) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try rewrite(directory["none"], appending: "", commits: true) }
    let path = try directory.write("old".utf8, to: "a.flac")
    let first = try FileRewrite(of: path)
    #expect(throws: Errno.resourceBusy) { try rewrite(path, appending: "", commits: true) }
    try append(" new", to: first.copy)
    try first.commit()
    #expect(try contents(of: path) == Array("old new".utf8))
    try rewrite(path, appending: "er", commits: true)
    #expect(try contents(of: path) == Array("old newer".utf8))
  }

  @Test func `Files of killed processes are removed, but not those in use or those of the user`()
    throws
  {
    try directory.write("old".utf8, to: "a.flac")
    try directory.write("old".utf8, to: "b.flac")
    let userFiles = [".segue-", ".segue-notes", ".segue-1-x-y.flac", ".segue-x-1.flac", ".segued-1-2.flac"]
    for name in userFiles { try directory.write("mine".utf8, to: name) }
    // Left by an earlier version in a process with this ID, and by a process that was killed.
    for name in [".segue-\(ProcessIdentity.own)-1y2p0ij32e8e7.flac", ".segue-17-42.flac", ".segue-17-42"] {
      try directory.write("half".utf8, to: name)
    }
    let other = try FileRewrite(of: directory["b.flac"])
    try rewrite(directory["a.flac"], appending: " new", commits: true)
    #expect(try Set(names) == Set(userFiles + ["a.flac", "b.flac", other.copy.lastComponent?.string ?? ""]))
    try other.commit()
    #expect(try Set(names) == Set(userFiles + ["a.flac", "b.flac"]))
  }
}
