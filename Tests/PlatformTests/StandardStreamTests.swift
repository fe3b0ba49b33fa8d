import Platform
import SystemPackage
import TestSupport
import Testing

@Suite(.serialized) struct StandardStreamTests {
  @Test func `What is written to standard error meanwhile is kept from it, and given`() throws {
    let before = try identity
    let (result, text) = StandardStream.capturingErrors {
      try? StandardStream.error.write("ALSA lib: no card\n")
      return 7
    }
    #expect(result == 7)
    #expect(text == "ALSA lib: no card\n")
    #expect(try identity == before)
  }

  @Test func `Who writes more than can be kept does not wait, and finds standard error as it was`() throws {
    let before = try identity
    let (_, text) = StandardStream.capturingErrors {
      for _ in 0..<100 { try? StandardStream.error.write(String(repeating: "x", count: 4096)) }
    }
    #expect(text.utf8.count >= 4096)
    #expect(text.allSatisfy { $0 == "x" })
    #expect(try identity == before)
  }

  @Test func `No descriptor is left open`() throws {
    _ = StandardStream.capturingErrors {}
    let before = try lowestFree()
    for _ in 0..<20 { _ = StandardStream.capturingErrors {} }
    #expect(try lowestFree() <= before + 4)
  }

  /// The file that standard error goes to.
  private var identity: FileStatus.Identity {
    get throws { try FileStatus(of: "/dev/fd/2").identity }
  }

  private func lowestFree() throws -> Int32 {
    let descriptor = try FileDescriptor.standardError.duplicate()
    try descriptor.close()
    return descriptor.rawValue
  }
}
