// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// What is known of the lists of one version of a library. Safe to use from any thread.
final class KnownLists: Sendable {
  /// The maximum number of lengths, since each text that is searched for has one.
  private static let countLimit = 256
  /// The maximum number of lists whose rows are known.
  private static let listLimit = 4

  let version: UInt64
  private let counts = Mutex<[ListView: Int]>([:])
  private let lists = Mutex<[(view: ListView, ids: [Int64])]>([])

  init(version: UInt64) { self.version = version }

  /// Returns the number of rows of a list; `nil` if it is not known.
  func count(of view: ListView) -> Int? { counts.withLock { $0[view] } }

  func set(_ count: Int, of view: ListView) {
    counts.withLock { counts in
      if counts.count >= Self.countLimit { counts = [:] }
      counts[view] = count
    }
  }

  /// Returns the IDs of the rows of a list in their order; `nil` if they are not known.
  func ids(of view: ListView) -> [Int64]? { lists.withLock { $0.first { $0.view == view }?.ids } }

  func set(_ ids: [Int64], of view: ListView) {
    lists.withLock { $0 = $0.suffix(Self.listLimit - 1).filter { $0.view != view } + [(view, ids)] }
  }
}
