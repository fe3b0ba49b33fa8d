import Platform
import SystemPackage

/// Paths as they stand from one directory.
///
/// Going up from a directory leads above the target of a link, not above the link: where a link is in between, a path
/// stays absolute.
struct RelativePlaces {
  private static let slash = UInt8(ascii: "/")

  private let components: [ArraySlice<UInt8>]
  /// How many directories one can go up, so that names lead where the system goes.
  private let height: Int

  /// Paths as they stand from `directory`, which is absolute and present.
  init(below directory: FilePath) {
    components = directory.systemBytes.split(separator: Self.slash)
    var height = 0
    var above = directory
    if let real = try? directory.realPath() {
      var realAbove = real
      while height < components.count {
        // One level further up, if the way down from there has no link.
        guard above.lastComponent == realAbove.lastComponent else { break }
        _ = above.removeLastComponent()
        _ = realAbove.removeLastComponent()
        guard (try? above.realPath()) == realAbove else { break }
        height += 1
      }
    }
    self.height = height
  }

  /// The path from the directory, or `path` itself where that is relative already, or has nothing but the root in
  /// common with it.
  func place(of path: [UInt8]) -> [UInt8] {
    guard path.first == Self.slash, !path.starts(with: [Self.slash, Self.slash]) else { return path }
    let names = path.split(separator: Self.slash)
    // ".." and "." are for the system to follow.
    if names.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) { return path }
    var common = 0
    while common < components.count, common < names.count - 1, names[common] == components[common] {
      common += 1
    }
    let steps = components.count - common
    guard common > 0, steps <= height else { return path }
    var result: [UInt8] = []
    for _ in 0..<steps { result += "../".utf8 }
    result += names[common...].joined(separator: [Self.slash])
    return result
  }
}
