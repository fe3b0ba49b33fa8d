// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import Playlists
import SystemPackage

/// The part of a queue that is published on the bus as the track list: the whole queue or, if it is long, the items
/// around the current one. A plain value.
///
/// The metadata of an item never changes while it is in the queue, so the signal `TrackMetadataChanged` is not needed.
struct TrackWindow: Sendable, Equatable {
  /// The object path that stands for no track (MPRIS 2.2, "Track_Id").
  static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  /// The maximum number of items in the track list.
  static let limit = 1_000
  /// The number of items by which the window moves at a time.
  private static let step = 500
  /// The maximum number of changes that are signalled one by one. More changes are signalled as a new list.
  private static let changeLimit = 16
  /// The maximum number of items that are compared to find single changes. Comparing more would take long, and find too
  /// many changes to signal.
  private static let comparisonLimit = 100

  /// A change of the track list, to be signalled.
  enum Change: Sendable, Equatable {
    /// The list was replaced by a list with these object paths. `current` is the path of the current track.
    case replaced([String], current: String)
    /// A track was added after the track with the object path `after`.
    case added(TrackMetadata, after: String)
    /// The track with this object path was removed.
    case removed(String)
  }

  /// The IDs of the items in the window, in queue order.
  let ids: [PlayQueue.Item.ID]
  /// The version of the queue's items from which the window was created.
  private let version: UInt64

  /// Creates the window for the current state of `queue`.
  init(_ queue: PlayQueue) {
    ids = Self.range(queue).map { queue.items.id(at: $0) }
    version = queue.itemsVersion
  }

  /// Returns whether the window is up to date with `queue`.
  func shows(_ queue: PlayQueue) -> Bool {
    let range = Self.range(queue)
    return version == queue.itemsVersion && ids.count == range.count
      && ids.first == (range.isEmpty ? nil : queue.items.id(at: range.lowerBound))
  }

  /// The object paths of the items in the window.
  var objectPaths: [String] { ids.map(\.objectPath) }

  /// Returns the changes from `before` to this window, in the order in which they must be signalled. `queue` is the
  /// queue from which this window was created.
  func changes(since before: TrackWindow, in queue: PlayQueue) -> [Change] {
    guard let difference = difference(from: before) else {
      return [.replaced(objectPaths, current: queue.current?.objectPath ?? Self.noTrack)]
    }
    let removed = difference.removals.map { Change.removed($0.id.objectPath) }
    let added = difference.insertions.map { change in
      let after = change.offset > 0 ? ids[change.offset - 1].objectPath : Self.noTrack
      let item = queue.position(of: change.id).map { queue.items[$0] }
      return Change.added(TrackMetadata(item), after: after)
    }
    return removed + added
  }

  /// Returns the items that were added and removed since `before`; `nil` if there are too many.
  private func difference(from before: TrackWindow) -> CollectionDifference<PlayQueue.Item.ID>? {
    let (old, new) = (before.ids, ids)
    let minCount = min(old.count, new.count)
    // The numbers of equal items at the start and at the end.
    let start = (0..<minCount).first { old[$0] != new[$0] } ?? minCount
    let end = (0..<minCount - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? minCount - start
    let (oldMiddle, newMiddle) = (old[start..<old.count - end], new[start..<new.count - end])
    guard oldMiddle.count + newMiddle.count <= Self.comparisonLimit else { return nil }
    let difference = Array(newMiddle).difference(from: Array(oldMiddle))
    guard difference.count <= Self.changeLimit else { return nil }
    return CollectionDifference(difference.map { $0.moved(by: start) })
  }

  private static func range(_ queue: PlayQueue) -> Range<Int> {
    let count = queue.items.count
    guard count > limit else { return 0..<count }
    let first = (queue.currentPosition ?? 0) / step * step - step / 2
    let start = min(max(0, first), count - limit)
    return start..<start + limit
  }
}

extension CollectionDifference.Change where ChangeElement == PlayQueue.Item.ID {
  fileprivate var id: PlayQueue.Item.ID {
    switch self {
    case .insert(_, let id, _), .remove(_, let id, _): id
    }
  }

  /// Returns the change with its offset increased by `distance`.
  fileprivate func moved(by distance: Int) -> Self {
    switch self {
    case .insert(let offset, let id, _): .insert(offset: offset + distance, element: id, associatedWith: nil)
    case .remove(let offset, let id, _): .remove(offset: offset + distance, element: id, associatedWith: nil)
    }
  }

  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension TrackWindow.Change {
  /// The name of the signal for the change.
  var signal: String {
    switch self {
    case .replaced: "TrackListReplaced"
    case .added: "TrackAdded"
    case .removed: "TrackRemoved"
    }
  }

  /// Writes the arguments of the signal for the change.
  func write(_ writer: PropertyWriter) {
    switch self {
    case .replaced(let paths, let current):
      writer.write(objectPaths: paths)
      writer.write(objectPath: current)
    case .added(let metadata, let path):
      writer.write(whole: metadata)
      writer.write(objectPath: path)
    case .removed(let path): writer.write(objectPath: path)
    }
  }
}

/// The metadata of a track, with the keys of the MPRIS v2 metadata guidelines.
struct TrackMetadata: Sendable, Equatable {
  /// The value of a metadata key.
  enum Value: Sendable, Equatable {
    case text(String)
    case texts([String])
    case objectPath(String)
    /// A duration in microseconds.
    case time(Int64)
    case number(Int32)
  }

  /// A metadata key and its value.
  struct Entry: Sendable, Equatable {
    let key: String
    let value: Value
  }

  /// The maximum number of values of one key; further ones are omitted.
  private static let valueLimit = 64

  let entries: [Entry]

  /// Creates the metadata of `item`; empty if it is `nil`.
  ///
  /// - Parameters:
  ///   - duration: The duration determined by playback; `nil` to use that of the tags.
  ///   - cover: The file that contains the cover, if there is one.
  init(_ item: PlayQueue.Item?, duration: Duration? = nil, cover: FilePath? = nil) {
    guard let item else {
      entries = []
      return
    }
    let track = item.track
    let values: [(String, Value?)] = [
      ("mpris:trackid", .objectPath(item.objectPath)),
      ("mpris:length", (duration ?? track.duration).map { .time($0.wholeMicroseconds) }),
      ("mpris:artUrl", cover.map { .text($0.fileURI) }),
      ("xesam:title", .text(track.title.onBus)),
      ("xesam:artist", Self.texts(track.artists)),
      ("xesam:album", track.album.map { .text($0.onBus) }),
      ("xesam:albumArtist", Self.texts(track.albumArtists)),
      ("xesam:composer", Self.texts(track.composers)),
      ("xesam:genre", Self.texts(track.genres)),
      ("xesam:trackNumber", track.number.map { .number(Int32(clamping: $0.number)) }),
      ("xesam:discNumber", track.disc.map { .number(Int32(clamping: $0.number)) }),
      ("xesam:url", .text(StreamAddress(track.path)?.description ?? track.path.fileURI)),
    ]
    entries = values.compactMap { key, value in value.map { Entry(key: key, value: $0) } }
  }

  private static func texts(_ texts: [String]) -> Value? {
    texts.isEmpty ? nil : .texts(texts.prefix(valueLimit).map(\.onBus))
  }
}

extension Duration {
  /// The duration in whole microseconds, clamped to the range of `Int64`.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, productOverflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, sumOverflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return productOverflows || sumOverflows ? (seconds < 0 ? .min : .max) : sum
  }
}
