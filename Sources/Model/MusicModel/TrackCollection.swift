/// Tracks in an order, under a name: an album, a directory, a file alone. It is what goes into the queue.
public struct TrackCollection: Sendable, Hashable {
  /// The name to show.
  public var title: String
  /// The tracks in playing order.
  public var tracks: TrackList

  /// A collection of these tracks, which are in playing order.
  public init(title: String, tracks: TrackList) {
    self.title = title
    self.tracks = tracks
  }

  /// A collection of these tracks, which are in playing order.
  public init(title: String, tracks: [Track]) {
    self.init(title: title, tracks: TrackList(tracks))
  }
}

/// Tracks in an order, packed: about 60 bytes a track. A track is made anew each time that it is asked for.
public struct TrackList: Sendable, RandomAccessCollection {
  /// The pages of tracks.
  let pages: [QueuePage]
  /// The index behind the last track of each page.
  private let ends: [Int]

  /// The list of these tracks.
  public init(_ tracks: some Sequence<Track>) {
    var pages: [QueuePage] = []
    var packer = TrackPacker()
    for track in tracks where !packer.append(track) {
      pages.append(QueuePage(bytes: packer.finish()))
      _ = packer.append(track)
    }
    if packer.count > 0 { pages.append(QueuePage(bytes: packer.finish())) }
    self.init(pages: pages)
  }

  /// The list of the tracks of these pages.
  init(pages: [QueuePage]) {
    self.pages = pages
    var end = 0
    ends = pages.map {
      end += $0.tracks?.count ?? 0
      return end
    }
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of tracks.
  public var endIndex: Int { ends.last ?? 0 }

  /// The track at `position`, an index of this collection.
  public subscript(position: Int) -> Track {
    precondition(position >= 0 && position < endIndex, "there is no track at \(position)")
    let page = ends.firstIndex(behind: position)
    guard let tracks = pages[page].tracks else { preconditionFailure("a page of tracks holds none") }
    return tracks.track(position - (page == 0 ? 0 : ends[page - 1]))
  }
}

extension TrackList: ExpressibleByArrayLiteral {
  /// The list of these tracks.
  public init(arrayLiteral tracks: Track...) { self.init(tracks) }
}

extension TrackList: Hashable {
  /// Whether both hold the same tracks.
  public static func == (left: TrackList, right: TrackList) -> Bool {
    left.count == right.count && (left.pages.elementsEqual(right.pages, by: ===) || left.elementsEqual(right))
  }

  /// Hashes the number of tracks, and the first one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(first)
  }
}

extension [Int] {
  /// The first index whose value is greater than `position`, of values in rising order.
  func firstIndex(behind position: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
