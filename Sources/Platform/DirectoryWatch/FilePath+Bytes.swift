import SystemPackage

extension FilePath {
  /// The path's bytes, without a NUL.
  var nameBytes: [UInt8] {
    unsafe withPlatformString { name in
      unsafe UnsafeBufferPointer(start: name, count: length).map(UInt8.init(bitPattern:))
    }
  }

  /// The path of these bytes, up to a NUL.
  init(nameBytes: [UInt8]) {
    let name = nameBytes.map { CChar(bitPattern: $0) } + [0]
    self = unsafe name.withUnsafeBufferPointer { name in
      unsafe name.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
    }
  }
}
