import SystemPackage

extension FilePath {
  /// The path of these bytes, one behind the other; it ends where one is 0.
  init(bytes: some Collection<UInt8>, _ rest: some Collection<UInt8>) {
    let count = bytes.count + rest.count
    self = withUnsafeTemporaryAllocation(of: CInterop.PlatformChar.self, capacity: count + 1) { buffer in
      var index = 0
      for byte in bytes {
        buffer[index] = CInterop.PlatformChar(bitPattern: byte)
        index += 1
      }
      for byte in rest {
        buffer[index] = CInterop.PlatformChar(bitPattern: byte)
        index += 1
      }
      buffer[index] = 0
      return buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath("")
    }
  }
}
