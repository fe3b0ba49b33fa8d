// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Tagging
import UnicodeText

/// Finds the track of a collection that a user names. It does no I/O and may be used from any thread.
///
/// These rules are tried in order:
/// 1. `N`: the track with that number on the first disc. If there is none, the tracks with that number on later discs
///    and, if there are several discs or no numbers at all, the N-th track of the collection; the query is ambiguous if
///    these differ.
/// 2. `DISC-TRACK`: the track with that number on that disc. A track without a disc number is on disc 1.
/// 3. A number as the tags write it, if that is not in digits ("A1").
/// 4. A title: the whole title wins over its beginning, and its beginning over any other part. Case, diacritics and
///    width are ignored. If there is none, what stands between the letters of words does not count either ("dont" finds
///    "Don't"), and then a word of five or more letters may have one slip of a finger.
public struct TrackFinder: Sendable {
  private let tracks: [Track]

  /// Creates a finder for the tracks of a collection, in playing order.
  public init(_ tracks: [Track]) {
    self.tracks = tracks
  }

  /// Returns the index, counted from 0, of the track that `query` names.
  public func find(_ query: String) -> Match<Int> {
    let folded = query.foldedForMatching
    var matches = indices(numbered: folded)
    if matches.isEmpty {
      matches = tracks.indices.filter {
        tracks[$0].additionalTags.first(.writtenNumber)?.foldedForMatching == folded
      }
    }
    guard let first = matches.first else { return find(title: query) }
    return matches.count == 1 ? .found(first) : .ambiguous(matches)
  }

  /// Returns the index, counted from 0, of the track with this title, ignoring track numbers.
  public func find(title query: String) -> Match<Int> {
    let folded = query.foldedForMatching
    let wanted = Array(folded.utf8)
    var matches = indices { MatchTier(wanted, in: [UInt8](folding: $0)) }
    if matches.isEmpty { matches = indices(joined: query) }
    if matches.isEmpty { matches = indices(mistyped: query) }
    if let first = matches.first { return matches.count == 1 ? .found(first) : .ambiguous(matches) }
    return .none(suggestions: Likeness.nearest(to: folded, in: tracks.map(\.title.foldedForMatching)))
  }

  private func indices(numbered query: String) -> [Int] {
    let parts = query.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Self.number($0) }
    guard numbers.count == parts.count else { return [] }
    if numbers.count == 2 { return indices(disc: numbers[0], number: numbers[1]) }
    return numbers.first.map { indices(number: $0) } ?? []
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  private func disc(_ track: Track) -> Int { track.disc?.number ?? 1 }

  private func indices(disc: Int, number: Int) -> [Int] {
    tracks.indices.filter { self.disc(tracks[$0]) == disc && tracks[$0].number?.number == number }
  }

  private func indices(number: Int) -> [Int] {
    let discs = Set(tracks.map { disc($0) })
    guard let first = discs.min() else { return [] }
    let onFirst = indices(disc: first, number: number)
    guard onFirst.isEmpty else { return onFirst }
    var found = Set(tracks.indices.filter { tracks[$0].number?.number == number })
    if discs.count > 1 || tracks.allSatisfy({ $0.number == nil }), (1...tracks.count).contains(number) {
      found.insert(number - 1)
    }
    return found.sorted()
  }

  private func indices(joined query: String) -> [Int] {
    let words = { (text: String) in Array(text.joinedSearchWords.utf8.dropFirst().dropLast()) }
    let wanted = words(query)
    // A number means itself alone.
    guard wanted.contains(where: { !(0x30...0x39).contains($0) && $0 != 0x20 }) else { return [] }
    return indices { MatchTier(wanted, in: words($0)) }
  }

  private func indices(mistyped query: String) -> [Int] {
    let words = { (text: String) in text.joinedSearchWords.split(separator: " ").map { Array($0.unicodeScalars) } }
    let wanted = words(query)
    guard wanted.contains(where: { TypingSlip.isPossible(in: $0) }) else { return [] }
    return indices { title in
      let found = words(title)
      guard found.count >= wanted.count else { return nil }
      let starts = (0...found.count - wanted.count).filter { start in
        zip(wanted, found[start...]).allSatisfy {
          $0 == $1 || WordSpellings.mayMean($0, $1)
        }
      }
      return starts.first.map { $0 > 0 ? .substring : found.count == wanted.count ? .exact : .prefix }
    }
  }

  /// Returns the indices of the tracks whose title matches best.
  private func indices(_ tier: (String) -> MatchTier?) -> [Int] {
    let tiers = tracks.map { tier($0.title) }
    guard let best = tiers.compactMap({ $0 }).min() else { return [] }
    return tracks.indices.filter { tiers[$0] == best }
  }
}

/// The quality of a match between a name and a query, both folded; a lower tier is better.
enum MatchTier: Int, Comparable, Sendable {
  case exact
  case prefix
  case substring

  static func < (left: MatchTier, right: MatchTier) -> Bool { left.rawValue < right.rawValue }

  /// Creates the tier in which `name` matches `query`. Returns `nil` if the name does not match, or if the query is
  /// empty.
  init?(_ query: [UInt8], in name: [UInt8]) {
    guard !query.isEmpty, query.count <= name.count else { return nil }
    if name.starts(with: query) {
      self = name.count == query.count ? .exact : .prefix
    } else if name.contains(bytes: query) {
      self = .substring
    } else {
      return nil
    }
  }
}

extension [UInt8] {
  /// Creates the UTF-8 bytes of the folded form of a string.
  init(folding text: String) {
    self = Array(text.foldedForMatching.utf8)
  }
}
