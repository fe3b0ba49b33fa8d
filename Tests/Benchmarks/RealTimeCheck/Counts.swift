import RealTimeHooks

/// What the watched threads did.
struct Counts {
  /// The kinds that the render loop must do without, and what they are called.
  static let forbidden: [(kind: realtime_kind, name: String)] = [
    (REALTIME_ALLOCATION, "allocations"), (REALTIME_REFERENCE, "references"), (REALTIME_LOCK, "locks"),
    (REALTIME_FILE, "files"),
  ]

  /// All that is printed.
  static let shown = forbidden + [(REALTIME_WAKE, "wake-ups"), (REALTIME_WATCH, "rounds")]

  private let totals: [Int]

  /// What they have done so far.
  static var present: Counts {
    Counts(totals: (0..<Int(REALTIME_KINDS.rawValue)).map { realtime_total(realtime_kind(UInt32($0))) })
  }

  /// What came since `earlier`.
  func since(_ earlier: Counts) -> Counts {
    Counts(totals: zip(totals, earlier.totals).map { $0 - $1 })
  }

  /// How many there are of `kind`.
  subscript(_ kind: realtime_kind) -> Int { totals[Int(kind.rawValue)] }

  /// Whether there is none that is forbidden.
  var isClean: Bool { Self.forbidden.allSatisfy { self[$0.kind] == 0 } }
}
