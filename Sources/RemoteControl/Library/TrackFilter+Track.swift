import MusicLibrary
import MusicModel
import Platform
import SystemPackage

extension TrackFilter {
  /// Whether it is true of `track`, which need not be in the library in `roots`: what only the library knows is not
  /// true of it.
  func isTrue(of track: Track, in roots: LibraryRoots?) -> Bool {
    switch self {
    case .everything: true
    case .text(let subject, let comparison, let text, let ignoresCase):
      Self.isTrue(text, comparison, ignoresCase, of: Self.values(of: subject, track, roots))
    case .within(let path): Self.relative(track.path, roots).starts(with: path)
    case .file(let path): Self.relative(track.path, roots) == path
    case .modified(let since): (try? FileStatus(of: track.path)).map { $0.modificationTime >= since } ?? false
    case .added: false
    case .format(let rate, let bits, let channels):
      track.audio.map { audio in
        (rate.map { $0 == audio.sampleRate } ?? true) && (bits.map { $0 == audio.bitDepth ?? 0 } ?? true)
          && (channels.map { $0 == audio.channels } ?? true)
      } ?? false
    case .not(let other): !other.isTrue(of: track, in: roots)
    case .all(let filters): filters.allSatisfy { $0.isTrue(of: track, in: roots) }
    }
  }

  private static func relative(_ path: FilePath, _ roots: LibraryRoots?) -> FilePath {
    roots?.relative(path) ?? path
  }

  private static func values(of subject: Subject, _ track: Track, _ roots: LibraryRoots?) -> [String] {
    switch subject {
    case .absentField: []
    case .file: [SongURI.text(track, in: roots)]
    case .anyField: SongTag.allCases.flatMap { $0.values(of: track) }
    case .field(let field):
      SongTag.allCases.first { $0.field == field }.map { tag in
        let values = tag.values(of: track)
        return values.isEmpty && tag == .albumArtist ? track.artists : values
      } ?? []
    }
  }

  private static func isTrue(
    _ text: String, _ comparison: Comparison, _ ignoresCase: Bool, of values: [String]
  ) -> Bool {
    let folded = { (text: String) in ignoresCase ? text.lowercased() : text }
    let wanted = folded(text)
    // A text without any character is equal to what a track does not have.
    if wanted.isEmpty, comparison == .equals { return values.allSatisfy(\.isEmpty) }
    return values.contains { value in
      switch comparison {
      case .equals: folded(value) == wanted
      case .contains: wanted.isEmpty || folded(value).contains(wanted)
      case .begins: folded(value).hasPrefix(wanted)
      }
    }
  }
}
