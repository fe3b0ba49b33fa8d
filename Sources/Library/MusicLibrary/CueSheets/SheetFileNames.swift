import AudioCore
import Platform
import SystemPackage

/// The names of the audio files in a directory, as cue sheets look for them.
struct SheetFileNames {
  private var exact: [[UInt8]: Int] = [:]
  private var folded: [String: Int] = [:]
  private var stems: [String: (place: Int, rank: Int)] = [:]

  /// These names; what is found is a place among them.
  init(_ names: [[UInt8]]) {
    for (place, name) in names.enumerated() {
      exact[name] = place
      // A name in the encoding of the sheet is text like that of the sheet.
      let text = LegacyText.decode(name).lowercased()
      if folded[text] == nil { folded[text] = place }
      let (stem, suffix) = Self.parts(of: text)
      let rank = Self.rank(of: suffix)
      if let best = stems[stem], best.rank <= rank { continue }
      stems[stem] = (place, rank)
    }
  }

  /// The file that a sheet calls `name`; `sheet` is the name of the sheet where its own stem may stand for it.
  func find(_ name: String, sheet: [UInt8]?) -> Int? {
    let name = Self.lastName(name)
    if let place = exact[Array(name.utf8)] { return place }
    let text = name.lowercased()
    if let place = folded[text] ?? stems[Self.parts(of: text).stem]?.place { return place }
    // "Album.flac.cue" lies beside "Album.flac".
    return sheet.flatMap { sheet in
      let own = Self.parts(of: LegacyText.decode(sheet).lowercased()).stem
      return folded[own] ?? stems[own]?.place
    }
  }

  /// What stands behind the last separator of directories, of either kind.
  static func lastName(_ path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }

  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let stop = name.lastIndex(of: "."), stop > name.startIndex else { return (name, "") }
    return (String(name[..<stop]), String(name[name.index(after: stop)...]))
  }

  /// Which of several files that differ in their suffix comes first: the least.
  private static func rank(of suffix: String) -> Int {
    guard let format = AudioFileFormat(suffix: suffix), format.use == .played else { return 9 }
    return switch format {
    case .flac: 0
    case .wav, .w64, .rf64, .aiff, .caf, .au: 1
    default: 2
    }
  }
}
