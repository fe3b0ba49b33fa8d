// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import CStandard
  import Foundation
  import Platform
  import SystemPackage

  /// Runs code on threads that have file descriptors of their own. Redirecting standard error there affects no other
  /// thread.
  public enum OwnDescriptors {
    private typealias Unshare = @convention(c) (Int32) -> Int32

    /// The constant `CLONE_FILES` of Linux. Like unshare(2) itself, it is declared only for GNU sources.
    private static let cloneFiles: Int32 = 0x400

    /// Whether the system permits such threads. Some sandboxes do not.
    public static let areGranted = (try? use {}) != nil

    /// Runs `body` on a thread with descriptors of its own, and waits until it returns. Of the descriptors of the
    /// process, the thread has only the standard streams.
    ///
    /// - Throws: The error of `body`, or `Errno` if the system does not permit such a thread.
    public static func use(_ body: @escaping @Sendable () throws -> Void) throws {
      let result = Watched<Result<Void, any Error>?>(nil)
      Thread.detachNewThread {
        let outcome = Result {
          try separate()
          try body()
        }
        result.change { $0 = outcome }
      }
      while !result.wait(until: { $0 != nil }) {}
      try result.value?.get()
    }

    /// Gives the calling thread descriptors of its own.
    private static func separate() throws {
      guard let symbol = unsafe dlsym(nil, "unshare") else { throw Errno.noFunction }
      let unshare = unsafe unsafeBitCast(symbol, to: Unshare.self)
      guard unshare(cloneFiles) == 0 else { throw Errno(rawValue: errno) }
      for number in 3..<Int32(1024) { close(number) }
    }
  }
#endif
