import Synchronization

/// A value that is made when it is first asked for; where that fails, again the next time. Any thread; a second one
/// waits.
final class OnDemand<Value: Sendable>: Sendable {
  private struct Maker: Sendable {
    let make: @Sendable () throws(CommandError) -> Value
  }

  private let maker: Maker
  private let made = Mutex<Value?>(nil)

  /// A value that `make` makes.
  init(_ make: @escaping @Sendable () throws(CommandError) -> Value) { maker = Maker(make: make) }

  /// The value, where it was made already. Waits while it is being made.
  var present: Value? { made.withLock { $0 } }

  /// Makes it by `attempt` instead, which may give `nil`, unless it was made already.
  func prepare(_ attempt: () -> Value?) {
    made.withLock { made in
      if made == nil { made = attempt() }
    }
  }

  /// The value.
  func value() throws(CommandError) -> Value {
    let result: Result<Value, CommandError> = made.withLock { made in
      if let made { return .success(made) }
      return Result { () throws(CommandError) in
        let value = try maker.make()
        made = value
        return value
      }
    }
    return try result.get()
  }
}
