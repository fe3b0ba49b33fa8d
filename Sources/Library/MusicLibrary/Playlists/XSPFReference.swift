/// The places of XSPF: references to URIs, which stand relative to `xml:base` (RFC 3986, section 5), else to the
/// playlist.
enum XSPFReference {
  /// The place that the reference names.
  static func location(_ reference: [UInt8], base: [UInt8]?) -> PlaylistLocation {
    // A path of Windows is no reference, but stands in some.
    let base = WindowsPath.hasDrive(reference) ? nil : base
    let resolved = base.map { Self.resolved(reference, $0) } ?? reference
    if PlaylistLocation.scheme(of: resolved) != nil {
      let location = PlaylistLocation(line: resolved)
      if location != .path(PlaylistLocation.withoutDot(resolved)) { return location }
    }
    // What begins like a scheme that is not known is a path, too.
    return .path(PlaylistLocation.withoutDot(FileURI.unescaped(resolved)))
  }

  /// The reference as it stands from the base; both escaped.
  static func resolved(_ reference: [UInt8], _ base: [UInt8]) -> [UInt8] {
    if PlaylistLocation.scheme(of: reference) != nil { return reference }
    let slash = UInt8(ascii: "/")
    let root = rootLength(base)
    if reference.starts(with: [slash, slash]) {
      return Array(base.prefix((PlaylistLocation.scheme(of: base)?.utf8.count ?? -1) + 1)) + reference
    }
    if reference.first == slash { return Array(base.prefix(root)) + reference }
    guard let last = base.lastIndex(of: slash), last >= root else {
      return root > 0 ? Array(base.prefix(root)) + [slash] + reference : reference
    }
    return Array(base[...last]) + reference
  }

  /// How much of the URI comes before its path: its scheme and its host.
  private static func rootLength(_ base: [UInt8]) -> Int {
    let start = PlaylistLocation.scheme(of: base).map { $0.utf8.count + 1 } ?? 0
    let slash = UInt8(ascii: "/")
    guard start > 0, base.dropFirst(start).starts(with: [slash, slash]) else { return start }
    return start + 2 + base.dropFirst(start + 2).prefix { $0 != slash }.count
  }
}
