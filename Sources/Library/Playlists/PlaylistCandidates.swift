// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// The paths that a location in a playlist may stand for.
///
/// A path is tried as it is; with slashes instead of backslashes, without a drive; with its escapes decoded, as in a
/// URI; and, if it is not UTF-8, as text in its detected encoding. A relative path is below the playlist's directory
/// or, as MPD writes it, below one of the library.
struct PlaylistCandidates {
  /// The maximum number of names of an absolute path that are compared with those of the library.
  static let tailLimit = 16
  /// The schemes of URLs of mounted shares, whose paths are like those of another machine.
  private static let shareSchemes: Set<String> = ["smb", "cifs", "nfs", "afp", "sftp", "ftp", "dav", "davs"]

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  /// The directory of the playlist, then those of the library.
  let directories: [[UInt8]]

  init(directory: [UInt8], others: [[UInt8]]) {
    directories = [directory] + others.filter { $0 != directory }
  }

  /// Calls `body` with each absolute path that `path` may be on this machine, until it returns `true`.
  func search(_ path: [UInt8], _ body: ([UInt8]) -> Bool) {
    for form in Self.forms(path) {
      if form.first == Self.slash {
        if body(form) { return }
      } else if directories.contains(where: { body($0 + [Self.slash] + form) }) {
        return
      }
    }
  }

  /// Returns the names at the end of an absolute path of another machine, one array for each way to read it. Returns an
  /// empty array for a relative path.
  static func tails(_ path: [UInt8]) -> [[ArraySlice<UInt8>]] {
    let slashed = slashed(path)
    guard slashed.first == slash else { return [] }
    return decoded([slashed]).map { form in
      let names = form.split(separator: slash).suffix(tailLimit).filter { !$0.elementsEqual(".".utf8) }
      let start = names.lastIndex { $0.elementsEqual("..".utf8) }.map { $0 + 1 } ?? 0
      return Array(names[start...])
    }
  }

  /// Returns the last name of a path, without escapes.
  static func name(_ path: [UInt8]) -> ArraySlice<UInt8>? {
    decoded([slashed(path)]).last?.split(separator: slash).last
  }

  /// Whether `path`, which is absolute, is written as on another system.
  static func isForeign(_ path: [UInt8]) -> Bool {
    path.first != slash || isWindows(path)
  }

  /// Returns the path of a URL of a file on a share; `nil` for any other URL.
  static func path(ofShare url: String) -> [UInt8]? {
    let bytes = Array(url.utf8)
    guard let scheme = PlaylistLocation.scheme(of: bytes), shareSchemes.contains(scheme) else { return nil }
    return PercentEscapes.decoded(bytes.dropFirst(scheme.utf8.count + 1))
  }

  private static func forms(_ path: [UInt8]) -> [[UInt8]] {
    let slashed = slashed(path)
    // An absolute path of Windows is none of this machine.
    let isForeign = slashed.first == slash && isWindows(path)
    return decoded(isForeign || slashed == path ? [path] : [path, slashed])
  }

  /// Returns `forms`, the last one without escapes, and all of them as text, without repetitions.
  private static func decoded(_ forms: [[UInt8]]) -> [[UInt8]] {
    var result = forms
    if let last = forms.last, last.contains(UInt8(ascii: "%")) {
      let plain = PercentEscapes.decoded(last)
      if plain != last, !plain.contains(0) { result.append(plain) }
    }
    for form in result where String(validating: form, as: UTF8.self) == nil {
      result.append(Array(LegacyText.decode(form).utf8))
    }
    return result
  }

  /// Returns a path of Windows with slashes, without its drive; any other path as it is.
  private static func slashed(_ path: [UInt8]) -> [UInt8] {
    guard isWindows(path) else { return path }
    return path.dropFirst(drive(path)).map { $0 == backslash ? slash : $0 }
  }

  private static func isWindows(_ path: [UInt8]) -> Bool {
    drive(path) > 0 || path.contains(backslash) || path.starts(with: [slash, slash])
  }

  private static func drive(_ path: [UInt8]) -> Int {
    if WindowsPath.hasDrive(path) { return 2 }
    return path.first == slash && WindowsPath.hasDrive(path.dropFirst()) ? 3 : 0
  }
}
