import Flux
import MusicModel
import QueueFlow
import TestSupport

/// A library flow whose disk answers as the test says.
final class LibraryFlow: Sendable {
  let dispatcher = LibraryDispatcher()
  let repository: FakeRepository
  let store: LibraryStore
  let controller: LibraryController
  let actions: LibraryActionCreator
  let clock = ManualClock()
  /// Every state that was published, the newest last.
  let states = Watched<[LibraryState]>([])
  /// Every action, in the order in which it came behind the store.
  let log = Watched<[LibraryAction]>([])
  private let subscriptions: [Subscription]

  init(_ repository: FakeRepository = FakeRepository()) throws {
    self.repository = repository
    store = LibraryStore(dispatcher: dispatcher)
    controller = try LibraryController(repository, store: store, dispatcher: dispatcher, clock: clock)
    actions = LibraryActionCreator(dispatcher: dispatcher)
    subscriptions = [
      store.observe { [states] state in states.change { $0.append(state) } },
      dispatcher.subscribe { [log] action in log.change { $0.append(action) } },
    ]
  }

  deinit {
    repository.grantAll()
    _ = controller.shutDown(within: 2000)
  }

  var state: LibraryState { store.state }

  /// Blocks until `isReached` holds of the newest state; `false` where it never does.
  func wait(until isReached: (LibraryState) -> Bool) -> Bool {
    states.wait { $0.last.map(isReached) ?? false }
  }

  /// Blocks until so many readings are over and nothing more is to be read.
  func awaitRest(after count: Int = 1) -> Bool {
    log.wait { $0.count(where: \.isEnd) >= count } && wait { !$0.isBusy }
  }
}

extension LibraryAction {
  /// Whether a reading is over.
  var isEnd: Bool {
    switch self {
    case .report(.ended), .report(.failed): true
    default: false
    }
  }
}
