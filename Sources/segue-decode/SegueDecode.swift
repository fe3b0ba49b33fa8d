// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import DecodingProtocol
import FFmpegDecoding
import SystemPackage

/// The decoding program. `segue` starts it for files that libsndfile cannot decode, and passes it the open file: it
/// gives up its rights before it reads the first byte, so that a flaw in a decoder cannot harm the user.
///
/// Its standard input is a socket for requests; see `DecodingProtocol`. It ends when the socket or the pipe is closed.
@main
enum SegueDecode {
  /// The maximum amount of memory that it allocates, in bytes.
  private static let memoryLimit: UInt = 512 << 20

  static func main() {
    let control = FileDescriptor.standardInput
    ProcessCloseFrom(3)
    ProcessEndWithPeer(control.rawValue)
    guard let (request, descriptors) = receive(control), case .open(let generation) = request, descriptors.count == 2
    else { return }
    let isConfined = ProcessGiveUpRights(memoryLimit) == ProcessRestricted
    let service = DecodingService(
      control: control, pipe: descriptors[1], file: descriptors[0], isConfined: isConfined)
    // It ends when the player closes the socket or the pipe.
    try? service.run(generation: generation)
  }

  /// Waits for a request; returns it with the descriptors that came with it, `nil` if there is none.
  private static func receive(_ control: FileDescriptor) -> (DecodingRequest, [FileDescriptor])? {
    var bytes = [UInt8](repeating: 0, count: DecodingRequest.byteCount)
    var descriptors: [CInt] = [-1, -1]
    var count = 0
    let length = unsafe ProcessReceive(control.rawValue, &bytes, bytes.count, &descriptors, descriptors.count, &count)
    guard length == bytes.count, let request = DecodingRequest(bytes: bytes) else { return nil }
    return (request, descriptors.prefix(count).map { FileDescriptor(rawValue: $0) })
  }
}
