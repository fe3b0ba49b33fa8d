// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Tagging

/// The rules for which names in a library's directories are skipped: those of other programs' files, and those that
/// match patterns.
struct IgnoreRules: Sendable {
  /// The name of a file with patterns that apply to its directory and everything below it. mpd(1) reads the same file.
  static let fileName = Array(".mpdignore".utf8)
  /// The name of a marker file that excludes its directory, as on Android.
  static let markerName = Array(".nomedia".utf8)

  private var patterns: [NamePattern]

  /// Creates rules that skip other programs' files and names that match one of these patterns.
  init(patterns: [String] = []) { self.patterns = patterns.map { NamePattern($0.utf8) } }

  /// Whether a file of this name is a pattern file or a marker file.
  static func isRulesFile(_ name: some Collection<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") && (name.elementsEqual(fileName) || name.elementsEqual(markerName))
  }

  /// Whether a file or directory of this name is skipped.
  func ignores(_ name: some Collection<UInt8>) -> Bool {
    SystemNames.contains(name) || patterns.contains { $0.matches(name) }
  }

  /// Returns these rules together with those in the contents of a pattern file: one pattern on each line, without
  /// surrounding white space. Empty lines and lines that begin with `#` are ignored.
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
