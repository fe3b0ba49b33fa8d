// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
package import SystemPackage

/// A search for the music to play that is being prepared in the background, and the finder that performs it.
package struct PreparedSearch {
  package let finder: CollectionFinder
  package let lookup: Lookup

  /// Creates a search, and starts preparing it for `album` on another thread.
  ///
  /// - Throws: `Errno` if no thread can be created.
  package init(for album: String, _ finder: CollectionFinder) throws(Errno) {
    self.finder = finder
    lookup = try Lookup { finder.prepare(toFind: album) }
  }
}

/// A search for the music to play, on a thread of its own. It is prepared before the program knows whether it needs the
/// search, and runs while the player is being created.
package final class Lookup: Sendable {
  /// The result of the search, or its error.
  package typealias Outcome = Result<CollectionFinder.Found, PlayerError>

  private struct Search: Sendable {
    let find: @Sendable () throws(PlayerError) -> CollectionFinder.Found
  }

  private struct Receiver: Sendable {
    let receive: @Sendable (Outcome) -> Void
  }

  private struct State {
    var search: Search?
    var outcome: Outcome?
    var receiver: Receiver?
  }

  private let state = Mutex(State())
  private let start = ThreadSignal()

  /// Creates the thread, and runs `prepare` on it.
  ///
  /// - Throws: `Errno` if no thread can be created.
  package init(preparing prepare: @escaping @Sendable () -> Void) throws(Errno) {
    _ = try WorkerThread(name: "segue-lookup") { [self] in
      prepare()
      start.wait()
      guard let search = state.withLock({ $0.search }) else { return }
      let outcome = Result { () throws(PlayerError) in try search.find() }
      state.withLock { $0.outcome = outcome }
      deliver()
    }
  }

  /// Runs `find` on the thread after the preparation. Call this once only.
  package func begin(_ find: @escaping @Sendable () throws(PlayerError) -> CollectionFinder.Found) {
    state.withLock { $0.search = Search(find: find) }
    start.wake()
  }

  /// Calls `receive` once with the outcome, either now if it is known, or later on the search thread.
  package func whenDone(_ receive: @escaping @Sendable (Outcome) -> Void) {
    state.withLock { $0.receiver = Receiver(receive: receive) }
    deliver()
  }

  private func deliver() {
    let delivery = state.withLock { state in
      state.outcome.flatMap { outcome in state.receiver.take().map { ($0, outcome) } }
    }
    if let (receiver, outcome) = delivery { receiver.receive(outcome) }
  }
}
