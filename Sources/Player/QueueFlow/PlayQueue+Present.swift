import MusicModel

/// Passing over the items whose files are gone.
extension PlayQueue {
  /// How many of them are passed over at once; the one behind them is tried, gone or not: so no action takes long,
  /// however many there are.
  static let passedLimit = 200

  /// The item behind the one with this id in playing order that is not gone, or else the nearest.
  func presentItem(after id: Item.ID) -> Item? { present(from: item(after: id), id) { item(after: $0) } }

  /// The item before the one with this id in playing order that is not gone, or else the nearest.
  func presentItem(before id: Item.ID) -> Item? { present(from: item(before: id), id) { item(before: $0) } }

  private func present(from nearest: Item?, _ id: Item.ID, _ step: (Item.ID) -> Item?) -> Item? {
    var item = nearest
    for _ in 0..<Self.passedLimit {
      guard let candidate = item, candidate.id != id else { break }
      if !candidate.isGone { return candidate }
      item = step(candidate.id)
    }
    return nearest
  }
}
