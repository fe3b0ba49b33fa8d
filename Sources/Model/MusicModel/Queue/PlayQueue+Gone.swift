extension PlayQueue {
  /// The items that are marked as gone, by position. It costs little where they are few.
  public var goneItems: [Item.ID] {
    contents.items.pages.lazy.filter(\.marks.gone).flatMap(\.entries).filter(\.isGone).map {
      Item.ID(rawValue: $0.id)
    }
  }
}
