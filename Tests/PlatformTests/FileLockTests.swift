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
