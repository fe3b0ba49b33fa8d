import MusicLibrary
import SystemPackage

extension SongLines {
  /// Up to so many songs, a directory is told in one go.
  private static let directorySize = 512

  /// Adds the songs of the directory at `path`, which was entered, unless they are too many for one go; says whether
  /// they were added.
  mutating func addAll(
    in path: FilePath, _ browser: TrackBrowser, to lines: inout LineBuffer
  ) throws -> Bool {
    let mark = lines.mark
    let listed = try addCarefully(to: &lines) { songs, lines in
      try browser.listTracks(in: path, limit: Self.directorySize) { songs.add($0, to: &lines) }
    }
    if listed != .all {
      lines.drop(behind: mark)
      if listed == .tooMany { return false }
      try addCarefully(to: &lines) { songs, lines in
        try browser.listSortedTracks(in: path) { songs.add($0, to: &lines) }
      }
    }
    return true
  }

  /// Has `body` add lines of songs, and once more where one of their values cannot be told as it is.
  mutating func addCarefully<Value>(
    to lines: inout LineBuffer, _ body: (inout SongLines, inout LineBuffer) throws -> Value
  ) rethrows -> Value {
    let mark = lines.mark
    isCareful = false
    let value = try body(&self, &lines)
    if lines.isText(since: mark) { return value }
    lines.drop(behind: mark)
    isCareful = true
    return try body(&self, &lines)
  }
}
