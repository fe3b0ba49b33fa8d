// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import Platform
import SystemPackage

/// The reason why a decoding program is not used any more.
enum HelperFailure: Error {
  /// It cannot be started.
  case notStarted(Errno)
  case ended
  /// It has not answered in time.
  case silent
  /// It has sent something that is not an answer.
  case invalid
  /// It has reported that it cannot continue.
  case refused(DecodingRefusal)

  /// Whether the connection to a server was lost.
  var isOfNetwork: Bool {
    if case .refused(let refusal) = self { [.unreadable, .unreachable].contains(refusal.kind) } else { false }
  }

  /// The reason in English, as the end of a sentence.
  var reason: String {
    switch self {
    case .notStarted(let error): "segue-decode cannot be started (\(error))"
    case .ended: "the decoder crashed"
    case .silent: "the decoder does not respond"
    case .invalid: "the decoder sent invalid data"
    case .refused(let refusal): refusal.reason
    }
  }
}

extension DecodingBlock {
  /// Whether the block contains at least one frame of this many samples, and nothing but whole frames.
  func hasWholeFrames(_ channels: Int) -> Bool {
    byteCount > 0 && byteCount % (channels * MemoryLayout<Float>.size) == 0
  }
}

/// A decoding program that works on one file, and the blocks that come from it. Only one thread may use it.
///
/// Nothing that the program sends is trusted.
final class HelperConnection {
  /// The capacity of the pipe, in bytes: 1.5 s of 44.1 kHz stereo, two blocks.
  private static let pipeByteCount = 1 << 19

  /// The maximum number of blocks of progress before an answer: so many seconds.
  private static let progressLimit = 300

  /// What a program works on.
  enum Source {
    case file(FileDescriptor)
    /// The first picture in a file.
    case picture(FileDescriptor)
    /// What the server of this address sends. If nothing is read for `pauseLimit` milliseconds, the program ends. It
    /// refuses if it cannot give up its rights, unless `allowsUnconfined`.
    case address(StreamAddress, pauseLimit: Int32, allowsUnconfined: Bool)
  }

  /// What a program answers first.
  enum Answer {
    /// The description of the audio that it decodes.
    case description(SoundDescription)
    /// The reason why it decodes nothing.
    case refusal(DecodingRefusal)
    /// The streams to which an address leads.
    case list([ListedStream])
  }

  private let process: HelperProcess
  private let pipe: FileDescriptor
  private let timeout: Int
  private var generation: UInt32 = 1
  /// The number of bytes of the last block that have not been read.
  private var rest = 0
  /// Whether the last block answers the last request.
  private var isCurrent = false
  /// The maximum number of bytes that can be under way when a request is sent: what fits into the pipe, and a block.
  private static let staleByteLimit = pipeByteCount + 2 * DecodingBlock.contentLimit

  /// Passes `source` to `process`. Waits for at most `timeout` milliseconds for every answer.
  init(_ process: HelperProcess, _ source: Source, timeout: Int) throws(HelperFailure) {
    self.process = process
    self.timeout = timeout
    do throws(Errno) {
      let pipe = try HelperPipe(byteCount: Self.pipeByteCount)
      self.pipe = pipe.reader
      defer { try? pipe.writer.close() }
      switch source {
      case .file(let file): try process.send(DecodingRequest.open(generation: generation).bytes, [file, pipe.writer])
      case .picture(let file):
        try process.send(DecodingRequest.openPicture(generation: generation).bytes, [file, pipe.writer])
      case .address(let address, let pauseLimit, let allowsUnconfined):
        let text = try HelperPipe.reader(of: Array(address.withSecrets.utf8))
        defer { try? text.close() }
        let request = DecodingRequest.openAddress(
          generation: generation, pauseLimit: pauseLimit, allowsUnconfined: allowsUnconfined)
        try process.send(request.bytes, [text, pipe.writer])
      }
    } catch {
      throw error == .brokenPipe ? .ended : .notStarted(error)
    }
  }

  deinit { try? pipe.close() }

  /// The tags that came before the first answer.
  private(set) var tags = SourceTags()
  /// The chapters that came before the first answer.
  private(set) var chapters = SourceMarks()

  /// Returns the first answer of the program.
  func readAnswer() throws(HelperFailure) -> Answer {
    var block = try nextBlock()
    var content = try readContent()
    if block.kind == .tags {
      tags = SourceTags(bytes: content)
      block = try nextBlock()
      content = try readContent()
    }
    if block.kind == .chapters {
      chapters = SourceMarks(bytes: content)
      block = try nextBlock()
      content = try readContent()
    }
    switch block.kind {
    case .description:
      guard let description = SoundDescription(bytes: content) else { throw .invalid }
      return .description(description)
    case .refusal:
      guard let refusal = DecodingRefusal(bytes: content) else { throw .invalid }
      return .refusal(refusal)
    case .list: return .list(ListedStream.entries(bytes: content))
    case .samples, .end, .progress, .names, .picture, .tags, .chapters: throw .invalid
    }
  }

  /// Returns the picture that the program sends, of at most `limit` bytes; `nil` if there is none.
  func readPicture(limit: Int) throws(HelperFailure) -> [UInt8]? {
    var picture: [UInt8] = []
    while true {
      let block = try nextBlock()
      guard block.kind == .picture, block.byteCount > 0 else {
        return block.kind == .end && !picture.isEmpty ? picture : nil
      }
      guard picture.count + block.byteCount <= limit else { return nil }
      picture += try readContent()
    }
  }

  /// Requests the blocks from `frame` on.
  func seek(toFrame frame: Int64) throws(HelperFailure) {
    generation &+= 1
    isCurrent = false
    do throws(Errno) {
      try process.send(DecodingRequest.seek(frame: frame, generation: generation).bytes)
    } catch {
      throw .ended
    }
  }

  /// Whether there are samples to read before the next block.
  var hasSamples: Bool { isCurrent && rest > 0 }

  /// Returns the next block that answers the last request. Its content must be read before the next call.
  func nextBlock() throws(HelperFailure) -> DecodingBlock {
    var (staleByteCount, progressCount) = (0, 0)
    while true {
      try skipRest()
      let bytes = try readBytes(DecodingBlock.headerByteCount)
      guard let block = DecodingBlock(bytes: bytes) else { throw .invalid }
      rest = block.byteCount
      isCurrent = block.generation == generation
      if isCurrent, block.kind == .progress, progressCount < Self.progressLimit {
        progressCount += 1
        continue
      }
      if isCurrent { return block }
      // It was under way when the last request was sent.
      staleByteCount += DecodingBlock.headerByteCount + block.byteCount
      guard staleByteCount <= Self.staleByteLimit else { throw .invalid }
    }
  }

  /// Returns the content of the current block, which is not one of samples.
  func readContent() throws(HelperFailure) -> [UInt8] {
    let count = rest
    rest = 0
    return try readBytes(count)
  }

  /// Fills `buffer`, or its beginning, with frames of the current block, whose samples are valid numbers then; returns
  /// the number of frames.
  func readFrames(
    into buffer: UnsafeMutableBufferPointer<Float>, channels: Int
  ) throws(HelperFailure) -> Int {
    let frameByteCount = channels * MemoryLayout<Float>.size
    let count = min(rest / frameByteCount, buffer.count / channels)
    let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * channels)])
    try unsafe fill(UnsafeMutableRawBufferPointer(samples))
    rest -= count * frameByteCount
    unsafe SampleGuard.clean(samples)
    return count
  }

  private func skipRest() throws(HelperFailure) {
    while rest > 0 {
      let count = min(rest, 1 << 16)
      _ = try readBytes(count)
      rest -= count
    }
  }

  private func readBytes(_ count: Int) throws(HelperFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(HelperFailure) in try unsafe fill(buffer) }
    }
    try result.get()
    return bytes
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(HelperFailure) {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: UInt64(timeout))
    var filled = 0
    while filled < buffer.count {
      let count: Int
      do throws(Errno) {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        count = try unsafe pipe.read(into: room, until: deadline)
      } catch {
        throw error == .timedOut ? .silent : .ended
      }
      guard count > 0 else { throw .ended }
      filled += count
    }
  }
}
