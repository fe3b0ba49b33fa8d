import Platform
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// Programs that listen at a socket, and are no players.
  @Suite struct ForeignListenerTests {
    @Test(arguments: ["", "-", "SSH-2.0-x", "HTTP/1.1 400 Bad Request"])
    func `Who listens and does not greet as a player is told from one`(greeting: String) throws {
      let directory = try TemporaryDirectory()
      let path = directory["socket"]
      let listener = try Listener(at: path, greeting: greeting)
      defer { listener.end() }
      // One that says nothing is waited for so long.
      let patience = greeting.isEmpty ? Duration.milliseconds(300) : .seconds(60)
      #expect(throws: RemoteServerError.foreign(path)) { try ControlSocket.prepare(path, patience: patience) }
      let failure: ControlClient.Failure =
        greeting.isEmpty ? .unreachable(.resourceTemporarilyUnavailable) : .foreign
      #expect(throws: failure) { _ = try ControlClient(path, patience: patience) }
    }
  }
}
