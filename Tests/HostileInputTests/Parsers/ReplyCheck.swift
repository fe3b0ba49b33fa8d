// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Platform
import PlayerFlow
import Synchronization
import SystemPackage
import TestSupport

@testable import Commands
@testable import RemoteControl
@testable import Screens

/// A client with a server that sends the fuzzed bytes as its responses.
enum ReplyCheck {
  /// Returns the problem in a client's handling of these successive responses.
  static func problem(in bytes: [UInt8]) -> String? {
    guard case .success(let player) = player else { return "no socket can be made" }
    return player.turn.withLock { _ in
      player.replies.withLock { $0 = Array("\(ControlClient.greeting)0.24.0\n".utf8) + bytes }
      guard var client = try? ControlClient(player.path, timeout: .seconds(5)) else { return "nobody greets" }
      return problem(of: &client)
    }
  }

  private static func problem(of client: inout ControlClient) -> String? {
    do throws(ControlClientError) {
      let (status, scene) = try client.now(nextLimit: 5)
      if let scene, scene.position.map({ !(0..<scene.count).contains($0) }) ?? false { return "\(scene)" }
      if JSONLine.value(JSONLine.text(status)) as PlayerStatus? != status { return "\(status) is another as JSON" }
      if StatusListing.lines(status, columns: 40).contains(where: { $0.contains(where: \.isNewline) }) {
        return "a line of the status has an end within it"
      }
      let command = ForwardedCommand(words: [[0x61]], workingDirectory: "/", columns: nil)
      let outcome = try client.forward(command)
      if (outcome.output + outcome.errors).contains(where: { $0.utf8.contains(0x0A) }) { return "a line of two" }
      try client.watch { event in
        _ = (EventText.text(event), TrackLine.text(event))
        return true
      }
    } catch {
      switch error {
      case .unreachable(.connectionReset), .notAPlayer, .refused: return nil
      default: return "\(error)"
      }
    }
    return nil
  }

  /// A server at a socket that sends its responses once to each client.
  private final class Player: Sendable {
    let path: FilePath
    let turn = Mutex(())
    let replies = Mutex<[UInt8]>([])
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      path = directory["socket"]
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = path.systemBytes
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
        for (index, byte) in bytes.enumerated() where index < room.count - 1 { unsafe room[index] = byte }
      }
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard listener >= 0, result == 0, listen(listener, 8) == 0 else { throw Errno(rawValue: errno) }
      _ = try WorkerThread(name: "player") { self.serve(FileDescriptor(rawValue: listener)) }
    }

    private func serve(_ listener: FileDescriptor) {
      while true {
        let number = accept(listener.rawValue, nil, nil)
        guard number >= 0 else { continue }
        let connection = FileDescriptor(rawValue: number)
        let bytes = replies.withLock { $0 }
        _ = try? connection.writeAll(bytes)
        shutdown(number, Int32(SHUT_WR))
        // Reads requests until the client has closed, which would otherwise meet a broken connection.
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { room in
          while let count = try? unsafe connection.read(into: room), count > 0 {}
        }
        try? connection.close()
      }
    }
  }

  private static let player: Result<Player, any Error> = Result { try Player() }
}
