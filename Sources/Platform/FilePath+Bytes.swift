public import SystemPackage

extension FilePath {
  /// The path of these bytes, which need not be text; what follows a NUL does not count.
  public init(systemBytes bytes: some Sequence<UInt8>) {
    var name: [CChar] = []
    name.reserveCapacity(bytes.underestimatedCount + 1)
    for byte in bytes { name.append(CChar(bitPattern: byte)) }
    name.append(0)
    self = unsafe name.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
    }
  }

  /// The bytes of the path as the system takes them, without the NUL at their end.
  public var systemBytes: [UInt8] {
    let length = length
    return unsafe withPlatformString { name in
      unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
    }
  }
}
