/// An order of tracks, or of groups of them, as a snapshot holds it.
struct SnapshotWalk {
  /// What is to come next.
  enum Next { case track, group, end }

  private let orders: [SnapshotArray]
  private let isDescending: Bool
  private let groups: SnapshotGroups?

  /// The order that `order` gives, of what the snapshot holds.
  init(_ snapshot: LibrarySnapshot, _ order: ListingOrder) {
    let isOfAlbums = !order.albumSegments.isEmpty
    isDescending = order.isDescending
    groups = isOfAlbums ? SnapshotGroups(snapshot, SnapshotName.groups("album")) : nil
    orders = (isOfAlbums ? order.albumSegments : order.segments).indices.map {
      SnapshotArray(snapshot, SnapshotName.order(order.name, segment: $0))
    }
  }

  /// Gives the tracks in this order that are in `wanted`, each with its album where the order is one of albums, until
  /// `body` says that it has enough of them, or of the rest of an album.
  func forEach(in wanted: Narrowing, _ body: (_ track: Int64, _ album: Int64) throws -> Next) throws {
    for order in orders {
      if try !forEach(of: order, in: wanted, body) { return }
    }
  }

  private func forEach(
    of order: SnapshotArray, in wanted: Narrowing, _ body: (Int64, Int64) throws -> Next
  ) throws -> Bool {
    var order = order
    var groups = groups
    let count = isDescending ? try order.count : .max
    for index in 0..<count {
      guard let number = try order.value(at: isDescending ? count - 1 - index : index) else { break }
      if groups != nil {
        if try groups?.forEach(at: Int(number), in: wanted, body) == false { return false }
      } else if wanted.contains(Int64(number)), try body(Int64(number), 0) == .end {
        return false
      }
    }
    return true
  }
}
