// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import DecodingProtocol
import FFmpegDecoding
import SystemPackage

/// Decodes a file, or what a server sends, into blocks, as requested.
struct DecodingService {
  /// The number of samples in a full block. Every block wakes the player.
  private static let blockSampleCount = 1 << 16
  /// How long to work on a block that is not full, so that a seek need not wait long.
  private static let blockDuration = Duration.milliseconds(5)
  /// How much of a stream is sent as its first block, in seconds: what the player can play while the next samples are
  /// late. Most servers send more than that at once.
  private static let streamLead = 1

  enum Source {
    case file(FileDescriptor)
    /// What the server of this address sends. If the player reads nothing for `pauseLimit` milliseconds, the connection
    /// is given up.
    case address(String, pauseLimit: Int32)
  }

  /// The socket for requests.
  let control: FileDescriptor
  private let source: Source
  private let pipe: BlockPipe
  /// Whether this program has given up all rights but those that decoding needs.
  private let isConfined: Bool

  /// Creates a service that answers through `pipe`.
  init(_ source: Source, control: FileDescriptor, pipe: BlockPipe, isConfined: Bool) {
    self.source = source
    self.control = control
    self.pipe = pipe
    self.isConfined = isConfined
  }

  /// Decodes until the socket or the pipe is closed.
  ///
  /// - Throws: `Errno` when one of them is closed, or when the player has not read a stream for too long.
  func run() throws {
    let decoder: any SoundFileDecoder
    do throws(StreamFailure) {
      decoder = try open()
    } catch {
      switch error {
      case .refused(let refusal): return try pipe.write(.refusal, frame: 0, refusal.bytes)
      case .list(let entries): return try pipe.write(.list, frame: 0, ListedStream.bytes(of: entries))
      }
    }
    var description = decoder.description
    description.isConfined = isConfined
    // After a pause, a file that is not seekable would begin again.
    let tags = decoder.tags.bytes
    if !tags.isEmpty { try pipe.write(.tags, frame: 0, tags) }
    let chapters = decoder.chapters.bytes
    if !chapters.isEmpty { try pipe.write(.chapters, frame: 0, chapters) }
    if description.isEndless || description.isSeekable { pipe.setWriteTimeout(pauseLimit) }
    try pipe.write(.description, frame: 0, description.bytes)
    if let picture = decoder.picture { try pipe.write(.picture, frame: 0, picture) }

    let lead = isStream ? Self.streamLead * Int(description.sampleRate) * Int(description.channels) : 0
    let samples = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: min(max(Self.blockSampleCount, Int(description.channels), lead), DecodingBlock.contentLimit / 4))
    defer { unsafe samples.deallocate() }
    var (names, hasEnded, isFirst) = (decoder.names, false, true)
    if let names { try pipe.write(.names, frame: 0, names.bytes) }
    while true {
      if let request = try nextRequest(waiting: hasEnded) {
        guard case .seek(let frame, let generation) = request else { return }
        (hasEnded, isFirst) = (false, true)
        pipe.begin(generation: generation)
        names = nil
        do throws(DecodingRefusal) {
          try decoder.seek(toFrame: frame)
        } catch {
          try pipe.write(.end, frame: decoder.position, error.bytes)
          hasEnded = true
          continue
        }
      }
      guard !hasEnded else { return }
      let start = decoder.position
      let block = max(Self.blockSampleCount, Int(description.channels))
      let room = isFirst && isStream ? samples.count : min(samples.count, block)
      // The first samples of a file are sent as soon as there are any.
      let limit: Duration? = isFirst ? (isStream ? nil : .zero) : Self.blockDuration
      let count = unsafe fill(.init(rebasing: samples[..<room]), from: decoder, within: limit)
      isFirst = false
      if decoder.names != names {
        names = decoder.names
        if let names { try pipe.write(.names, frame: start, names.bytes) }
      }
      if count == 0, decoder.continueInNextFormat() {
        var description = decoder.description
        description.isConfined = isConfined
        // After a pause, the rest of a file would not be found again.
        if !description.isEndless { pipe.setWriteTimeout(-1) }
        try pipe.write(.description, frame: decoder.position, description.bytes)
        // The player has another decoder for the rest, which knows no names yet.
        names = nil
      } else if count > 0 {
        try unsafe pipe.write(UnsafeBufferPointer(rebasing: samples[..<count]), frame: start)
      } else {
        try pipe.write(.end, frame: decoder.position, decoder.failure?.bytes ?? [])
        hasEnded = true
      }
    }
  }

  /// Sends the first picture in a file, of at most `SourceTags.pictureLimit` bytes.
  ///
  /// - Throws: `Errno` when the pipe is closed.
  static func sendPicture(in file: FileDescriptor, through pipe: BlockPipe) throws(Errno) {
    let picture: [UInt8]?
    do throws(DecodingRefusal) {
      picture = try SoundFile.picture(in: file, limit: SourceTags.pictureLimit)
    } catch {
      return try pipe.write(.refusal, frame: 0, error.bytes)
    }
    for start in stride(from: 0, to: picture?.count ?? 0, by: DecodingBlock.contentLimit) {
      try pipe.write(.picture, frame: 0, Array(picture?[start...].prefix(DecodingBlock.contentLimit) ?? []))
    }
    try pipe.write(.end, frame: 0)
  }

  /// How long the player may read nothing, in milliseconds; negative for any time.
  private var pauseLimit: Int32 { if case .address(_, let limit) = source { limit } else { -1 } }

  private var isStream: Bool { if case .address = source { true } else { false } }

  private func open() throws(StreamFailure) -> any SoundFileDecoder {
    let (pipe, control) = (pipe, control)
    switch source {
    case .file(let file):
      do throws(DecodingRefusal) {
        return try SoundFile.open(file) { pipe.reportProgress() }
      } catch {
        throw .refused(error)
      }
    case .address(let address, _):
      let wait = NetworkWait {
        pipe.reportProgress()
        return ProcessIsClosed(control.rawValue) != 0
      }
      return try SoundFile.open(address: address, wait: wait)
    }
  }

  /// Fills `samples` with the next frames, or with those that it can get until `limit` has passed, but at least some;
  /// returns the number of samples.
  private func fill(
    _ samples: UnsafeMutableBufferPointer<Float>, from decoder: any SoundFileDecoder, within limit: Duration?
  ) -> Int {
    let channels = Int(decoder.description.channels)
    let end = limit.map { ContinuousClock.now + $0 }
    var filled = 0
    while samples.count - filled >= channels {
      let rest = unsafe UnsafeMutableBufferPointer(rebasing: samples[filled...])
      let count = unsafe decoder.read(into: rest) * channels
      filled += count
      if count == 0 { break }
      if let end, ContinuousClock.now >= end { break }
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
}

/// The pipe through which blocks go to the player. Only one thread may use it.
final class BlockPipe {
  private let pipe: FileDescriptor
  private var writeTimeout: Int32 = -1
  private var generation: UInt32
  private var lastProgress = ContinuousClock.now

  /// Creates a writer of blocks of `generation` into `pipe`. Create it before this program gives up its rights.
  ///
  /// - Parameter mayGiveUp: Whether ``setWriteTimeout(_:)`` will be called.
  init(_ pipe: FileDescriptor, generation: UInt32, mayGiveUp: Bool) {
    self.pipe = pipe
    self.generation = generation
    if mayGiveUp { _ = ProcessSetNonBlocking(pipe.rawValue) }
  }

  /// Limits how long to wait for room, in milliseconds; negative to wait without limit.
  func setWriteTimeout(_ milliseconds: Int32) { writeTimeout = milliseconds }

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
      pipe.rawValue, header, header.count, content.baseAddress, content.count, writeTimeout)
    if code != 0 { throw Errno(rawValue: code) }
  }
}
