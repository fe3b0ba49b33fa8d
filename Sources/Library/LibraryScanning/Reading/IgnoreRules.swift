import Platform

/// Which names in the directories of a library are left out: those of other programs, and what patterns say.
struct IgnoreRules: Sendable {
  /// The name of a file of patterns that hold in its directory and below it; mpd(1) reads the same.
  static let fileName = Array(".mpdignore".utf8)
  /// The name of a file with which a directory is left out, as on Android.
  static let markName = Array(".nomedia".utf8)

  /// What synchronises, versions, indexes or deletes files has these in the midst of them.
  private static let systemNames: Set<[UInt8]> = Set(
    [".git", ".stfolder", ".stversions", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"].map {
      Array($0.utf8)
    })
  /// The other half of a file from a Mac, the bins of a desktop, and our own copies of files that are being changed.
  private static let systemPrefixes = ["._", ".Trash", ".segue-"].map { Array($0.utf8) }
  /// What the first byte of each of these names is.
  private static let systemBeginnings = Set(".@#$l".utf8)

  private var patterns: [NamePattern]

  /// Rules by which names of other programs are left out, and those that one of these patterns fits.
  init(patterns: [String] = []) { self.patterns = patterns.map { NamePattern($0.utf8) } }

  /// Whether something of this name, a file or a directory, belongs to another program, or to the system.
  static func isSystemName(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, systemBeginnings.contains(first) else { return false }
    return systemPrefixes.contains { name.starts(with: $0) } || systemNames.contains(Array(name))
  }

  /// Whether a file of this name is one of those that say what is left out.
  static func isOfRules(_ name: some Collection<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") && (name.elementsEqual(fileName) || name.elementsEqual(markName))
  }

  /// Whether a file or directory of this name is left out.
  func ignores(_ name: some Collection<UInt8>) -> Bool {
    Self.isSystemName(name) || patterns.contains { $0.matches(name) }
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
