import Platform
import SystemPackage

/// Looks up on the disk what playlists name, directory by directory.
struct PlaylistPlaces {
  /// What a path leads to.
  enum Place {
    /// A regular file.
    case file(FilePath)
    /// A directory.
    case directory(FilePath)
    /// What cannot be played, and where it would be.
    case missing(FilePath?, ResolvedEntry.Reason)
  }

  /// What is known of a directory.
  private struct Directory {
    /// As one writes it: links keep their names unless `..` makes them lie.
    let path: FilePath
    let isInReach: Bool
    /// The bytes of the path, and a slash.
    let prefix: [UInt8]

    init(path: FilePath, isInReach: Bool) {
      (self.path, self.isInReach) = (path, isInReach)
      let bytes = path.systemBytes
      prefix = bytes.last == PlaylistPlaces.slash ? bytes : bytes + [PlaylistPlaces.slash]
    }
  }

  private static let slash = UInt8(ascii: "/")
  private static let rememberedDirectories = 10_000

  private let realRoots: [FilePath]?
  private let isKnown: @Sendable (FilePath) -> Bool
  private var directories: [[UInt8]: Directory] = [:]

  /// Places in `reach`; what `isKnown` says is in it, too.
  init(_ reach: PlaylistReach, isKnown: @escaping @Sendable (FilePath) -> Bool) {
    switch reach {
    case .anywhere: realRoots = nil
    case .library(let library): realRoots = library.paths.map { (try? $0.realPath()) ?? $0 }
    }
    self.isKnown = isKnown
  }

  /// What `path`, which is absolute, leads to.
  mutating func place(_ path: [UInt8]) -> Place {
    if path.contains(0) { return .missing(nil, .unusableName) }
    guard let slash = path.lastIndex(of: Self.slash) else { return .missing(nil, .unusableName) }
    let name = path[(slash + 1)...]
    guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else {
      let directory = directory(path)
      guard directory.isInReach else { return .missing(nil, .outsideLibrary) }
      let isThere = (try? FileStatus(of: directory.path))?.kind == .directory
      return isThere ? .directory(directory.path) : .missing(directory.path, .notFound)
    }
    let directory = directory(Array(path[...slash]))
    return look(at: FilePath(systemBytes: directory.prefix + name), in: directory)
  }

  private func look(at file: FilePath, in directory: Directory) -> Place {
    do throws(Errno) {
      let own = try FileStatus(of: file, followingLinks: false)
      var isInReach = directory.isInReach
      var kind = own.kind
      if own.kind == .symbolicLink {
        isInReach = isReached(try file.realPath())
        kind = try FileStatus(of: file).kind
      }
      guard isInReach || isKnown(file) else { return .missing(nil, .outsideLibrary) }
      return switch kind {
      case .regular: .file(file)
      case .directory: .directory(file)
      case .fifo, .special, .symbolicLink: .missing(file, .notAFile)
      }
    } catch {
      guard directory.isInReach else { return .missing(nil, .outsideLibrary) }
      switch error {
      case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels:
        return .missing(file, .notFound)
      default: return .missing(file, .unreadable(error))
      }
    }
  }

  private mutating func directory(_ bytes: [UInt8]) -> Directory {
    if let known = directories[bytes] { return known }
    let found = find(FilePath(systemBytes: bytes))
    if directories.count >= Self.rememberedDirectories { directories = [:] }
    directories[bytes] = found
    return found
  }

  private func find(_ path: FilePath) -> Directory {
    let lexical = path.lexicallyNormalized()
    guard let real = try? path.realPath() else {
      // It would be below what there is of its way.
      var above = lexical
      var there: FilePath?
      while there == nil, above.removeLastComponent() { there = try? above.realPath() }
      return Directory(path: lexical, isInReach: isReached(there ?? lexical))
    }
    let isSame = path.components.allSatisfy { $0.kind == .regular } || (try? lexical.realPath()) == real
    return Directory(path: isSame ? lexical : real, isInReach: isReached(real))
  }

  private func isReached(_ real: FilePath) -> Bool {
    realRoots.map { roots in roots.contains { real.starts(with: $0) } } ?? true
  }
}

extension FilePath.Component {
  /// The name of these bytes, which need not be text; `nil` where no file can have it.
  init?(systemName bytes: some Collection<UInt8>) {
    if bytes.isEmpty || bytes.contains(0) || bytes.contains(UInt8(ascii: "/")) { return nil }
    guard let component = FilePath(systemBytes: bytes).lastComponent else { return nil }
    self = component
  }
}
