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
    let length = length
    return unsafe withPlatformString { name in
      unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
    }
  }
}
