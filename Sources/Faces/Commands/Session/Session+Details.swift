import MusicModel
import Platform
import SystemPackage
import Terminal

/// What `--verbose` tells of where things are read from, and of what was found.
extension Session {
  /// Where the settings are.
  var settingsPlace: String {
    let file = Environment.settingsFile
    let isThere = (try? FileStatus(of: file)) != nil
    return "settings: \(file)\(isThere ? "" : ", which is not there")"
  }

  /// Tells where the index is, and of which library it is asked.
  func tellPlace(of request: LibraryRequest) {
    detail("index: \(request.dataDirectory), library \(request.roots)")
  }

  /// Tells where the queue is kept.
  func tellPlace(ofQueue directory: FilePath) { detail("queue: \(directory)") }

  /// Tells which files `text` has matched.
  func tellMatches(of text: String, _ collection: TrackCollection) {
    guard manner.isVerbose else { return }
    detail("\"\(text)\" is \(collection.title), \(ItemCount.text(collection.tracks.count, "track"))")
    var last: FilePath?
    for track in collection.tracks where track.path != last {
      detail("matched \(track.path.shown)")
      last = track.path
    }
  }
}
