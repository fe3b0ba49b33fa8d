import MusicModel
import Platform
import SystemPackage

/// Finds the picture of an album in the directory of its tracks. For one thread; it reads directories.
struct CoverFile {
  private static let names = ["cover", "folder", "front", "album", "albumart"]
  private static let suffixes = ["jpg", "jpeg", "png", "webp", "gif"]

  /// The track that was asked for last, and what was found beside it.
  private var last: (track: FilePath, cover: FilePath?)?

  /// The picture beside `path`; the directory is read once as long as the track is the same.
  mutating func cover(of path: FilePath) -> FilePath? {
    if let last, last.track == path { return last.cover }
    let directory = path.removingLastComponent()
    let cover = path.isAbsolute ? Self.find(in: directory) : nil
    last = (path, cover)
    return cover
  }

  /// The best of the names that stand for a picture, whatever their case.
  private static func find(in directory: FilePath) -> FilePath? {
    guard let listing = try? DirectoryListing(of: directory) else { return nil }
    let found = listing.entries.compactMap { entry -> (rank: Int, path: FilePath)? in
      guard let stem = names.firstIndex(of: entry.name.stem.lowercased()),
        let suffix = entry.name.extension.flatMap({ suffixes.firstIndex(of: $0.lowercased()) })
      else { return nil }
      return (stem * suffixes.count + suffix, directory.appending(entry.name))
    }
    return found.sorted { $0.rank < $1.rank }.first { FileStatus.isFile(at: $0.path) == true }?.path
  }
}
