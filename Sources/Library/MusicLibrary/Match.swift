/// What a query found.
public enum Match<Value: Sendable>: Sendable {
  /// The one that answers best.
  case found(Value)
  /// Several that answer equally well; at least two, in the order in which they were listed.
  case ambiguous([Value])
  /// None; with what the user may have meant, best first, at most three.
  case none(suggestions: [Value])
}

extension Match: Equatable where Value: Equatable {}
