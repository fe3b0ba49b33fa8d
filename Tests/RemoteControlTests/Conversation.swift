import Platform
import SystemPackage
import TestSupport

@testable import RemoteControl

/// A client that is asked in lines, and told in lines.
struct Conversation {
  private var client: ControlClient
  /// The server lives as long as whoever speaks to it.
  private let rig: RemoteRig?
  private var directory: TemporaryDirectory?

  init(_ rig: RemoteRig) throws {
    client = try rig.client()
    self.rig = rig
  }

  init(_ library: RemoteLibraryRig) throws {
    try self.init(library.rig)
    directory = library.directory
  }

  init(_ client: ControlClient) {
    self.client = client
    rig = nil
  }

  /// The lines of the answer to `line`, or "ACK" with the code and the message.
  mutating func say(_ line: String) throws -> [String] {
    let words = try ProtocolWords(Array(line.utf8))
    do throws(ControlClient.Failure) {
      return try client.ask(words.command, words.arguments).map { "\($0.key): \($0.value)" }
    } catch {
      guard case .refused(let error) = error else { throw error }
      return ["ACK \(error.code.rawValue) \(error.message)"]
    }
  }

  /// The values of `key` in the answer to `line`.
  mutating func values(_ key: String, _ line: String) throws -> [String] {
    try say(line).filter { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.count + 2)) }
  }

  /// The files of the queue by position, by their names without suffix.
  mutating func queue() throws -> [String] {
    try values("file", "playlistinfo").map { FilePath($0).stem ?? "" }
  }
}
