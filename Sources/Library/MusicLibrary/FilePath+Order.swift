import Platform
import SystemPackage

extension FilePath {
  /// The bytes of the path.
  var bytes: [UInt8] { systemBytes }

  /// Whether its bytes come before those of `other`.
  func isOrdered(before other: FilePath) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}
