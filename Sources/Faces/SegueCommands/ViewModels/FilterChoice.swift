import MusicModel
import UnicodeText

/// A value that a filter can choose.
struct FilterChoice: Sendable, Equatable {
  /// The value. Not yet safe for a terminal.
  var name: String
  /// How many albums there are under it; `nil` where it was chosen, but is not among those that were read.
  var albumCount: Int?
  /// How many tracks there are under it; `nil` likewise.
  var trackCount: Int?
  /// Whether it is chosen.
  var isChosen: Bool

  /// What can be chosen of `entries`, and what is chosen besides, behind them.
  static func choices(_ entries: [NameEntry], chosen: [String]) -> [FilterChoice] {
    if chosen.isEmpty { return entries.map { FilterChoice($0, isChosen: false) } }
    let keys = Set(chosen.map(\.foldedForMatching))
    var found: Set<String> = []
    let offered = entries.map { entry in
      let key = entry.name.foldedForMatching
      found.insert(key)
      return FilterChoice(entry, isChosen: keys.contains(key))
    }
    let others = chosen.filter { !found.contains($0.foldedForMatching) }
    return offered + others.map { FilterChoice(name: $0, isChosen: true) }
  }
}

extension FilterChoice {
  private init(_ entry: NameEntry, isChosen: Bool) {
    self.init(
      name: entry.name, albumCount: entry.albumCount, trackCount: entry.trackCount, isChosen: isChosen)
  }
}
