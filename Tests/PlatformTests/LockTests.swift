// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileLockTests {
  @Test func `Only one holder has the lock at a time, and the next when it is released`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    var first: FileLock? = try FileLock(path, until: .now)
    #expect(throws: Errno.wouldBlock) { _ = try FileLock(path, until: .now) }
    withExtendedLifetime(first) {}
    first = nil
    _ = try FileLock(path, until: .now)
  }

  @Test func `A path that cannot be written is an error`() {
    #expect(throws: Errno.self) { _ = try FileLock("/dev/null/x", until: .now) }
  }
}

@Suite struct OwnerLockTests {
  @Test func `Only one owner has the lock, and others learn its process id`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("owner.lock")
    var first: InstanceLock? = try InstanceLock(file)
    #expect(throws: InstanceLockError.owned(by: ProcessIdentity.own)) { _ = try InstanceLock(file) }
    withExtendedLifetime(first) {}
    first = nil
    _ = try InstanceLock(file)
  }

  @Test func `The id of a process that has ended is not returned`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("owner.lock")
    let holder = try FileLock(file, until: .now)
    for text in ["", "0\n", "-7\n", "rubbish", "99999999999\n"] {
      try directory.write(Array(text.utf8), to: "owner.lock")
      #expect(throws: InstanceLockError.owned(by: nil)) { _ = try InstanceLock(file) }
    }
    withExtendedLifetime(holder) {}
  }

  @Test func `A shorter process id replaces a longer one completely`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Array("12345678901234\n".utf8), to: "owner.lock")
    let lock = try InstanceLock(file)
    #expect(try AtomicFile.read(file, limit: 64) == Array("\(ProcessIdentity.own)\n".utf8))
    withExtendedLifetime(lock) {}
  }

  @Test func `A path that cannot be written is an error`() {
    #expect(throws: InstanceLockError.self) { _ = try InstanceLock("/dev/null/x") }
  }
}
