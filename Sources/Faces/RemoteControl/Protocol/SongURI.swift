// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// The names of files in the protocol.
///
/// A file in the library is named by its path relative to the library's directory, preceded by the name of that
/// directory if there are several. Any other file is named by its absolute path. A name that is invalid UTF-8 or
/// contains control characters, and so cannot be written in a line, is written as `path:` and its percent-encoded
/// bytes: nothing is lost. A track that is a part of a file is named like a file in a directory: `FILE/trackSTART`,
/// with the CD frame at which it starts.
enum SongURI {
  static let encodedPrefix = "path:"
  /// The text before the number of the first CD frame of a part.
  static let segmentPrefix = "track"

  /// Returns the name of `track`.
  static func text(_ track: Track, in roots: LibraryRoots?) -> String {
    text(track.path, track.segment, in: roots)
  }

  /// Returns the name of the file at `path`, or of a part of it.
  static func text(_ path: FilePath, _ segment: TrackSegment?, in roots: LibraryRoots?) -> String {
    let file = text(path, in: roots)
    return segment.map { "\(file)/\(segmentPrefix)\($0.start)" } ?? file
  }

  /// Returns the name of the file or directory at `path`.
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

  /// Returns the name for a path that is relative to the library.
  static func text(relative path: FilePath) -> String { text(path, in: nil) }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    isPlain(bytes) && !isEncoded(bytes)
      ? String(decoding: bytes, as: UTF8.self) : encodedPrefix + PercentCoding.encoded(Array(bytes))
  }

  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe isPlain($0) }
  }

  /// Returns whether these bytes can be written in a line unchanged.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (controlCount, isASCII) = unsafe TextScan.look(at: bytes)
    return controlCount == 0 && (isASCII || (unsafe TextScan.isUTF8(bytes)))
  }

  /// Returns whether a name with these bytes would be read as an encoded one.
  static func isEncoded(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: encodedPrefix.utf8) }

  /// Returns the path that `text` names, relative to the library or absolute, or `nil` if it contains `..` or is not
  /// valid.
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

/// The name of something in the library: a path relative to its directory, perhaps with a part of a file.
struct LibraryName: Equatable {
  /// The path; empty for the root directory of the library.
  let path: FilePath

  /// Parses `text`; returns `nil` if it is absolute, contains `..` or is not valid.
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

  /// The file of which this names a part, and the CD frame at which the part starts.
  var segment: (file: FilePath, start: Int)? {
    guard let name = path.lastComponent?.string, name.hasPrefix(SongURI.segmentPrefix),
      let start = Int(name.dropFirst(SongURI.segmentPrefix.utf8.count)), start >= 0
    else { return nil }
    return (path.removingLastComponent(), start)
  }

  /// The filter that matches only the file with this name.
  var filter: TrackFilter {
    guard segment != nil else { return .file(path) }
    return .text(.file, .equals, path.string, ignoresCase: false)
  }
}
