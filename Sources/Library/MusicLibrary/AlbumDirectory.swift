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
    let bytes = path.systemBytes
    let last = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    let name = String(decoding: last, as: UTF8.self)
    guard !name.isEmpty, let suffix = DiscSuffix(directory: name) else {
      // Bytes that are no text are shown in another way.
      let isText = !name.isEmpty && name.utf8.elementsEqual(last)
      self.init(path: path, name: isText ? name : path.shownName, disc: nil)
      return
    }
    let parent = path.removingLastComponent()
    let home = suffix.base.isEmpty ? parent : parent.appending(suffix.base)
    self.init(path: home, name: home.shownName, disc: suffix.number)
  }

  private init(path: FilePath, name: String?, disc: Int?) {
    self.path = path
    self.disc = disc
    self.name = name ?? "Untitled"
  }
}
