// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Scrobbling

struct ScrobbleOutboxTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func waiting(_ outbox: ScrobbleOutbox) throws -> [String] {
    try outbox.next(for: .listenBrainz, limit: 100, until: 10).map(\.content.title)
  }

  private func add(_ title: String, to outbox: ScrobbleOutbox) throws {
    try outbox.add(try #require(ScrobbleRig.listen(title, at: 5)), for: [.listenBrainz], at: 5)
  }

  @Test func `Only its owner can read it, and asking creates nothing`() throws {
    let outbox = ScrobbleOutbox(directory: directory["new"])
    #expect(try waiting(outbox) == [] && outbox.count(for: .lastFM, after: 0) == (0, 0) && !outbox.isPresent)
    try add("1", to: outbox)
    #expect(try FileOwnership(of: outbox.path).permissions == [.ownerReadWrite])
  }

  @Test func `Two processes add, and see the same in the same order`() throws {
    let (one, other) = (ScrobbleOutbox(directory: directory.path), ScrobbleOutbox(directory: directory.path))
    for number in 1...6 { try add("\(number)", to: number.isMultiple(of: 2) ? one : other) }
    #expect(try waiting(one) == (1...6).map { "The \($0)" } && waiting(other) == waiting(one))
    one.remove(try one.next(for: .listenBrainz, limit: 2, until: 10).map(\.id))
    #expect(try waiting(other) == (3...6).map { "The \($0)" })
  }

  @Test func `What cannot be stored stays in memory, and is stored with what comes next`() throws {
    // A file is in the place of the directory.
    try directory.write([], to: "place")
    let outbox = ScrobbleOutbox(directory: directory["place"])
    for number in 1...2 { #expect(throws: ScrobbleProblem.self) { try add("\(number)", to: outbox) } }
    try AtomicFile.remove(directory["place"])
    try add("3", to: outbox)
    #expect(try waiting(ScrobbleOutbox(directory: directory["place"])) == ["The 1", "The 2", "The 3"])
  }

  @Test func `A damaged file is renamed, and one of a later version is left alone`() throws {
    try directory.write(Array("SQLite format 3\0 this is no database".utf8), to: "scrobbles.sqlite")
    let outbox = ScrobbleOutbox(directory: directory.path)
    try add("1", to: outbox)
    #expect(try waiting(outbox) == ["The 1"])
    let names = try DirectoryListing(of: directory.path).entries.map(\.name.string)
    #expect(names.contains { $0.hasPrefix("scrobbles.sqlite.damaged-") }, "\(names)")
  }

  @Test func `Accounts are stored for their owner only, and not read from a file that others can read`() throws {
    let file = ScrobbleAccountsFile(in: directory.path)
    #expect(try file.read().isEmpty)
    let accounts = ScrobbleAccounts(listenBrainz: .init(token: "t", user: "ann"))
    try file.write(accounts)
    #expect(try FileOwnership(of: file.path).permissions == [.ownerReadWrite])
    #expect(try file.read() == accounts)
    try AtomicFile.setPermissions([.ownerReadWrite, .otherRead], of: file.path)
    #expect(throws: ScrobbleProblem.self) { try file.read() }
    try AtomicFile.write(Array("{".utf8), to: file.path)
    #expect(throws: ScrobbleProblem.self) { try file.read() }
    try file.write(ScrobbleAccounts())
    #expect(try file.read().isEmpty && (try? FileStatus(of: file.path)) == nil)
  }
}
