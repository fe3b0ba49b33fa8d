import Platform
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// Clients that do not wait without limit.
  @Suite struct ClientPatienceTests {
    @Test func `A player that does not answer is not waited for long`() throws {
      let rig = try RemoteRig()
      var client = try ControlClient(rig.directory["run/socket"], patience: .seconds(2))
      // Nothing happens, and nothing is told.
      _ = try? client.now()
      #expect(throws: ControlClient.Failure.unreachable(.resourceTemporarilyUnavailable)) {
        try client.ask("idle")
      }
    }
  }
}
