import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileLockTests {
  @Test func `One holder has the lock at a time, and the next when it goes`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    var first: FileLock? = try FileLock(path, until: .now)
    #expect(throws: Errno.wouldBlock) { _ = try FileLock(path, until: .now) }
    withExtendedLifetime(first) {}
    first = nil
    _ = try FileLock(path, until: .now)
  }

  @Test func `A place that cannot be written is an error`() {
    #expect(throws: Errno.self) { _ = try FileLock("/dev/null/x", until: .now) }
  }
}

@Suite struct OwnerLockTests {
  @Test func `One owner has the lock, and others learn its process`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("owner.lock")
    var first: OwnerLock? = try OwnerLock(file)
    #expect(throws: OwnerLockError.owned(by: ProcessIdentity.own)) { _ = try OwnerLock(file) }
    withExtendedLifetime(first) {}
    first = nil
    _ = try OwnerLock(file)
  }

  @Test func `The number of a process that has ended is not told`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("owner.lock")
    let holder = try FileLock(file, until: .now)
    for text in ["", "0\n", "-7\n", "rubbish", "99999999999\n"] {
      try directory.write(Array(text.utf8), to: "owner.lock")
      #expect(throws: OwnerLockError.owned(by: nil)) { _ = try OwnerLock(file) }
    }
    withExtendedLifetime(holder) {}
  }

  @Test func `Nothing stays of a longer number that was there`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Array("12345678901234\n".utf8), to: "owner.lock")
    let lock = try OwnerLock(file)
    #expect(try AtomicFile.read(file, limit: 64) == Array("\(ProcessIdentity.own)\n".utf8))
    withExtendedLifetime(lock) {}
  }

  @Test func `A place that cannot be written is an error`() {
    #expect(throws: OwnerLockError.self) { _ = try OwnerLock("/dev/null/x") }
  }
}
