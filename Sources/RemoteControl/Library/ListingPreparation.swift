import Flux
import MusicLibrary
import Platform
import QueueFlow
import Synchronization
import SystemPackage

/// Makes the words in which the songs of directories are told, and has the index keep them, before a client asks: so
/// that all of a library that was just read is told as quickly as it is ever after.
///
/// It works when the library has not changed for a moment, and sleeps until it changes again: for half of the time, or
/// a fifth of it while clients ask something.
final class ListingPreparation: Sendable {
  private let work: PreparingWork
  private let thread: WorkerThread
  private let subscription: Subscription

  /// Begins with what is there.
  ///
  /// - Parameters:
  ///   - clock: the time by which it waits and rests.
  ///   - isAsked: whether clients are asking something, on its thread.
  ///   - whenDone: called on its thread when all is made of a version of the library.
  /// - Throws: `Errno` where the system grants no thread.
  init(
    _ library: RemoteLibrary, clock: any MonotonicClock = SystemClock(),
    isAsked: @escaping @Sendable () -> Bool,
    whenDone: @escaping @Sendable (_ version: UInt64) -> Void = { _ in }
  ) throws(Errno) {
    let work = PreparingWork(library, clock: clock, isAsked: isAsked, whenDone: whenDone)
    self.work = work
    thread = try WorkerThread(name: "segue-listing") { work.run() }
    subscription = library.store.observe { _ in work.signal.wake() }
  }

  deinit { end() }

  /// Ends; what is being made is made to its end meanwhile, which takes some milliseconds.
  func end() {
    subscription.cancel()
    work.end()
  }
}

/// What the thread does.
private final class PreparingWork: Sendable {
  /// How long the library has to be left alone, in milliseconds, while clients ask something, and while none does.
  private static let settlingTimes: (asked: UInt64, unasked: UInt64) = (500, 100)
  /// About so many bytes are made at a time, in which no other asks the index.
  private static let pieceSize = 1 << 16
  /// So many directories are looked at at a time.
  private static let pieceCount = 128
  /// How much longer than a piece the pause behind it is, in the same cases.
  private static let pauseFactors: (asked: UInt64, unasked: UInt64) = (4, 1)

  let signal = ThreadSignal()
  private let library: RemoteLibrary
  private let clock: any MonotonicClock
  private let isAsked: @Sendable () -> Bool
  private let whenDone: @Sendable (UInt64) -> Void
  private let hasEnded = Atomic(false)

  init(
    _ library: RemoteLibrary, clock: any MonotonicClock, isAsked: @escaping @Sendable () -> Bool,
    whenDone: @escaping @Sendable (UInt64) -> Void
  ) {
    self.library = library
    self.clock = clock
    self.isAsked = isAsked
    self.whenDone = whenDone
  }

  func end() {
    hasEnded.store(true, ordering: .releasing)
    signal.wake()
  }

  func run() {
    // The version of the library of which all is made.
    var prepared: UInt64?
    while !isEnded {
      let state = library.store.state
      if state.isBusy || state.version == prepared {
        clock.wait(for: signal)
        continue
      }
      let deadline = clock.now.advanced(byMilliseconds: settlingTime)
      clock.wait(for: signal, until: deadline)
      // Where it was woken before, the library may have changed.
      if clock.now >= deadline, prepareAll() {
        prepared = state.version
        whenDone(state.version)
      }
    }
  }

  private var settlingTime: UInt64 { isAsked() ? Self.settlingTimes.asked : Self.settlingTimes.unasked }

  private var isEnded: Bool { hasEnded.load(ordering: .acquiring) }

  /// Makes what is missing; says whether it came to the end. What cannot be read or kept now is made when it is asked
  /// for.
  private func prepareAll() -> Bool {
    var last: Int64 = 0
    while !isEnded, !library.store.state.isBusy {
      let begin = clock.now
      guard let next = prepare(behind: last) else { return true }
      last = next
      let factor = isAsked() ? Self.pauseFactors.asked : Self.pauseFactors.unasked
      let end = clock.now
      clock.sleep(
        until: MonotonicInstant(nanoseconds: end.nanoseconds + (end.nanoseconds - begin.nanoseconds) * factor))
    }
    return false
  }

  /// Makes what is missing of some directories behind the one with the number `begin`; gives the number of the last of
  /// them, `nil` for none.
  private func prepare(behind begin: Int64) -> Int64? {
    let found = try? library.index.browseAndKeep { browser in
      var songs = SongLines(SongText(roots: library.index.roots, tags: Set(SongTag.allCases)))
      var lines = LineBuffer(capacity: Self.pieceSize * 2)
      var last: Int64?
      for directory in try browser.keptDirectories(behind: begin, limit: Self.pieceCount)
      where lines.count < Self.pieceSize {
        last = directory.id
        songs.enter(directory.path)
        guard let key = songs.keptUnder, key != directory.key else { continue }
        _ = try songs.addAll(in: directory.path, browser, to: &lines)
      }
      return last
    }
    return found ?? nil
  }
}
