import SystemPackage

extension FilePath {
  /// The bytes of the path.
  var bytes: [UInt8] {
    unsafe withPlatformString { name in
      var bytes: [UInt8] = []
      var index = 0
      while unsafe name[index] != 0 {
        unsafe bytes.append(UInt8(bitPattern: name[index]))
        index += 1
      }
      return bytes
    }
  }

  /// Whether its bytes come before those of `other`.
  func isOrdered(before other: FilePath) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}
