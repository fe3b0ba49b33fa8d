import SystemPackage

extension FilePath {
  /// The bytes of the path.
  var bytes: [UInt8] {
    let length = length
    return unsafe withPlatformString { name in
      unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
    }
  }

  /// Whether its bytes come before those of `other`.
  func isOrdered(before other: FilePath) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}
