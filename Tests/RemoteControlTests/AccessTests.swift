// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct AccessTests {
  @Test(arguments: [
    ("localhost", "localhost", 6600), ("10.0.0.1:6601", "10.0.0.1", 6601), (":6602", "127.0.0.1", 6602),
    ("[::1]:6603", "::1", 6603), ("::", "::", 6600), ("[::1]", "::1", 6600),
    ("*:6604", "::", 6604), ("*", "::", 6600), ("6605", "127.0.0.1", 6605),
  ])
  func `An address has a host and a port, or the default ones`(text: String, host: String, port: Int) {
    #expect(ListenAddress(parsing: text) == ListenAddress(host: host, port: port))
  }

  @Test(arguments: [
    ("localhost", true), ("127.0.0.1", true), ("[::1]", true), (":6600", true), ("*", false), ("0.0.0.0", false),
    ("192.168.0.2:6600", false), ("music.example", false), ("127.evil.example", false), ("127.0.0.1.example", false),
    ("127.9.8.7", true), ("[::2]", false), ("[fe80::1]", false),
  ])
  func `Only addresses reachable from this machine alone are safe without passwords`(text: String, isLoopback: Bool) {
    #expect(ListenAddress(parsing: text)?.isLoopback == isLoopback)
  }

  @Test(arguments: ["host:", "host:x", "host:70000", "70000", "[::1", "[::1]x", "host:-1"])
  func `An invalid address is rejected`(text: String) { #expect(ListenAddress(parsing: text) == nil) }

  @Test func `Without passwords, network clients have all permissions except the owner's`() {
    #expect(NetworkAccess().permission == .network && !Permission.network.contains(.owner))
  }

  @Test func `Only clients with the permission for it can add addresses, and the owner`() throws {
    #expect(try NetworkAccess(parsing: "x@read,add,control,admin").permission(for: "x")?.contains(.addresses) == false)
    #expect(try NetworkAccess(parsing: "x@add,addresses").permission(for: "x") == [.add, .addresses])
    #expect(NetworkAccess.open.permission == [.read, .add, .control, .admin])
    #expect(Permission.everything.contains(.addresses))
  }

  @Test func `A password grants the permissions in its line, and a client without one has none`() throws {
    let access = try NetworkAccess(parsing: "# mine\nse@cret@read,add\r\nroot@admin , control\n")
    #expect(access.permission == [])
    #expect(access.permission(for: "se@cret") == [.read, .add])
    #expect(access.permission(for: "root") == [.admin, .control])
    #expect(access.permission(for: "") == nil && access.permission(for: "se@cre") == nil)
    #expect(access.permission(for: "se@cret ") == nil)
    #expect(try NetworkAccess(parsing: "x@admin\n@read").permission == .read)
  }

  @Test(arguments: ["", "no sign", "x@fly", "#\n"])
  func `An invalid password file is rejected`(text: String) {
    #expect(throws: RemoteServerError.self) { try NetworkAccess(parsing: text) }
  }
}

extension ProgramLane {
  /// Programs that listen at the player's socket but are not players.
  @Suite struct ForeignListenerTests {
    @Test(arguments: ["", "-", "?", "SSH-2.0-x", "HTTP/1.1 400 Bad Request"])
    func `A listener that does not greet like a player is recognised as foreign`(greeting: String) throws {
      let directory = try TemporaryDirectory()
      let path = directory["socket"]
      let listener = try Listener(at: path, greeting: greeting)
      defer { listener.end() }
      // The short timeout applies to a listener that sends nothing.
      let isSilent = ["", "?"].contains(greeting)
      let timeout = isSilent ? Duration.milliseconds(300) : .seconds(60)
      let expectedError: ControlClientError = isSilent ? .unreachable(.resourceTemporarilyUnavailable) : .notAPlayer
      #expect(throws: expectedError) { _ = try ControlClient(path, timeout: timeout) }
      if greeting.isEmpty {
        // Nobody answers.
        try ControlSocket.prepare(path, timeout: timeout)
        #expect((try? FileStatus(of: path)) == nil)
      } else {
        #expect(throws: RemoteServerError.notAPlayer(path)) { try ControlSocket.prepare(path, timeout: timeout) }
      }
    }

    @Test func `A socket whose listener has ended is replaced, although another program holds it open`() throws {
      let directory = try TemporaryDirectory()
      let path = directory["socket"]
      let listener = try Listener(at: path, greeting: "", outlives: true)
      defer { listener.end() }
      #expect(throws: ControlClientError.notListening) { _ = try ControlClient(path, timeout: .seconds(60)) }
      try ControlSocket.prepare(path, timeout: .seconds(60))
      #expect((try? FileStatus(of: path)) == nil)
    }
  }
}

extension ProgramLane {
  /// Clients with a timeout.
  @Suite struct ClientTimeoutTests {
    @Test func `A request to a player that does not answer times out`() throws {
      let rig = try RemoteRig()
      var client = try ControlClient(rig.directory["run/socket"], timeout: .seconds(2))
      // Nothing changes, so there is no notification.
      _ = try? client.send("status")
      #expect(throws: ControlClientError.unreachable(.resourceTemporarilyUnavailable)) {
        try client.send("idle")
      }
    }
  }
}

/// A program that listens at a Unix socket and is not a player.
struct Listener {
  private let process: ChildProcess

  /// Starts a listener that sends `greeting` as a line to every client. If `greeting` is empty, it sends nothing, and
  /// reads nothing; if `greeting` is "?", it waits for the client to begin; if it is "-", it closes the connection.
  ///
  /// - Parameter outlives: Whether a process listens that has ended, and the listener only holds the socket open.
  init(at path: FilePath, greeting: String, outlives: Bool = false) throws {
    let script = """
      import os, socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      if sys.argv[3] == "true":
        listening = os.fork()
        if listening == 0: listener.listen(8); os._exit(0)
        os.waitpid(listening, 0)
      else: listener.listen(8)
      print("ready", flush=True)
      clients = []
      while True:
        client = listener.accept()[0]
        clients.append(client)
        if sys.argv[2] == "-": client.close()
        elif sys.argv[2] == "?": client.recv(9)
        elif sys.argv[2]: client.sendall((sys.argv[2] + "\\r\\n").encode())
      """
    let ready = Pipe()
    process = try ChildProcess(
      "python3", ["-c", script, path.string, greeting, "\(outlives)"], output: ready.fileHandleForWriting)
    try ready.fileHandleForWriting.close()
    _ = ready.fileHandleForReading.readData(ofLength: 6)
  }

  /// Ends the program.
  func end() { process.end() }
}
