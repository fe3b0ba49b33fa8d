// SPDX-License-Identifier: GPL-3.0-or-later

import RealTimeHooks

/// The counts of operations by the watched threads.
struct Counts {
  /// The kinds that the render loop must avoid, with their names.
  static let forbidden: [(kind: realtime_kind, name: String)] = [
    (REALTIME_ALLOCATION, "allocations"), (REALTIME_REFERENCE, "references"), (REALTIME_LOCK, "locks"),
    (REALTIME_FILE, "files"),
  ]

  /// The kinds that are printed.
  static let shown = forbidden + [(REALTIME_WAKE, "wake-ups"), (REALTIME_WATCH, "rounds")]

  private let totals: [Int]

  /// The counts so far.
  static var present: Counts {
    Counts(totals: (0..<Int(REALTIME_KINDS.rawValue)).map { realtime_total(realtime_kind(UInt32($0))) })
  }

  /// Returns the counts since `earlier`.
  func since(_ earlier: Counts) -> Counts {
    Counts(totals: zip(totals, earlier.totals).map { $0 - $1 })
  }

  /// The count of `kind`.
  subscript(_ kind: realtime_kind) -> Int { totals[Int(kind.rawValue)] }

  /// Whether there are no forbidden operations.
  var isClean: Bool { Self.forbidden.allSatisfy { self[$0.kind] == 0 } }
}
