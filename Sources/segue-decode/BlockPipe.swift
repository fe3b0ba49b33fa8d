// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import DecodingProtocol
import SystemPackage

/// The pipe through which blocks go to the player. Only one thread may use it.
final class BlockPipe {
  private let pipe: FileDescriptor
  private var patience: Int32 = -1
  private var generation: UInt32
  private var lastProgress = ContinuousClock.now

  /// Creates a writer of blocks of `generation` into `pipe`. Create it before this program gives up its rights.
  ///
  /// - Parameter mayGiveUp: Whether ``setPatience(_:)`` will be called.
  init(_ pipe: FileDescriptor, generation: UInt32, mayGiveUp: Bool) {
    self.pipe = pipe
    self.generation = generation
    if mayGiveUp { _ = ProcessSetNonBlocking(pipe.rawValue) }
  }

  /// Limits how long to wait for room, in milliseconds; negative to wait without limit.
  func setPatience(_ milliseconds: Int32) { patience = milliseconds }

  /// Begins the work on an answer of this generation.
  func begin(generation: UInt32) {
    self.generation = generation
    lastProgress = .now
  }

  /// Reports progress if a second has passed since the last time, or since the work has begun.
  func reportProgress() {
    guard ContinuousClock.now - lastProgress >= .seconds(1) else { return }
    lastProgress = .now
    // If the pipe is closed, the next block finds out.
    try? write(.progress, frame: 0)
  }

  /// Writes a block.
  ///
  /// - Throws: `Errno`: `brokenPipe` if the player has closed the pipe, `timedOut` if it has read nothing for too long.
  func write(_ kind: DecodingBlock.Kind, frame: Int64, _ content: [UInt8] = []) throws(Errno) {
    let result = unsafe content.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try unsafe write(kind, frame: frame, bytes) }
    }
    try result.get()
  }

  /// Writes a block of samples.
  ///
  /// - Throws: `Errno`, like ``write(_:frame:_:)``.
  func write(_ samples: UnsafeBufferPointer<Float>, frame: Int64) throws(Errno) {
    try unsafe write(.samples, frame: frame, UnsafeRawBufferPointer(samples))
  }

  private func write(_ kind: DecodingBlock.Kind, frame: Int64, _ content: UnsafeRawBufferPointer) throws(Errno) {
    let header = DecodingBlock(kind, generation: generation, frame: frame, byteCount: content.count).bytes
    let code = unsafe ProcessWriteAll(
      pipe.rawValue, header, header.count, content.baseAddress, content.count, patience)
    if code != 0 { throw Errno(rawValue: code) }
  }
}
