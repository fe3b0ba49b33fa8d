// SPDX-License-Identifier: GPL-3.0-or-later

/// A named, ordered list of tracks, such as an album, a directory or a single file, that can be added to the queue.
public struct TrackCollection: Sendable, Hashable {
  /// The name to display.
  public var title: String
  /// The tracks in playing order.
  public var tracks: TrackList

  /// Creates a collection from these tracks, which must be in playing order.
  public init(title: String, tracks: TrackList) {
    self.title = title
    self.tracks = tracks
  }

  /// Creates a collection from these tracks, which must be in playing order.
  public init(title: String, tracks: [Track]) {
    self.init(title: title, tracks: TrackList(tracks))
  }
}

/// A list of tracks in packed form, about 60 bytes per track. Each track is unpacked on access.
public struct TrackList: Sendable, RandomAccessCollection {
  let pages: [QueuePage]
  /// The end index of each page.
  private let ends: [Int]

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

  /// Creates the list of the tracks of these lists, one after the other.
  public init(joining lists: some Sequence<TrackList>) { self.init(pages: lists.flatMap(\.pages)) }

  init(pages: [QueuePage]) {
    self.pages = pages
    var end = 0
    ends = pages.map {
      end += $0.tracks?.count ?? 0
      return end
    }
  }

  /// Creates a list from its ``packedPages``; returns `nil` if they are damaged.
  public init?(packedPages: some Sequence<[UInt8]>) {
    let pages = packedPages.map { QueuePage(bytes: $0) }
    guard pages.allSatisfy({ $0.tracks != nil }) else { return nil }
    self.init(pages: pages)
  }

  /// The bytes of the pages, each at most about 64 KiB long unless a single track needs more.
  public var packedPages: [[UInt8]] { pages.compactMap { $0.tracks?.bytes } }

  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The index after the last track; equal to the number of tracks.
  public var endIndex: Int { ends.last ?? 0 }

  /// The track at `position`, an index of this collection.
  public subscript(position: Int) -> Track {
    precondition(position >= 0 && position < endIndex, "no track at \(position)")
    let page = ends.firstIndex(above: position)
    guard let tracks = pages[page].tracks else { preconditionFailure("a track page has no tracks") }
    return tracks.track(position - (page == 0 ? 0 : ends[page - 1]))
  }
}

extension TrackList: ExpressibleByArrayLiteral {
  public init(arrayLiteral tracks: Track...) { self.init(tracks) }
}

extension TrackList: Hashable {
  /// Whether both lists have the same tracks in the same order.
  public static func == (left: TrackList, right: TrackList) -> Bool {
    left.count == right.count && (left.pages.elementsEqual(right.pages, by: ===) || left.elementsEqual(right))
  }

  /// Hashes the number of tracks and the first track.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(first)
  }
}

extension [Int] {
  /// Returns the index of the first element that is greater than `position`. The elements must be ascending.
  func firstIndex(above position: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
