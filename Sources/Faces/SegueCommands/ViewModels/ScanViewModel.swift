import Flux
import MusicModel
import QueueFlow

/// Shows how the reading of the library goes, and what came of it.
struct ScanViewModel: ViewModel {
  /// What the user wants.
  enum Input: Sendable, Equatable {
    /// Read the library.
    case scan(ScanScope)
    /// Try again what failed or was cancelled.
    case retry
    /// Stop reading.
    case cancel
  }

  private let store: LibraryStore
  private let actions: LibraryActionCreator

  /// How the library that `store` publishes is read.
  init(store: LibraryStore, actions: LibraryActionCreator) {
    self.store = store
    self.actions = actions
  }

  func accept(_ input: Input) {
    switch input {
    case .scan(let scope): actions.scan(scope)
    case .retry: actions.retry()
    case .cancel: actions.cancel()
    }
  }

  func observeStates(_ receive: @escaping @Sendable (ScanOutput) -> Void) -> Subscription {
    store.observe { receive(ScanOutput($0)) }
  }
}
