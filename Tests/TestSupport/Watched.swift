// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A value that several threads may change. A test can wait for the changes.
public final class Watched<Value: Sendable>: @unchecked Sendable {
  // The lock of the condition protects the value.
  private let condition = NSCondition()
  private var contents: Value

  /// Creates a watched value.
  public init(_ value: Value) { contents = value }

  /// The current value.
  public var value: Value { change { $0 } }

  /// Changes the value, wakes all threads that wait for changes, and returns the result of `body`.
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&contents)
    condition.broadcast()
    return result
  }

  /// Blocks until `isReached` returns `true` for the value. Returns `false` if it does not within `seconds`.
  public func wait(seconds: Double = 60, until isReached: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isReached(contents) {
      if !condition.wait(until: deadline) { return isReached(contents) }
    }
    return true
  }
}

/// A gate that blocks all threads until it is opened.
public final class Gate: Sendable {
  private let state: Watched<(isOpen: Bool, waiting: Int)>

  /// Creates a gate that is open or closed.
  public init(isOpen: Bool = false) { state = Watched((isOpen, 0)) }

  /// Blocks while the gate is closed, for any length of time.
  public func pass() {
    state.change { $0.waiting += 1 }
    while !state.wait(until: { $0.isOpen }) {}
    state.change { $0.waiting -= 1 }
  }

  /// The number of threads that the gate is blocking.
  public var blockedCount: Int {
    let state = state.value
    return state.isOpen ? 0 : state.waiting
  }

  /// Opens the gate.
  public func open() { state.change { $0.isOpen = true } }

  /// Blocks until a thread is waiting at the gate. Returns `false` if none does in time.
  public func awaitArrival() -> Bool { state.wait { $0.waiting > 0 } }
}

extension Gate: Equatable {
  /// Returns whether two references are to the same gate.
  public static func == (left: Gate, right: Gate) -> Bool { left === right }
}

/// Waits until `condition` returns `true`, but at most a minute. Returns whether it did. Use this for conditions that
/// cannot be signalled.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: 60)
  while Date() < limit {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
