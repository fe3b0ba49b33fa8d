// SPDX-License-Identifier: GPL-3.0-or-later

import RealTimeHooks

/// The numbers of operations that the watched threads have performed.
struct Counts {
  /// The kinds of operations that the render loop must avoid, with their names.
  static let forbidden: [(kind: realtime_kind, name: String)] = [
    (REALTIME_ALLOCATION, "allocations"), (REALTIME_REFERENCE, "references"), (REALTIME_LOCK, "locks"),
    (REALTIME_FILE, "files"),
  ]

  /// The kinds of operations whose numbers are printed, with their names.
  static let printed = forbidden + [(REALTIME_WAKE, "wake-ups"), (REALTIME_WATCH, "rounds")]

  private let totals: [Int]

  /// The numbers of operations so far.
  static var current: Counts {
    Counts(totals: (0..<Int(REALTIME_KINDS.rawValue)).map { realtime_total(realtime_kind(UInt32($0))) })
  }

  /// Returns the numbers of operations since `earlier`.
  func since(_ earlier: Counts) -> Counts {
    Counts(totals: zip(totals, earlier.totals).map { $0 - $1 })
  }

  /// The number of operations of this kind.
  subscript(_ kind: realtime_kind) -> Int { totals[Int(kind.rawValue)] }

  /// Whether no forbidden operation was performed.
  var isClean: Bool { Self.forbidden.allSatisfy { self[$0.kind] == 0 } }
}
