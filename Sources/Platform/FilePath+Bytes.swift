public import SystemPackage

extension FilePath {
  /// The path of these bytes, which need not be text; what follows a NUL does not count.
  public init(systemBytes bytes: some Sequence<UInt8>) {
    self = unsafe (Array(bytes) + [0]).withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { start in
        unsafe FilePath(platformString: start.assumingMemoryBound(to: CChar.self))
      } ?? FilePath()
    }
  }

  /// The bytes of the path as the system takes them, without the NUL at their end.
  public var systemBytes: [UInt8] {
    unsafe withPlatformString { name in
      var count = 0
      while unsafe name[count] != 0 { count += 1 }
      return unsafe name.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      }
    }
  }
}
