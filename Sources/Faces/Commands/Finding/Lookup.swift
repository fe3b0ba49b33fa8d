import Platform
import Screens
import Synchronization
import SystemPackage

/// A search for what to play, and what finds it.
struct PreparedSearch {
  let finder: CollectionFinder
  let lookup: Lookup

  /// Begins to prepare to find `album`.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(for album: String, _ finder: CollectionFinder) throws(Errno) {
    self.finder = finder
    lookup = try Lookup { finder.prepare(toFind: album) }
  }
}

/// A search for what to play, on a thread of its own: it is prepared before it is certain that it is needed, and what
/// it finds may be asked for later, so that a player is made meanwhile.
final class Lookup: Sendable {
  /// What was found, or why nothing was.
  typealias Outcome = Result<CollectionFinder.Found, CommandError>

  private struct Search: Sendable {
    let find: @Sendable () throws(CommandError) -> CollectionFinder.Found
  }

  private struct Receiver: Sendable {
    let receive: @Sendable (Outcome) -> Void
  }

  private struct Desk {
    var search: Search?
    var outcome: Outcome?
    var receiver: Receiver?
  }

  private let desk = Mutex(Desk())
  private let hasBegun = ThreadSignal()

  /// Begins to `prepare` a search.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(preparing prepare: @escaping @Sendable () -> Void) throws(Errno) {
    _ = try WorkerThread(name: "segue-finder") { [self] in
      prepare()
      hasBegun.wait()
      guard let search = desk.withLock({ $0.search }) else { return }
      let outcome = Result { () throws(CommandError) in try search.find() }
      desk.withLock { $0.outcome = outcome }
      deliver()
    }
  }

  /// Has it `find`, as soon as that is prepared. Once.
  func begin(_ find: @escaping @Sendable () throws(CommandError) -> CollectionFinder.Found) {
    desk.withLock { $0.search = Search(find: find) }
    hasBegun.wake()
  }

  /// Has `receive` called once with the outcome: at once where it is known, or else on the searching thread.
  func whenDone(_ receive: @escaping @Sendable (Outcome) -> Void) {
    desk.withLock { $0.receiver = Receiver(receive: receive) }
    deliver()
  }

  private func deliver() {
    let delivery = desk.withLock { desk in
      desk.outcome.flatMap { outcome in desk.receiver.take().map { ($0, outcome) } }
    }
    if let (receiver, outcome) = delivery { receiver.receive(outcome) }
  }
}
