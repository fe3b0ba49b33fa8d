import Platform
public import SystemPackage

/// A picture of an album that lies in a directory beside its songs.
public struct CoverFile: Equatable, Sendable {
  /// The names without their suffixes, the best first; in any case.
  private static let names = ["cover", "folder", "front", "album", "albumart"]
  /// The suffixes, the best first; in any case.
  private static let suffixes = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Where it is.
  public let path: FilePath

  /// The best picture of at most `limit` bytes in `directory`; `nil` where there is none. It reads the directory.
  ///
  /// - Parameter reach: the directories out of which no link may lead, but to what lies where `directory` really is;
  ///   `nil` where any may.
  public init?(in directory: FilePath, reach: LibraryRoots? = nil, limit: Int) {
    guard let entries = try? DirectoryListing(of: directory).entries else { return nil }
    let place = reach == nil ? nil : try? directory.realPath()
    let ranked = entries.compactMap { entry in Self.rank(entry.name).map { (rank: $0, name: entry.name) } }
    for (_, name) in ranked.sorted(by: { $0.rank < $1.rank }) {
      let path = directory.appending(name)
      guard let status = try? FileStatus(of: path), status.kind == .regular,
        status.size > 0, status.size <= limit
      else { continue }
      if let reach {
        guard let real = try? path.realPath(),
          reach.really(contain: real) || place.map({ real.starts(with: $0) }) ?? false
        else { continue }
      }
      self.path = path
      return
    }
    return nil
  }

  /// The picture within the file at `track`, or else the best one beside it: of at most `limit` bytes.
  ///
  /// It blocks while the disk does. Any thread.
  public static func picture(of track: FilePath, limit: Int) -> [UInt8]? {
    if let embedded = EmbeddedPicture(of: track, limit: limit) { return embedded.bytes }
    guard let cover = CoverFile(in: track.removingLastComponent(), limit: limit) else { return nil }
    return (try? AtomicFile.read(cover.path, limit: limit)) ?? nil
  }

  private static func rank(_ name: FilePath.Component) -> Int? {
    guard let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = suffixes.firstIndex(of: (name.extension ?? "").lowercased())
    else { return nil }
    return stem * suffixes.count + suffix
  }
}
