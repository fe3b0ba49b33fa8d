import Foundation
import Glibc
import Platform
import SystemPackage
import TestSupport

/// A program that listens at a socket of the file system, and is no player.
struct Listener {
  private let process: ChildProcess

  /// One that says `greeting` to each who comes, in a line, unless that is empty, or ends the connection where it is
  /// "-".
  init(at path: FilePath, greeting: String) throws {
    let script = """
      import socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      listener.listen(8)
      print("ready", flush=True)
      clients = []
      while True:
        client = listener.accept()[0]
        clients.append(client)
        if sys.argv[2] == "-": client.close()
        elif sys.argv[2]: client.sendall((sys.argv[2] + "\\r\\n").encode())
      """
    let ready = Pipe()
    process = try ChildProcess(
      "python3", ["-c", script, path.string, greeting], output: ready.fileHandleForWriting)
    try ready.fileHandleForWriting.close()
    _ = ready.fileHandleForReading.readData(ofLength: 6)
  }

  /// Ends it.
  func end() { process.end() }
}
