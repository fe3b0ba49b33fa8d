// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// Turns the user's intents into actions, and published state into what a view draws; it holds no view. Any thread.
protocol ViewModel: Sendable {
  /// The user's intents.
  associatedtype Input: Sendable
  /// What the view draws.
  associatedtype Output: Sendable, Equatable

  /// Dispatches the actions for `input`. Does not block.
  func accept(_ input: Input)

  /// Calls `receive` with the output at once and after every new state, even if the output is equal; one call at a
  /// time.
  func observeStates(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription
}

extension ViewModel {
  /// Calls `receive` with the output at once, and then whenever it changes.
  func observe(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription {
    let last = Last<Output>()
    return observeStates { if last.replace(with: $0) { receive($0) } }
  }

  /// Returns the output while `inputs` arrive: at once, and then whenever it changes; a slow reader gets only the
  /// newest. The stream continues after the inputs have ended.
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

/// The last output.
private final class Last<Value: Sendable & Equatable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Replaces the value; returns whether `new` is different.
  func replace(with new: Value) -> Bool {
    value.withLock { value in
      defer { value = new }
      return value != new
    }
  }
}
