// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import DecodingProtocol
import FFmpegDecoding
import SystemPackage

/// Decodes a file into blocks, as requested.
struct DecodingService {
  /// The number of samples in a full block.
  private static let blockSampleCount = 1 << 14

  /// The socket for requests.
  let control: FileDescriptor
  /// The pipe for blocks.
  let pipe: FileDescriptor
  /// The file.
  let file: FileDescriptor
  /// Whether this program may make only the system calls that decoding needs.
  let isConfined: Bool

  /// Decodes until the socket or the pipe is closed. The first block is of `generation`.
  ///
  /// - Throws: `Errno` when one of them is closed.
  func run(generation: UInt32) throws {
    let decoder: any SoundFileDecoder
    let progress = ProgressReporter(pipe, generation: generation)
    do throws(DecodingRefusal) {
      decoder = try SoundFile.open(file) { progress.report() }
    } catch {
      return try write(.refusal, generation, frame: 0, error.bytes)
    }
    var description = decoder.description
    description.isConfined = isConfined
    try write(.description, generation, frame: 0, description.bytes)

    let samples = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: max(Self.blockSampleCount, Int(description.channels)))
    defer { unsafe samples.deallocate() }
    var (generation, hasEnded, isFirst) = (generation, false, true)
    while true {
      progress.begin(generation: generation)
      if let request = try nextRequest(waiting: hasEnded) {
        guard case .seek(let frame, let number) = request else { return }
        (generation, hasEnded, isFirst) = (number, false, true)
        progress.begin(generation: generation)
        do throws(DecodingRefusal) {
          try decoder.seek(toFrame: frame)
        } catch {
          try write(.end, generation, frame: decoder.position, error.bytes)
          hasEnded = true
          continue
        }
      }
      guard !hasEnded else { return }
      let start = decoder.position
      // The first samples are sent as soon as there are any.
      let count = unsafe fill(samples, from: decoder, once: isFirst)
      isFirst = false
      if count > 0 {
        let content = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: samples[..<count]))
        try unsafe write(.samples, generation, frame: start, content)
      } else {
        try write(.end, generation, frame: decoder.position, decoder.failure?.bytes ?? [])
        hasEnded = true
      }
    }
  }

  /// Fills `samples` with the next frames, or with the next few of them if `once` is set; returns the number of
  /// samples.
  private func fill(_ samples: UnsafeMutableBufferPointer<Float>, from decoder: any SoundFileDecoder, once: Bool) -> Int
  {
    let channels = Int(decoder.description.channels)
    var filled = 0
    while samples.count - filled >= channels {
      let rest = unsafe UnsafeMutableBufferPointer(rebasing: samples[filled...])
      let count = unsafe decoder.read(into: rest) * channels
      filled += count
      if count == 0 || once { break }
    }
    return filled
  }

  /// Returns the last of the requests that have arrived; `nil` if there is none.
  ///
  /// - Parameter waiting: Whether to wait for a request.
  /// - Throws: `Errno.brokenPipe` if the socket was closed, or contains something else.
  private func nextRequest(waiting: Bool) throws -> DecodingRequest? {
    var last: DecodingRequest?
    while ProcessCanRead(control.rawValue, waiting && last == nil ? -1 : 0) != 0 {
      var bytes = [UInt8](repeating: 0, count: DecodingRequest.byteCount)
      let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe control.read(into: $0) }
      guard count == bytes.count, let request = DecodingRequest(bytes: bytes) else { throw Errno.brokenPipe }
      last = request
    }
    return last
  }

  private func write(_ kind: DecodingBlock.Kind, _ generation: UInt32, frame: Int64, _ content: [UInt8]) throws {
    try unsafe content.withUnsafeBytes { try unsafe write(kind, generation, frame: frame, $0) }
  }

  private func write(
    _ kind: DecodingBlock.Kind, _ generation: UInt32, frame: Int64, _ content: UnsafeRawBufferPointer
  ) throws {
    let header = DecodingBlock(kind, generation: generation, frame: frame, byteCount: content.count)
    try pipe.writeAll(header.bytes)
    _ = try unsafe pipe.writeAll(content)
  }
}

/// Reports, once a second, that a long file is being read.
private final class ProgressReporter {
  private let pipe: FileDescriptor
  private var generation: UInt32
  private var last = ContinuousClock.now

  /// Creates a reporter that writes into `pipe`.
  init(_ pipe: FileDescriptor, generation: UInt32) {
    self.pipe = pipe
    self.generation = generation
  }

  /// Begins the work on an answer of this generation.
  func begin(generation: UInt32) {
    self.generation = generation
    last = .now
  }

  /// Reports progress if a second has passed since the last time, or since the work has begun.
  func report() {
    guard ContinuousClock.now - last >= .seconds(1) else { return }
    last = .now
    // If the pipe is closed, this ends the program.
    _ = try? pipe.writeAll(DecodingBlock(.progress, generation: generation, frame: 0, byteCount: 0).bytes)
  }
}
