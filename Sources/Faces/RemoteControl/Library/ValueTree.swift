import MusicLibrary

/// The values of some tags that songs have together: under each value of the first tag those of the second, and so on.
struct ValueTree {
  private var totals = TrackTotals()
  private var children: [String: ValueTree] = [:]

  /// No values.
  init() {}

  /// Adds the songs that have these values, of each tag any number.
  mutating func add(_ values: [[String]], _ totals: TrackTotals) { add(values[...], totals) }

  private mutating func add(_ values: ArraySlice<[String]>, _ totals: TrackTotals) {
    guard let first = values.first else { return self.totals.add(totals) }
    // What a song has not is a value, too.
    for value in first.isEmpty ? [""] : Set(first) {
      children[value, default: ValueTree()].add(values.dropFirst(), totals)
    }
  }

  /// Adds how many songs have each value of the one tag, or, without one, how many there are.
  func addCounts(_ tags: [SongTag], to response: inout Response) {
    guard let tag = tags.first else {
      response.add("songs", totals.trackCount)
      response.add("playtime", totals.milliseconds / 1000)
      return
    }
    for (value, child) in sortedChildren {
      response.add(tag.rawValue, value)
      child.addCounts([], to: &response)
    }
  }

  private var sortedChildren: [(key: String, value: ValueTree)] {
    children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
