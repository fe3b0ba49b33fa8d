#if os(Linux)
  import Platform
  import SystemPackage
  import TestSupport
  import Testing

  /// On threads with descriptors of their own: what others write to standard error meanwhile is not among what is kept.
  @Suite(.enabled(if: OwnDescriptors.areGranted)) struct StandardStreamTests {
    @Test func `What is written to standard error meanwhile is kept from it, and given`() throws {
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

    @Test func `Who writes more than can be kept does not wait, and finds standard error as it was`() throws {
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

    /// The file that standard error goes to.
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
