import Foundation

/// A value that threads change and that a test awaits.
public final class Watched<Value: Sendable>: @unchecked Sendable {
  // The condition's lock protects the value.
  private let condition = NSCondition()
  private var contents: Value

  /// Holds `value`.
  public init(_ value: Value) { contents = value }

  /// The present value.
  public var value: Value { change { $0 } }

  /// Changes the value and wakes whoever waits for it.
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&contents)
    condition.broadcast()
    return result
  }

  /// Blocks until `isReached` holds, and gives `true`; `false` where it does not within `seconds`.
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

/// Holds up whoever passes, until it is opened.
public final class Gate: Sendable {
  private let state: Watched<(isOpen: Bool, waiting: Int)>

  /// A gate that is open or shut.
  public init(isOpen: Bool = false) { state = Watched((isOpen, 0)) }

  /// Blocks while the gate is shut, however long.
  public func pass() {
    state.change { $0.waiting += 1 }
    while !state.wait(until: { $0.isOpen }) {}
    state.change { $0.waiting -= 1 }
  }

  /// How many it holds up.
  public var heldCount: Int {
    let state = state.value
    return state.isOpen ? 0 : state.waiting
  }

  /// Lets all pass from now on.
  public func open() { state.change { $0.isOpen = true } }

  /// Blocks until someone stands at the gate; `false` where nobody comes.
  public func awaitArrival() -> Bool { state.wait { $0.waiting > 0 } }
}

extension Gate: Equatable {
  /// A gate equals itself alone.
  public static func == (left: Gate, right: Gate) -> Bool { left === right }
}

/// Waits until `condition` holds, for a minute at most; returns whether it does. For what tells nobody when it changes.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: 60)
  while Date() < limit {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
