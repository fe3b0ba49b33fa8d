// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Descriptors that programs started by this process do not inherit, not even one that another thread starts at the
/// same instant. Those of swift-system would be inherited.
extension FileDescriptor {
  /// Returns the ends of a new pipe. If the system permits, it holds `byteCount` bytes, unless that is 0. The caller
  /// must close both ends.
  ///
  /// - Throws: `Errno` if there are too many open files.
  package static func ownPipe(
    byteCount: Int = 0
  ) throws(Errno) -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
    var ends: [CInt] = [-1, -1]
    let code = unsafe ProcessPipe(&ends, CInt(clamping: byteCount))
    guard code == 0 else { throw Errno(rawValue: code) }
    return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  /// Returns another descriptor of the same open file. The caller must close it.
  ///
  /// - Throws: `Errno` if this one is not open, or if there are too many open files.
  package func ownDuplicate() throws(Errno) -> FileDescriptor {
    let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: number)
  }
}
