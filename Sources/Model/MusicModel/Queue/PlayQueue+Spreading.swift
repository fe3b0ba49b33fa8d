// SPDX-License-Identifier: GPL-3.0-or-later

/// The random order in which the tracks of an artist, and those of an album, are far apart.
extension PlayQueue {
  /// The number of places within which another track is sought that may stand between two of one artist.
  private static let reach = 200

  /// Returns `ids`, which are in random order, arranged so that the tracks of each artist are spread evenly over the
  /// whole, those of each album over the tracks of their artist, and two of one artist follow each other only where it
  /// cannot be avoided.
  ///
  /// - Parameter last: The item that is played before; `nil` if there is none.
  mutating func spread(_ ids: [UInt64], after last: UInt64?) -> [UInt64] {
    let items = items
    func tracks(_ id: UInt64) -> (page: PackedTracks, index: Int)? {
      contents.items.index(of: id).map { (items.tracks(contents.items[$0]), Int(contents.items[$0].index)) }
    }
    func artist(_ id: UInt64) -> String? {
      guard let (page, index) = tracks(id) else { return nil }
      let names = page.field(.artists, index) { $0.texts() } ?? page.field(.albumArtists, index) { $0.texts() }
      return names?.first?.lowercased()
    }
    var albums: [UInt64] = []
    var (artists, numbers): ([Int], [String: Int]) = ([], [:])
    for id in ids {
      albums.append(tracks(id).map { $0.page.album($0.index) } ?? 0)
      // Two tracks without an artist are not by the same one.
      artists.append(artist(id).map { name in numbers[name] ?? numbers.count + ids.count } ?? artists.count)
      if let name = artist(id), numbers[name] == nil { numbers[name] = artists.last }
    }
    let byAlbum = evenly(Array(ids.indices)) { albums[$0] }
    var order = evenly(byAlbum) { artists[$0] }
    separate(&order, by: artists, after: last.flatMap(artist).flatMap { numbers[$0] })
    return order.map { ids[$0] }
  }

  /// Returns `elements` with those of each group spread evenly over the whole, from a random place on. They stay in
  /// their order within the group.
  private mutating func evenly(_ elements: [Int], by group: (Int) -> some Hashable) -> [Int] {
    let groups = Dictionary(grouping: elements, by: group)
    var places: [(place: Double, rank: Int, element: Int)] = []
    places.reserveCapacity(elements.count)
    let precision = 1 << 20
    var offsets: [Int: Double] = [:]
    for element in elements {
      guard let members = groups[group(element)], let first = members.first, offsets[first] == nil else { continue }
      let offset = Double(random.index(below: precision)) / Double(precision)
      offsets[first] = offset
      for (rank, member) in members.enumerated() {
        places.append(((Double(rank) + offset) / Double(members.count), places.count, member))
      }
    }
    return places.sorted { ($0.place, $0.rank) < ($1.place, $1.rank) }.map(\.element)
  }

  /// Moves elements so that as few as possible follow another one of the same group.
  private func separate(_ order: inout [Int], by groups: [Int], after last: Int?) {
    func group(_ place: Int) -> Int? { place < 0 ? last : place < order.count ? groups[order[place]] : nil }
    for place in order.indices where group(place) == group(place - 1) {
      let own = group(place)
      if let other = (place..<min(order.count, place + Self.reach)).first(where: { group($0) != own }) {
        order.insert(order.remove(at: other), at: place)
      } else if let gap = (max(0, place - Self.reach)..<place).last(where: { group($0) != own && group($0 - 1) != own })
      {
        order.insert(order.remove(at: place), at: gap)
      }
    }
  }
}
