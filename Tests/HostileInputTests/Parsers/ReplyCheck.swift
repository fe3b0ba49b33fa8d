// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import PlayerPort
import Synchronization
import SystemPackage
import TestSupport

@testable import Commands
@testable import RemoteControl
@testable import Screens

/// A client with a server that sends the fuzzed bytes as its responses.
enum ReplyCheck {
  /// Returns the problem in a client's handling of `bytes` as successive responses.
  static func problem(in bytes: [UInt8]) -> String? {
    guard case .success(let server) = server else { return "cannot create a socket" }
    return server.clientLock.withLock { _ in
      server.replies.withLock { $0 = Array("\(ControlClient.greeting)0.24.0\n".utf8) + bytes }
      if let problem = clientProblem(at: server.path) { return problem }
      server.replies.withLock { $0 = Array("\(ControlClient.greeting)0.24.0\nOK\n".utf8) + bytes }
      return portProblem(at: server.path)
    }
  }

  /// Returns the problem of a port that receives the bytes as messages.
  private static func portProblem(at path: FilePath) -> String? {
    let player: RemotePlayer
    do throws(ControlClientError) { player = try RemotePlayer(path) } catch {
      return error == .unreachable(.connectionReset) ? nil : "no port: \(error)"
    }
    let snapshot = player.snapshot
    if StatusListing.lines(snapshot.status, columns: 40).contains(where: { $0.contains(where: \.isNewline) }) {
      return "a line of the status contains a line break"
    }
    _ = snapshot.startedTracks.map { TrackLine.text($0) }
    _ = (snapshot.nowPlaying.track, snapshot.nowPlaying.next)
    for event in snapshot.events.events(after: 0).events { _ = EventText.text(event) }
    _ = try? player.queue(0..<10)
    return nil
  }

  private static func clientProblem(at path: FilePath) -> String? {
    guard var client = try? ControlClient(path, timeout: .seconds(5)) else { return "no greeting" }
    return problem(of: &client)
  }

  private static func problem(of client: inout ControlClient) -> String? {
    do throws(ControlClientError) {
      _ = try client.send("status")
    } catch {
      switch error {
      case .unreachable(.connectionReset), .notAPlayer, .refused: return nil
      default: return "\(error)"
      }
    }
    return nil
  }

  /// A server at a socket that sends its responses once to each client.
  private final class ReplyServer: Sendable {
    let path: FilePath
    /// Ensures that there is only one client at a time.
    let clientLock = Mutex(())
    let replies = Mutex<[UInt8]>([])
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      path = directory["socket"]
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = path.systemBytes
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
        for (index, byte) in bytes.enumerated() where index < buffer.count - 1 { unsafe buffer[index] = byte }
      }
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard listener >= 0, result == 0, listen(listener, 8) == 0 else { throw Errno(rawValue: errno) }
      _ = try WorkerThread(name: "server") { self.serve(FileDescriptor(rawValue: listener)) }
    }

    private func serve(_ listener: FileDescriptor) {
      while true {
        let number = accept(listener.rawValue, nil, nil)
        guard number >= 0 else { continue }
        let connection = FileDescriptor(rawValue: number)
        let bytes = replies.withLock { $0 }
        _ = try? connection.writeAll(bytes)
        shutdown(number, Int32(SHUT_WR))
        // Reads requests until the client closes the connection, which would otherwise be reset.
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
          while let count = try? unsafe connection.read(into: buffer), count > 0 {}
        }
        try? connection.close()
      }
    }
  }

  private static let server: Result<ReplyServer, any Error> = Result { try ReplyServer() }
}
