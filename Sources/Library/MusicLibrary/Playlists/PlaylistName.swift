/// What saved lists may be called.
enum PlaylistName {
  /// The longest name, in bytes: with a suffix, and what a write in progress adds, it has to fit into 255.
  static let lengthLimit = 200

  /// Nothing, where a file directly in the directory can have this name without harm.
  ///
  /// - Throws: `unusableName`.
  static func check(_ name: String) throws(PlaylistError) {
    if let reason = fault(name) { throw .unusableName(name, reason: reason) }
  }

  private static func fault(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "it is empty" }
    if name.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" }) { return "it has a slash in it" }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
      return "it has control characters in it"
    }
    return name.utf8.count > lengthLimit ? "it is longer than \(lengthLimit) bytes" : nil
  }

  /// The name in the form in which names are compared: without regard to case.
  static func key(_ name: String) -> String { name.lowercased() }
}
