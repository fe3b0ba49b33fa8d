import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// The names of files in the protocol.
///
/// A file of the library is named by its path below the library's directory (where it has several, behind the name of
/// that one), another by its absolute path. A name that is no UTF-8, or has a line's end in it, and so cannot stand in
/// a line, is written as `path:` and its percent-encoded bytes: nothing is lost. A track that is a part of its file is
/// named like a file in a directory: `FILE/trackSTART`, by the CD frame with which it begins.
enum SongURI {
  static let encodedPrefix = "path:"
  /// What stands before the number of the part's first CD frame.
  static let segmentPrefix = "track"

  /// The name of `track`.
  static func text(_ track: Track, in roots: LibraryRoots?) -> String {
    text(track.path, track.segment, in: roots)
  }

  /// The name of the file at `path`, or of a part of it.
  static func text(_ path: FilePath, _ segment: TrackSegment?, in roots: LibraryRoots?) -> String {
    let file = text(path, in: roots)
    return segment.map { "\(file)/\(segmentPrefix)\($0.start)" } ?? file
  }

  /// The name of the file or directory at `path`.
  static func text(_ path: FilePath, in roots: LibraryRoots?) -> String {
    let bytes = path.systemBytes
    let slash = UInt8(ascii: "/")
    for root in roots?.all ?? [] {
      var prefix = root.path.systemBytes
      if prefix.last != slash { prefix.append(slash) }
      guard bytes.count > prefix.count, bytes.starts(with: prefix) else { continue }
      guard let name = root.name else { return text(bytes[prefix.count...]) }
      return text((FilePath(root: nil, [name]).systemBytes + [slash] + bytes[prefix.count...])[...])
    }
    return text(bytes[...])
  }

  /// The name of what is seen under `path` in the library.
  static func text(relative path: FilePath) -> String { text(path, in: nil) }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    isPlain(bytes) && !isEncoded(bytes)
      ? String(decoding: bytes, as: UTF8.self) : encodedPrefix + PercentCoding.encoded(Array(bytes))
  }

  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe isPlain($0) }
  }

  /// Whether these bytes may stand in a line as they are.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (controlCount, isASCII) = unsafe TextScan.look(at: bytes)
    return controlCount == 0 && (isASCII || (unsafe TextScan.isUTF8(bytes)))
  }

  /// Whether a name of these bytes would be taken for an encoded one.
  static func isEncoded(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: encodedPrefix.utf8) }

  /// The path that `text` names: relative to the library, or absolute. `nil` where it leads up, or is no name.
  static func path(_ text: String) -> FilePath? {
    var text = text[...]
    var bytes: [UInt8]
    if text.hasPrefix(encodedPrefix) {
      guard let decoded = PercentCoding.decoded(text.dropFirst(encodedPrefix.count)) else { return nil }
      bytes = decoded
    } else if text.hasPrefix("file://") {
      text = text.dropFirst("file://".count)
      guard text.hasPrefix("/") else { return nil }
      bytes = Array(text.utf8)
    } else {
      bytes = Array(text.utf8)
    }
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard !bytes.contains(0) else { return nil }
    let path = FilePath(systemBytes: bytes)
    return path.components.contains { $0.kind == .parentDirectory } ? nil : path
  }
}

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
