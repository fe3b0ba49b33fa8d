import Platform
import Synchronization
import SystemPackage

/// A search for what to play, on a thread of its own: it begins at once, and what it finds may be asked for later, so that a
/// player is made meanwhile.
final class Lookup: Sendable {
  /// What was found, or why nothing was.
  typealias Outcome = Result<CollectionFinder.Found, CommandError>

  private struct Receiver: Sendable {
    let receive: @Sendable (Outcome) -> Void
  }

  private struct Desk {
    var outcome: Outcome?
    var receiver: Receiver?
  }

  private let desk = Mutex(Desk())

  /// Begins to `find`.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ find: @escaping @Sendable () throws(CommandError) -> CollectionFinder.Found) throws(Errno) {
    _ = try WorkerThread(name: "segue-finder") { [self] in
      let outcome = Result { () throws(CommandError) in try find() }
      desk.withLock { $0.outcome = outcome }
      deliver()
    }
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
