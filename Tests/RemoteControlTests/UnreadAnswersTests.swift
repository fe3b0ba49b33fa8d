import Platform
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// Clients that ask without reading.
  @Suite struct UnreadAnswersTests {
    private let rig: RemoteRig

    init() throws { rig = try RemoteRig() }

    @Test(arguments: ["status", "nonsense", "idle\nnoidle"])
    func `What a client sends without reading waits on its side, and is answered when it reads`(line: String)
      throws
    {
      let socket = try LocalSocket(connectingTo: rig.directory["run/socket"], patience: .milliseconds(500))
      let count = 1_000
      let piece = Array(String(repeating: "\(line)\n", count: count).utf8)
      var pieces = 0
      // One that is not taken may have been taken in part.
      while pieces < 4_000, (try? socket.write(piece)) != nil { pieces += 1 }
      #expect(pieces < 400, "\(pieces * piece.count) bytes were taken")
      var client = try rig.client()
      #expect(try client.ask("status").contains { $0.key == "state" })
      socket.waitWithoutLimit()
      let answers = Watched(0)
      _ = try WorkerThread(name: "reader") {
        // What has come of a line that is not whole yet.
        var rest: [UInt8] = []
        while let bytes = try? socket.read(), !bytes.isEmpty {
          var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          rest = Array(lines.removeLast())
          let count = lines.count { $0.starts(with: "OK".utf8) || $0.starts(with: "ACK".utf8) }
          answers.change { $0 += count }
        }
      }
      // The greeting is one of them.
      #expect(answers.wait { $0 >= pieces * count + 1 }, "\(answers.value) of \(pieces * count)")
    }
  }
}
