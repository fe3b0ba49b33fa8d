// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct StreamSecretsTests {
  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file(StreamSecrets.fileName) }

  init() throws { directory = try TemporaryDirectory() }

  private func secrets(isOwner: Bool = true) -> StreamSecrets {
    let secrets = StreamSecrets()
    secrets.use(directory.path, isOwner: isOwner)
    return secrets
  }

  @Test func `Secrets are stored for their owner alone, and found again`() throws {
    let first = secrets()
    try first.flush()
    #expect(FileStatus.isFile(at: file) != true)
    first.add("http://me:word@host/", for: "http://me@host/")
    first.add("http://host/?token=1", for: "http://host/")
    try first.flush()
    #expect(try FileOwnership(of: file).permissions == [.ownerReadWrite])
    let second = secrets()
    #expect(second.address(for: "http://me@host/") == "http://me:word@host/")
    #expect(second.address(for: "http://host/") == "http://host/?token=1")
    #expect(second.address(for: "http://other/") == "http://other/")
  }

  @Test func `What another process has stored is found, and what was typed since is newer`() throws {
    let (first, second) = (secrets(), secrets(isOwner: false))
    second.add("http://me:new@host/", for: "http://me@host/")
    #expect(second.address(for: "http://other/") == "http://other/")
    first.add("http://me:old@host/", for: "http://me@host/")
    first.add("http://other/?token=1", for: "http://other/")
    try first.flush()
    #expect(second.address(for: "http://me@host/") == "http://me:new@host/")
    #expect(second.address(for: "http://other/") == "http://other/?token=1")
    // Only the owner of the directory writes.
    try second.flush()
    #expect(secrets().address(for: "http://me@host/") == "http://me:old@host/")
    first.add("http://me:newest@host/", for: "http://me@host/")
    try first.flush()
    #expect(secrets().address(for: "http://me@host/") == "http://me:newest@host/")
  }

  @Test func `What was typed before the directory is known is stored in it`() throws {
    let secrets = StreamSecrets()
    secrets.add("http://me:word@host/", for: "http://me@host/")
    try secrets.flush()
    secrets.use(directory.path, isOwner: true)
    try secrets.flush()
    #expect(self.secrets().address(for: "http://me@host/") == "http://me:word@host/")
  }

  @Test func `A damaged file and a link are not believed`() throws {
    try directory.write("\n \nx\na b c\nhttp://h/ http://h/?token=1\n\u{0}".utf8, to: StreamSecrets.fileName)
    #expect(secrets().address(for: "http://h/") == "http://h/?token=1" && secrets().address(for: "x") == "x")
    try AtomicFile.move(file, to: directory.file("target"))
    try directory.link(StreamSecrets.fileName, to: "target")
    #expect(secrets().address(for: "http://h/") == "http://h/")
  }

  @Test func `The oldest of very many secrets are forgotten`() throws {
    let secrets = secrets()
    for number in 0...50_000 { secrets.add("http://h/\(number)?token=1", for: "http://h/\(number)") }
    #expect(secrets.address(for: "http://h/0") == "http://h/0")
    #expect(secrets.address(for: "http://h/50000") == "http://h/50000?token=1")
  }
}
