/// An order of tracks or albums as a snapshot holds it.
struct SnapshotWalk {
  /// What is to come next.
  enum Next { case track, album, end }

  private let orders: [SnapshotArray]
  private let isDescending: Bool
  private let isOfAlbums: Bool
  private let albums: SnapshotArray
  private let ends: SnapshotArray
  private let tracks: SnapshotArray

  /// The order that `order` gives, of what the snapshot holds.
  init(_ snapshot: LibrarySnapshot, _ order: ListingOrder) {
    isOfAlbums = !order.albumSegments.isEmpty
    isDescending = order.isDescending
    orders = (isOfAlbums ? order.albumSegments : order.segments).indices.map {
      SnapshotArray(snapshot, SnapshotName.order(order.name, segment: $0))
    }
    albums = SnapshotArray(snapshot, SnapshotName.albums)
    ends = SnapshotArray(snapshot, SnapshotName.ends)
    tracks = SnapshotArray(snapshot, SnapshotName.tracks)
  }

  /// Gives the tracks in this order that are in `wanted`, each with its album where the order is one of albums, until `body` says that it has
  /// enough of them, or of the rest of an album.
  func forEach(in wanted: Narrowing, _ body: (_ track: Int64, _ album: Int64) throws -> Next) throws {
    for order in orders {
      if try !forEach(of: order, in: wanted, body) { return }
    }
  }

  private func forEach(
    of order: SnapshotArray, in wanted: Narrowing, _ body: (Int64, Int64) throws -> Next
  ) throws -> Bool {
    var (order, albums, ends, tracks) = (order, albums, ends, tracks)
    let count = isDescending ? try order.count : .max
    for index in 0..<count {
      guard let number = try order.value(at: isDescending ? count - 1 - index : index) else { break }
      guard isOfAlbums else {
        guard wanted.contains(Int64(number)) else { continue }
        if try body(Int64(number), 0) == .end { return false }
        continue
      }
      let place = Int(number)
      let start = place == 0 ? 0 : Int(try ends.value(at: place - 1) ?? 0)
      let end = Int(try ends.value(at: place) ?? 0)
      var position = start
      while position < end, let track = try tracks.value(at: position) {
        position += 1
        guard wanted.contains(Int64(track)), let album = try albums.value(at: place) else { continue }
        switch try body(Int64(track), Int64(album)) {
        case .end: return false
        case .album: position = end
        case .track: break
        }
      }
    }
    return true
  }
}
