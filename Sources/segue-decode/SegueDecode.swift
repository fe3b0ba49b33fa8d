// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import DecodingProtocol
import FFmpegDecoding
import SystemPackage

/// The decoding program. `segue` starts it for a file that libsndfile cannot decode, and passes it the open file, or
/// for a stream, and passes it the address. It gives up its rights before it reads the first byte, so that a flaw in a
/// decoder cannot harm the user.
///
/// Its standard input is a socket for requests; see `DecodingProtocol`. It ends when the socket or the pipe is closed.
@main
enum SegueDecode {
  /// The maximum amount of memory that it allocates for a file and for a stream, in bytes.
  private static let memoryLimits: (file: UInt, stream: UInt) = (512 << 20, 160 << 20)

  static func main() {
    ProcessEndAtOnceOnCrash()
    let control = FileDescriptor.standardInput
    ProcessCloseFrom(3)
    ProcessEndWithPeer(control.rawValue)
    guard let (request, descriptors) = receive(control), descriptors.count == 2 else { return }
    let (source, generation, purpose): (DecodingService.Source, UInt32, ProcessPurpose)
    var isPicture = false
    let mustBeConfined: Bool
    switch request {
    case .open(let number):
      (source, generation, purpose) = (.file(descriptors[0]), number, ProcessDecodesFile)
      mustBeConfined = false
    case .openAddress(let number, let pauseLimit, let allowsUnconfined):
      guard let address = address(in: descriptors[0]) else { return }
      source = .address(address, pauseLimit: pauseLimit)
      (generation, purpose) = (number, ProcessDecodesStream)
      mustBeConfined = !allowsUnconfined
    case .openPicture(let number):
      (source, generation, purpose) = (.file(descriptors[0]), number, ProcessDecodesFile)
      (mustBeConfined, isPicture) = (false, true)
    case .seek: return
    }
    let pipe = BlockPipe(
      descriptors[1], generation: generation, mayGiveUp: purpose == ProcessDecodesStream)
    let limit = purpose == ProcessDecodesStream ? memoryLimits.stream : memoryLimits.file
    let isConfined = ProcessGiveUpRights(limit, purpose) == ProcessRestricted
    guard isConfined || !mustBeConfined else {
      try? pipe.write(.refusal, frame: 0, DecodingRefusal.unconfined.bytes)
      return
    }
    if isPicture {
      try? DecodingService.sendPicture(in: descriptors[0], through: pipe)
      return
    }
    let service = DecodingService(source, control: control, pipe: pipe, isConfined: isConfined)
    // It ends when the player closes the socket or the pipe.
    try? service.run()
  }

  /// Reads an address from a pipe to its end; returns `nil` if it is too long, or not text.
  private static func address(in pipe: FileDescriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: DecodingRequest.addressLimit)
    var length = 0
    while length < bytes.count {
      let read = try? unsafe bytes.withUnsafeMutableBytes { try unsafe pipe.read(into: .init(rebasing: $0[length...])) }
      guard let read, read > 0 else { break }
      length += read
    }
    try? pipe.close()
    return String(validating: bytes.prefix(length), as: UTF8.self)
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
