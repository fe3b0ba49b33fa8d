import Platform
import SystemPackage

/// A picture of an album that lies in a directory beside its songs.
struct CoverFile: Equatable {
  /// The names without their suffixes, the best first; in any case.
  private static let names = ["cover", "folder", "front", "album"]
  /// The suffixes, the best first; in any case.
  private static let suffixes = ["jpg", "jpeg", "png", "webp"]

  let path: FilePath

  /// The best picture in the directory of `place`.
  ///
  /// - Parameter reach: the directory out of which no link may lead; `nil` where any may.
  init?(beside place: LibraryTracks.PathOfPlace, in reach: FilePath?) {
    let directory =
      switch place {
      case .file(let path): path.removingLastComponent()
      case .directory(let path): path
      }
    guard let entries = try? DirectoryListing(of: directory).entries else { return nil }
    let ranked = entries.compactMap { entry in Self.rank(entry.name).map { (rank: $0, name: entry.name) } }
    for (_, name) in ranked.sorted(by: { $0.rank < $1.rank }) {
      let path = directory.appending(name)
      guard let status = try? FileStatus(of: path), status.kind == .regular,
        status.size > 0, status.size <= Picture.sizeLimit
      else { continue }
      if let reach {
        guard let real = try? path.realPath(), let root = try? reach.realPath(), real.starts(with: root)
        else { continue }
      }
      self.path = path
      return
    }
    return nil
  }

  private static func rank(_ name: FilePath.Component) -> Int? {
    guard let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = suffixes.firstIndex(of: (name.extension ?? "").lowercased())
    else { return nil }
    return stem * suffixes.count + suffix
  }
}
