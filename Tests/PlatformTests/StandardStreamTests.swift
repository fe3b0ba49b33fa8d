// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import Platform
  import SystemPackage
  import TestSupport
  import Testing

  /// Tests on threads with their own descriptors, so that the output of other threads is not captured.
  @Suite(.enabled(if: OwnDescriptors.areGranted, "no thread may have descriptors of its own"))
  struct StandardStreamTests {
    @Test func `Output to standard error is captured and returned`() throws {
      try OwnDescriptors.use {
        let before = try Self.identity
        let (result, text) = StandardStream.capturingErrors {
          try? StandardStream.error.write("ALSA lib: no card\n")
          return 7
        }
        #expect(result == 7)
        #expect(text == "ALSA lib: no card\n")
        #expect(try Self.identity == before)
      }
    }

    @Test func `More output than a pipe holds does not block, and standard error is restored`() throws {
      try OwnDescriptors.use {
        let before = try Self.identity
        let (_, text) = StandardStream.capturingErrors {
          for _ in 0..<100 { try? StandardStream.error.write(String(repeating: "x", count: 4096)) }
        }
        #expect(text.utf8.count >= 4096)
        #expect(text.allSatisfy { $0 == "x" })
        #expect(try Self.identity == before)
      }
    }

    @Test func `No descriptor is left open`() throws {
      try OwnDescriptors.use {
        _ = StandardStream.capturingErrors {}
        let before = try Self.lowestFree()
        for _ in 0..<20 { _ = StandardStream.capturingErrors {} }
        #expect(try Self.lowestFree() == before)
      }
    }

    /// The file to which standard error is written.
    private static var identity: FileStatus.Identity {
      get throws { try FileStatus(of: "/proc/thread-self/fd/2").identity }
    }

    private static func lowestFree() throws -> Int32 {
      let descriptor = try FileDescriptor.standardError.duplicate()
      try descriptor.close()
      return descriptor.rawValue
    }
  }
#endif
