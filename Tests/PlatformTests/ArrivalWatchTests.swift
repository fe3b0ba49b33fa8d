import SystemPackage
import TestSupport
import Testing

@testable import Platform

#if os(Linux)
  @Suite struct ArrivalWatchTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A watch that expectations can call.
    private final class Waiter {
      private var watch: ArrivalWatch

      /// One that would not try again by itself within a test, unless its pause is a short one.
      init(for path: FilePath?, firstPause: UInt64 = 600_000) {
        watch = ArrivalWatch(for: path, firstPause: firstPause)
      }

      func wait(until pipe: WakePipe? = nil, longest: UInt64 = .max) -> Bool {
        watch.wait(until: pipe, longest: longest)
      }
    }

    @Test func `A file that comes is noticed at once, also in directories that come before it`() throws {
      let watch = Waiter(for: directory["a/b/socket"])
      let start = MonotonicInstant.now
      try directory.write([1], to: "other")
      try directory.makeDirectory("a")
      #expect(watch.wait())
      try directory.makeDirectory("a/b")
      #expect(watch.wait())
      try directory.write([1], to: "a/b/socket")
      #expect(watch.wait())
      // One that takes the place of another, and one that goes with its directory and comes back.
      try directory.write([2], to: "a/b/new")
      try AtomicFile.move(directory["a/b/new"], to: directory["a/b/socket"])
      #expect(watch.wait())
      directory.remove("a")
      #expect(watch.wait())
      try directory.write([1], to: "a/b/socket")
      #expect(watch.wait())
      #expect(MonotonicInstant.now < start.advanced(byMilliseconds: 300_000))
    }

    @Test func `What comes before the wait begins is noticed, and other names are not`() throws {
      let watch = Waiter(for: directory["socket"])
      try directory.write([1], to: "socket")
      #expect(watch.wait())
      let pipe = try WakePipe()
      try directory.write([1], to: "another")
      pipe.wake()
      #expect(!watch.wait(until: pipe))
    }

    @Test func `Without an arrival it is time after a pause, which a waking does not make longer`() throws {
      let watch = Waiter(for: directory["socket"], firstPause: 30)
      let pipe = try WakePipe()
      pipe.wake()
      #expect(!watch.wait(until: pipe))
      #expect(watch.wait(until: pipe))
      let unwatched = Waiter(for: nil, firstPause: 30)
      #expect(unwatched.wait() && unwatched.wait(longest: 1))
    }
  }
#endif
