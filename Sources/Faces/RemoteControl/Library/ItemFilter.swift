// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import Synchronization
import SystemPackage
import Tagging

/// A client's filter, applied to tracks while the response is produced. Safe to use from any thread.
final class ItemFilter: Sendable {
  private let matcher: Mutex<TrackMatcher>

  /// Creates a filter for tracks inside and outside the library with the root directories `roots`.
  init(_ filter: TrackFilter, in roots: LibraryRoots?) { matcher = Mutex(TrackMatcher(filter, in: roots)) }

  /// Returns whether `track`, with the priority that it has in a queue, matches.
  ///
  /// - Throws: `argument` if a regular expression takes too long.
  func matches(_ track: Track, priority: UInt8 = 0) throws(ProtocolError) -> Bool {
    let (matches, isIncomplete) = matcher.withLock { matcher in
      (matcher.matches(track, priority: priority), matcher.isIncomplete)
    }
    guard !isIncomplete else { throw .tooCostlyPattern }
    return matches
  }
}

extension ProtocolError {
  /// The error for a regular expression that takes too long to match.
  static let tooCostlyPattern = ProtocolError(.argument, "The regular expression takes too long")
}

/// A filter that is prepared for testing many tracks, in the library or not. Conditions on data that only the library
/// has are false. Use it on one thread only.
final class TrackMatcher {
  private indirect enum Part {
    case filter(TrackFilter)
    case text(TrackFilter.Subject, TextMatcher)
    /// The subject has no value. Equality with empty text means this.
    case absence(TrackFilter.Subject)
    case not(Part)
    case all([Part])
  }

  private let part: Part
  private let roots: LibraryRoots?
  private var tests: [TextMatcher] = []

  /// Creates a test for tracks inside and outside the library with the root directories `roots`.
  init(_ filter: TrackFilter, in roots: LibraryRoots?) {
    self.roots = roots
    var tests: [TextMatcher] = []
    part = Self.part(filter, &tests)
    self.tests = tests
  }

  /// Whether a regular expression took too long, so that the results since then are wrong.
  var isIncomplete: Bool { tests.contains { $0.isIncomplete } }

  /// Returns whether `track`, with the priority that it has in a queue, matches.
  func matches(_ track: Track, priority: UInt8 = 0) -> Bool { matches(part, track, priority) }

  private static func part(_ filter: TrackFilter, _ tests: inout [TextMatcher]) -> Part {
    switch filter {
    case .not(let other): return .not(part(other, &tests))
    case .all(let filters): return .all(filters.map { part($0, &tests) })
    case .text(let subject, let comparison, let text, let ignoresCase, let ignoresDiacritics):
      // An absent value equals empty text, and every value contains empty text.
      if text.isEmpty { return comparison == .equals ? .absence(subject) : .all([]) }
      let test = TextMatcher(comparison, text, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
      tests.append(test)
      return .text(subject, test)
    default: return .filter(filter)
    }
  }

  private func matches(_ part: Part, _ track: Track, _ priority: UInt8) -> Bool {
    switch part {
    case .filter(.priority(let least)): priority >= least
    case .filter(let filter): matches(filter, track)
    case .text(let subject, let test): values(of: subject, track).contains { test.matches($0) }
    case .absence(let subject): values(of: subject, track).allSatisfy(\.isEmpty)
    case .not(let other): !matches(other, track, priority)
    case .all(let parts): parts.allSatisfy { matches($0, track, priority) }
    }
  }

  private func matches(_ filter: TrackFilter, _ track: Track) -> Bool {
    switch filter {
    case .within(let path): relative(track.path).starts(with: path)
    case .file(let path): relative(track.path) == path
    case .modified(let since): (try? FileStatus(of: track.path)).map { $0.modificationTime >= since } ?? false
    case .added: false
    case .format(let rate, let bits, let channels):
      track.audio.map { audio in
        (rate.map { $0 == audio.sampleRate } ?? true) && (bits.map { $0 == audio.bitDepth ?? 0 } ?? true)
          && (channels.map { $0 == audio.channels } ?? true)
      } ?? false
    case .everything, .text, .priority, .not, .all: true
    }
  }

  private func relative(_ path: FilePath) -> FilePath { roots?.relative(path) ?? path }

  private func values(of subject: TrackFilter.Subject, _ track: Track) -> [String] {
    switch subject {
    case .absentField: return []
    case .file: return [SongURI.text(track, in: roots)]
    case .anyField: return SongTag.allCases.flatMap { $0.values(of: track) }
    case .field(let field):
      for field in [field] + field.fallbacks {
        let values = SongTag(field)?.values(of: track) ?? []
        if !values.isEmpty { return values }
      }
      return []
    }
  }
}

extension SongTag {
  /// Creates the tag that the library stores in `field`; `nil` if the protocol has none.
  fileprivate init?(_ field: TrackTag) {
    guard let tag = Self.allCases.first(where: { $0.field == field }) else { return nil }
    self = tag
  }
}
