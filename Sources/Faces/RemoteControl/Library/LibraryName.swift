import MusicLibrary
import MusicModel
import SystemPackage

/// A name of the protocol that names something of the library: a path below its directory, and perhaps a part of a
/// file.
struct LibraryName: Equatable {
  /// The path; of the library's own directory it is empty.
  let path: FilePath

  /// The name `text`; `nil` where it is absolute, leads up, or is no name.
  init?(_ text: String) {
    if text.isEmpty || text == "/" {
      self.init(path: FilePath())
      return
    }
    guard var path = SongURI.path(text), !path.isAbsolute, !path.isEmpty else { return nil }
    path.lexicallyNormalize()
    self.init(path: path)
  }

  init(path: FilePath) { self.path = path }

  /// The file of which this names a part, and the CD frame at which that begins.
  var segment: (file: FilePath, start: Int)? {
    guard let name = path.lastComponent?.string, name.hasPrefix(SongURI.segmentPrefix),
      let start = Int(name.dropFirst(SongURI.segmentPrefix.utf8.count)), start >= 0
    else { return nil }
    return (path.removingLastComponent(), start)
  }

  /// True of the file of this name alone.
  var filter: TrackFilter {
    guard segment != nil else { return .file(path) }
    return .text(.file, .equals, path.string, ignoresCase: false)
  }
}
