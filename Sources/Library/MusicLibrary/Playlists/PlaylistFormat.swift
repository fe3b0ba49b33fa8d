public import SystemPackage

/// The formats of playlists that are read and written.
public enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// One path a line, with remarks behind `#`; of whatever encoding when read, written in UTF-8 and saying so.
  case m3u
  /// The same, always in UTF-8.
  case m3u8
  /// Numbered keys and values under `[playlist]`.
  case pls
  /// XML Shareable Playlist Format, version 1 (xspf.org).
  case xspf

  /// The format that the suffix of this path promises, in any case; `nil` for what is not known as a playlist.
  public init?(_ path: FilePath) {
    guard let suffix = path.extension, let format = Self(rawValue: suffix.lowercased()) else { return nil }
    self = format
  }

  /// The format that these contents show; `nil` where they do not: an M3U without a header is any text.
  public init?(contents bytes: some Collection<UInt8>) {
    // Also behind a byte order mark, and in UTF-16.
    let start = bytes.prefix(512).filter { (0x21...0x7E).contains($0) }.prefix(10)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    if text.hasPrefix("#extm3u") {
      self = .m3u
    } else if text.hasPrefix("[playlist]") {
      self = .pls
    } else if text.hasPrefix("<?xml") || text.hasPrefix("<playlist") {
      self = .xspf
    } else {
      return nil
    }
  }
}
