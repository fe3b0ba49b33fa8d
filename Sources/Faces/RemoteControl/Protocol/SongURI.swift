// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Translates between paths and the URIs that name files in the protocol.
///
/// The URI of a file in the library is its path relative to the root directory, preceded by the name of the root if
/// there are several. The URI of any other file is its absolute path. A path that cannot be written in a line, because
/// it is not valid UTF-8 or contains control characters, becomes `path:` and its percent-encoded bytes, so that every
/// file has a URI. A track that is a part of a file has a URI like that of a file in a directory: `FILE/trackSTART`,
/// where `START` is the CD frame at which the track starts.
enum SongURI {
  /// The text before the percent-encoded bytes of a path.
  static let encodedPrefix = "path:"
  /// The text before the number of the CD frame at which a part starts.
  static let segmentPrefix = "track"

  /// Returns the URI of `track`.
  static func text(_ track: Track, in roots: LibraryRoots?) -> String {
    text(track.path, track.segment, in: roots)
  }

  /// Returns the URI of the file at `path` or, if `segment` is given, of that part of it.
  static func text(_ path: FilePath, _ segment: TrackSegment?, in roots: LibraryRoots?) -> String {
    let file = text(path, in: roots)
    return segment.map { "\(file)/\(segmentPrefix)\($0.start)" } ?? file
  }

  /// Returns the URI of the file or directory at `path`, or the address for which it stands.
  static func text(_ path: FilePath, in roots: LibraryRoots?) -> String {
    if let address = StreamAddress(path) { return address.description }
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

  /// Returns the URI for a path that is relative to the library.
  static func text(relative path: FilePath) -> String { text(path, in: nil) }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    isPlain(bytes) && !isEncoded(bytes)
      ? String(decoding: bytes, as: UTF8.self) : encodedPrefix + PercentCoding.encoded(Array(bytes))
  }

  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe isPlain($0) }
  }

  /// Returns whether `bytes` can be written in a line unchanged.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (controlCount, isASCII) = unsafe TextScan.look(at: bytes)
    return controlCount == 0 && (isASCII || (unsafe TextScan.isUTF8(bytes)))
  }

  /// Returns whether a path with these bytes would be taken for an encoded one.
  static func isEncoded(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: encodedPrefix.utf8) }

  /// Returns the path that the URI `text` names, which is relative to the library or absolute. Returns `nil` if it is
  /// invalid, or contains `..`.
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

/// The name of a file or directory in the library, relative to its root, or of a part of a file.
struct LibraryName: Equatable {
  /// The path of the name; empty for the root of the library.
  let path: FilePath

  /// Parses the URI `text`. Returns `nil` if it is absolute, contains `..` or is invalid.
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

  /// The file, and the CD frame at which the part starts, if this is the name of a part of a file; otherwise `nil`.
  var segment: (file: FilePath, start: Int)? {
    guard let name = path.lastComponent?.string, name.hasPrefix(SongURI.segmentPrefix),
      let start = Int(name.dropFirst(SongURI.segmentPrefix.utf8.count)), start >= 0
    else { return nil }
    return (path.removingLastComponent(), start)
  }

  /// A filter that matches only the file with this name.
  var filter: TrackFilter {
    guard segment != nil else { return .file(path) }
    return .text(.file, .equals, path.string, ignoresCase: false)
  }
}
