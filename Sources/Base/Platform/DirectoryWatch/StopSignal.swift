import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells a thread that polls descriptors to end: a descriptor that can be read from then on.
final class StopSignal: Sendable {
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  /// A signal that has not been given.
  init() throws(Errno) {
    do {
      (reader, writer) = try FileDescriptor.pipe()
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// What to poll for input.
  var descriptor: Int32 { reader.rawValue }

  /// Gives the signal, for good. From any thread, once.
  func give() { _ = try? writer.writeAll(CollectionOfOne(UInt8(0))) }

  /// Waits at most `milliseconds` for the signal, and says whether it was given.
  func isGiven(within milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, milliseconds) > 0
  }
}
