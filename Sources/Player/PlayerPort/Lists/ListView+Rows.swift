// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import Platform
import UnicodeText

/// Lists whose rows are all known.
extension ListView {
  /// Whether the rows are ordered by what the library knows of tracks besides their tags.
  var needsMarks: Bool {
    switch offeredOrder?.key {
    case .added, .rating, .plays, .skips, .played: true
    case nil, .name, .artist, .year, .duration, .random: false
    }
  }

  /// Returns `rows`, all rows of the list, narrowed and in order. Directories come first.
  package func arranged(_ rows: [ListRow]) -> [ListRow] {
    let filter = RowFilter(filter)
    let rows = filter.map { filter in rows.filter { $0.remains(with: filter) } } ?? rows
    guard let order = offeredOrder else { return rows }
    let directories = rows.filter(\.isDirectory)
    let others = rows.filter { !$0.isDirectory }
    return (order.key == .name ? order.sorted(directories) : directories) + order.sorted(others)
  }
}

extension ListRow {
  /// Returns whether the row remains in a list that is narrowed by `filter`.
  func remains(with filter: RowFilter) -> Bool { filter.matches([title, artist, album]) }

  fileprivate var isDirectory: Bool { if case .directory = target { true } else { false } }

  /// A number for the row that does not change as long as it stands for the same.
  fileprivate var number: UInt64 {
    switch target {
    case .track(let id, _), .album(let id): return UInt64(bitPattern: id)
    case .item(let id): return id
    case .artist, .genre, .year, .file, .playlist, .directory, .output:
      var bytes = Array(title.utf8)
      if case .file(let path, let number) = target { bytes += path.path.systemBytes + Array("\(number)".utf8) }
      // The hash function FNV-1a.
      return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    }
  }
}

extension ListOrder {
  /// Returns the rows in this order. Rows with equal keys keep their order.
  fileprivate func sorted(_ rows: [ListRow]) -> [ListRow] {
    switch key {
    case .name: sorted(rows) { CollationKey($0.title) }
    case .artist: sorted(rows) { $0.artist.isEmpty ? nil : CollationKey($0.artist) }
    case .year: sorted(rows, by: \.year)
    case .added: sorted(rows, by: \.added)
    case .rating: sorted(rows, by: \.rating)
    case .plays: sorted(rows, by: \.plays)
    case .skips: sorted(rows, by: \.skips)
    case .played: sorted(rows, by: \.lastPlayed)
    case .duration: sorted(rows, by: \.duration)
    case .random(let seed):
      ListOrder(.random(seed: seed)).sorted(rows) { RowOrder.place(of: $0.number, seed: seed) }
    }
  }

  private func sorted<Value: Comparable>(_ rows: [ListRow], by value: (ListRow) -> Value?) -> [ListRow] {
    var valued: [(position: Int, value: Value)] = []
    var others: [ListRow] = []
    for (position, row) in rows.enumerated() {
      if let value = value(row) { valued.append((position, value)) } else { others.append(row) }
    }
    valued.sort { left, right in
      if left.value == right.value { return left.position < right.position }
      return (left.value < right.value) != isDescending
    }
    return valued.map { rows[$0.position] } + others
  }
}
