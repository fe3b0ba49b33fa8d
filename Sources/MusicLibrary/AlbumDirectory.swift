import Platform
import SystemPackage

/// The directory of an album: the one that its files are in, or the one above that is divided into discs.
struct AlbumDirectory: Sendable {
  /// The directory that stands for the album; it need not exist ("The Wall" for "The Wall CD1").
  let path: FilePath
  /// The title of an album whose tags give none.
  let name: String
  /// The disc that the files are of, by the name of their directory.
  let disc: Int?

  /// The album's directory for files in `path`.
  init(_ path: FilePath) {
    guard let component = path.lastComponent, let suffix = DiscSuffix(directory: component.string) else {
      self.init(path: path, disc: nil)
      return
    }
    let parent = path.removingLastComponent()
    if suffix.base.isEmpty {
      self.init(path: parent, disc: suffix.number)
    } else {
      self.init(path: parent.appending(suffix.base), disc: suffix.number)
    }
  }

  private init(path: FilePath, disc: Int?) {
    self.path = path
    self.disc = disc
    name = path.shownName ?? "Untitled"
  }
}
