// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// Translates the user's intents into actions, and published state into the output that a view draws. A view model does
/// not know its view. Safe to use from any thread.
protocol ViewModel: Sendable {
  /// The user's intents.
  associatedtype Input: Sendable
  /// The content that the view draws.
  associatedtype Output: Sendable, Equatable

  /// Dispatches the actions for an intent. Never blocks.
  func accept(_ input: Input)

  /// Calls `receive` at once and after every new state, even if the output is the same as before. Calls do not overlap.
  func observeStates(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription
}

extension ViewModel {
  /// Calls `receive` with the output at once, and then whenever the output changes.
  func observe(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription {
    let last = Last<Output>()
    return observeStates { if last.replace(with: $0) { receive($0) } }
  }

  /// Handles the intents in `inputs`, and returns a stream of outputs: the current one, and then each change. A slow
  /// reader receives only the newest output. The stream continues after the intents have ended.
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

/// The last output that was passed to the receiver.
private final class Last<Value: Sendable & Equatable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Replaces the value. Returns whether the new value differs from the old one.
  func replace(with new: Value) -> Bool {
    value.withLock { value in
      defer { value = new }
      return value != new
    }
  }
}
