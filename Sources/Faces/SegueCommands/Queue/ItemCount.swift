/// Numbers of things, as people write them.
enum ItemCount {
  /// "no items", "1 item", "5 items".
  static func text(_ count: Int, _ noun: String = "item") -> String {
    count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
