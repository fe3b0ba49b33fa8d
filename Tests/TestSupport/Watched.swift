// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A value that threads change, and for which a test can wait.
public final class Watched<Value: Sendable>: @unchecked Sendable {
  // The condition's lock protects the value.
  private let condition = NSCondition()
  private var contents: Value

  /// Creates a watched value.
  public init(_ value: Value) { contents = value }

  /// The present value.
  public var value: Value { change { $0 } }

  /// Changes the value and wakes all waiting threads.
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&contents)
    condition.broadcast()
    return result
  }

  /// Blocks until `isReached` returns `true`; returns `false` if it does not within `seconds`.
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

  /// Creates an open or closed gate.
  public init(isOpen: Bool = false) { state = Watched((isOpen, 0)) }

  /// Blocks while the gate is closed, however long.
  public func pass() {
    state.change { $0.waiting += 1 }
    while !state.wait(until: { $0.isOpen }) {}
    state.change { $0.waiting -= 1 }
  }

  /// The number of threads that it blocks.
  public var heldCount: Int {
    let state = state.value
    return state.isOpen ? 0 : state.waiting
  }

  /// Opens the gate.
  public func open() { state.change { $0.isOpen = true } }

  /// Blocks until a thread waits at the gate; returns `false` if none comes.
  public func awaitArrival() -> Bool { state.wait { $0.waiting > 0 } }
}

extension Gate: Equatable {
  /// Whether two references are to the same gate.
  public static func == (left: Gate, right: Gate) -> Bool { left === right }
}

/// Waits until `condition` is true, for a minute at most; returns whether it is. For conditions that cannot be
/// signalled.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: 60)
  while Date() < limit {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
