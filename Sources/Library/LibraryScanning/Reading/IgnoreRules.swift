import Platform
import Tagging

/// Which names in the directories of a library are left out: those of other programs, and what patterns say.
struct IgnoreRules: Sendable {
  /// The name of a file of patterns that hold in its directory and below it; mpd(1) reads the same.
  static let fileName = Array(".mpdignore".utf8)
  /// The name of a file with which a directory is left out, as on Android.
  static let markName = Array(".nomedia".utf8)

  private var patterns: [NamePattern]

  /// Rules by which names of other programs are left out, and those that one of these patterns fits.
  init(patterns: [String] = []) { self.patterns = patterns.map { NamePattern($0.utf8) } }

  /// Whether a file of this name is one of those that say what is left out.
  static func isOfRules(_ name: some Collection<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") && (name.elementsEqual(fileName) || name.elementsEqual(markName))
  }

  /// Whether a file or directory of this name is left out.
  func ignores(_ name: some Collection<UInt8>) -> Bool {
    SystemNames.contains(name) || patterns.contains { $0.matches(name) }
  }

  /// These rules, and those of the contents of a file: a pattern in each line, without the white space around it. Empty
  /// lines, and those that begin with `#`, say nothing.
  func adding(_ contents: [UInt8]) -> IgnoreRules {
    var rules = self
    for line in contents.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C }
      let pattern = line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
      guard let first = pattern.first, first != UInt8(ascii: "#") else { continue }
      rules.patterns.append(NamePattern(pattern))
    }
    return rules
  }
}
