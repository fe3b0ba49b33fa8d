import Flux
import Platform
import Synchronization

/// What the search controller's thread works on.
final class SearchWork: Sendable {
  private struct Desk {
    var schedule: SearchSchedule
    /// The library's version that was taken notice of last.
    var libraryVersion: UInt64?
    var isEnding = false
  }

  private let reader: SearchReader
  private let store: SearchStore
  private let dispatcher: SearchDispatcher
  private let clock: any MonotonicClock
  private let desk: Mutex<Desk>
  private let signal = ThreadSignal()

  init(
    _ reader: SearchReader, store: SearchStore, dispatcher: SearchDispatcher, clock: any MonotonicClock,
    typingMilliseconds: UInt64
  ) {
    self.reader = reader
    self.store = store
    self.dispatcher = dispatcher
    self.clock = clock
    desk = Mutex(Desk(schedule: SearchSchedule(typingMilliseconds: typingMilliseconds)))
  }

  /// Takes notice of what the store has reduced.
  func act() {
    // Looked up under the lock: whoever comes second sees what is at least as new.
    let hasWork = desk.withLock { [store, clock] in $0.schedule.follow(store.state, at: clock.now) }
    if hasWork { signal.wake() }
  }

  /// Takes notice of how the library stands.
  func follow(_ library: LibraryState) {
    let hasChanged = desk.withLock { desk in
      defer { desk.libraryVersion = library.version }
      return desk.libraryVersion.map { $0 != library.version } ?? false
    }
    if hasChanged { dispatcher.dispatch(.report(.libraryChanged)) }
  }

  /// Has the thread end as soon as the repository lets it.
  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// Reads what is asked until the end.
  func run() {
    while true {
      let now = clock.now
      let (step, isEnding) = desk.withLock { ($0.schedule.next(at: now), $0.isEnding) }
      if isEnding { return }
      switch step {
      case .read(.page(let ask)): read(ask)
      case .read(.choices(let ask)): read(ask)
      case .wait(let deadline): clock.wait(for: signal, until: deadline)
      }
    }
  }

  private func read(_ ask: SearchAsk) {
    do throws(SearchFault) {
      dispatcher.dispatch(.report(.answered(ask.number, try reader.page(ask))))
    } catch {
      dispatcher.dispatch(.report(.failed(ask.number, error)))
    }
  }

  private func read(_ ask: ChoiceAsk) {
    do throws(SearchFault) {
      dispatcher.dispatch(.report(.offered(ask.number, try reader.choices(ask))))
    } catch {
      dispatcher.dispatch(.report(.offeringFailed(ask.number, error)))
    }
  }
}
