import Flux
import Synchronization

/// Makes of what the user wants and what stores publish what a view draws; it holds no view. From any thread.
protocol ViewModel: Sendable {
  /// What the user wants of the view.
  associatedtype Input: Sendable
  /// What the view draws.
  associatedtype Output: Sendable, Equatable

  /// Says to the flow what `input` means. Does not block.
  func accept(_ input: Input)

  /// Has `receive` called with what is to be drawn: at once and at every new state, one call at a time, also where both
  /// are the same.
  func observeStates(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription
}

extension ViewModel {
  /// Has `receive` called with what is to be drawn: at once, and then whenever that is something else.
  func observe(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription {
    let last = Last<Output>()
    return observeStates { if last.replace(with: $0) { receive($0) } }
  }

  /// What is to be drawn while `inputs` come: at once, and then whenever that is something else; whoever is slow gets
  /// the newest only. It goes on when the inputs have ended.
  func transform(_ inputs: AsyncStream<Input>) -> AsyncStream<Output> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscription = observe { continuation.yield($0) }
      let task = Task { for await input in inputs { accept(input) } }
      continuation.onTermination = { _ in
        task.cancel()
        subscription.cancel()
      }
    }
  }
}

/// What was drawn last.
private final class Last<Value: Sendable & Equatable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Says whether `new` is something else.
  func replace(with new: Value) -> Bool {
    value.withLock { value in
      defer { value = new }
      return value != new
    }
  }
}
