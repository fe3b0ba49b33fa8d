// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import DecodingProtocol
public import Platform
import Synchronization
public import SystemPackage

/// The settings for connections to servers.
public struct StreamingSettings: Sendable {
  /// How long to wait before each attempt to connect again after a loss, in milliseconds: a quarter of an hour in all.
  public var delays: [UInt64] = [0, 1_000, 2_000, 4_000, 8_000, 16_000] + Array(repeating: 30_000, count: 30)
  /// How long to wait before each attempt to connect again at the beginning if there is no network, or no such server,
  /// in milliseconds.
  public var startDelays: [UInt64] = [1_000, 2_000, 4_000, 8_000, 15_000]
  /// The length of a pause after which the connection is given up, in milliseconds.
  public var pauseLimit: Int32 = 30_000

  public init() {}
}

/// A program that works on a source, and its first answer.
typealias AnsweredSource = (connection: HelperConnection, answer: HelperConnection.Answer)

/// A program that decodes a source, and what it says of the audio.
struct OpenedSource {
  let connection: HelperConnection
  let description: SoundDescription
  let format: AudioFormat
}

/// Starts the decoding programs, `segue-decode`, one for each file. Can be used from any thread.
public final class DecodingHelpers: Sendable {
  /// How long to wait for an answer before a program counts as hung, in milliseconds. A disk may have to spin up.
  public static let defaultTimeout = 15_000

  /// The path of the program; `nil` if it is not known.
  public let program: FilePath?
  private let timeout: Int
  let streaming: StreamingSettings
  /// Called once if a program cannot give up its rights.
  private let didRunUnconfined: @Sendable () -> Void
  /// Called with the picture in what a server sends, on the thread that reads.
  let onPicture: @Sendable (StreamAddress, [UInt8]) -> Void
  /// Called with the reason while a server is to be connected to again, and with `nil` when it is connected or given
  /// up, on the thread that reads.
  let onRetry: @Sendable (StreamAddress, String?) -> Void
  private let isUnconfinedReported = Atomic(false)
  private let isUnconfinedAllowed = Atomic(false)
  /// A program that was started ahead of need, since loading FFmpeg's libraries takes a while.
  private let spare = Mutex<HelperProcess?>(nil)

  /// Creates a source of decoders that use the program at `program`.
  ///
  /// - Parameters:
  ///   - program: The path of the program, where it may be installed later; `nil` if it is not known.
  ///   - timeout: How long to wait for an answer, in milliseconds.
  ///   - streaming: The settings for connections to servers.
  ///   - onPicture: Called with the picture in what a server sends, on the thread that reads; it must not block.
  ///   - onRetry: Called with the reason while a server is to be connected to again, and with `nil` when it is
  ///     connected or given up, on the thread that reads; it must not block.
  ///   - didRunUnconfined: Called once if a program cannot give up its rights, on any thread.
  public init(
    program: FilePath?, timeout: Int = DecodingHelpers.defaultTimeout,
    streaming: StreamingSettings = StreamingSettings(),
    onPicture: @escaping @Sendable (StreamAddress, [UInt8]) -> Void = { _, _ in },
    onRetry: @escaping @Sendable (StreamAddress, String?) -> Void = { _, _ in },
    didRunUnconfined: @escaping @Sendable () -> Void = {}
  ) {
    self.program = program
    self.timeout = timeout
    self.streaming = streaming
    self.onPicture = onPicture
    self.onRetry = onRetry
    self.didRunUnconfined = didRunUnconfined
  }

  /// Sets whether programs may decode streams if they cannot give up their rights. They may not unless this is called.
  public func allowUnconfinedStreams(_ isAllowed: Bool) { isUnconfinedAllowed.store(isAllowed, ordering: .relaxed) }

  /// Whether programs may decode streams if they cannot give up their rights.
  var allowsUnconfinedStreams: Bool { isUnconfinedAllowed.load(ordering: .relaxed) }

  /// Whether the program is installed now.
  public var isInstalled: Bool { program.map { FileStatus.isFile(at: $0) == true } ?? false }

  /// Opens the file at `path`, which another decoder has rejected with `error`. Blocks as long as the file system does,
  /// and while the program starts.
  ///
  /// - Throws: `DecodingError` if the file is not a regular one, cannot be read, or cannot be decoded; or if the
  ///   program is not installed.
  public func open(_ path: FilePath, insteadOf error: DecodingError) throws(DecodingError) -> any AudioDecoder {
    guard isInstalled else {
      throw DecodingError(path: path, kind: .unsupported, reason: "\(error.reason); install segue-decode to play it")
    }
    return try HelperDecoder(path, helpers: self)
  }

  /// Returns the first picture in the file at `path`, of at most `limit` bytes; `nil` if there is none, the file cannot
  /// be read, or the program is not installed. Blocks as long as the file system does, and while the program starts.
  public func picture(in path: FilePath, limit: Int) -> [UInt8]? {
    isInstalled ? HelperDecoder.picture(in: path, limit: min(limit, SourceTags.pictureLimit), helpers: self) : nil
  }

  /// Opens the stream of `address`. Blocks until the server has answered.
  ///
  /// - Throws: `DecodingError` if the server cannot be reached or sends no audio, or if the program is not installed.
  public func open(_ address: StreamAddress) throws(DecodingError) -> any AudioDecoder {
    guard isInstalled else {
      throw DecodingError(path: address.path, kind: .unsupported, reason: "install segue-decode to play streams")
    }
    return try HelperStream(address, helpers: self)
  }

  /// Passes `source`, which is at `path`, to a program, and waits for its answer. If the program fails, another one is
  /// started.
  func ask(_ source: HelperConnection.Source, _ path: FilePath) throws(DecodingError) -> AnsweredSource {
    do throws(HelperFailure) {
      if let answered = try? ask(source, usingSpare: true) { return answered }
      return try ask(source, usingSpare: false)
    } catch {
      throw DecodingError(path: path, kind: .malformed, reason: "cannot be decoded: \(error.reason)")
    }
  }

  private func ask(_ source: HelperConnection.Source, usingSpare: Bool) throws(HelperFailure) -> AnsweredSource {
    let connection = try connect(source, usingSpare: usingSpare)
    let answer = try connection.readAnswer()
    // Only an address leads to a list.
    if case (.list, .file) = (answer, source) { throw .invalid }
    return (connection, answer)
  }

  /// Returns the source at `path` as the program has described it, unless that has refused it.
  func open(_ answered: AnsweredSource, _ path: FilePath) throws(DecodingError) -> OpenedSource {
    let description: SoundDescription
    switch answered.answer {
    case .description(let found): description = found
    case .refusal(let refusal): throw DecodingError(refusal, path)
    case .list(let entries): throw DecodingError(list: entries, path)
    }
    if !description.isConfined, !isUnconfinedReported.exchange(true, ordering: .relaxed) { didRunUnconfined() }
    guard let format = AudioFormat(description) else { throw DecodingError(unsupported: description, path) }
    return OpenedSource(connection: answered.connection, description: description, format: format)
  }

  func connect(
    _ source: HelperConnection.Source, usingSpare: Bool = true
  ) throws(HelperFailure) -> HelperConnection {
    let waiting = spare.withLock { spare in
      defer { if usingSpare { spare = nil } }
      return usingSpare ? spare : nil
    }
    let process = if let waiting { waiting } else { try start() }
    // Finding a server may take longer than reading a disk, and its program cannot say so.
    let limit = if case .address = source { 4 * timeout } else { timeout }
    return try HelperConnection(process, source, timeout: limit)
  }

  /// Starts a program ahead of need, unless one is waiting.
  func prepareSpare() {
    spare.withLock { spare in
      if spare == nil { spare = try? start() }
    }
  }

  private func start() throws(HelperFailure) -> HelperProcess {
    do throws(Errno) {
      guard let program else { throw .noSuchFileOrDirectory }
      return try HelperProcess(program)
    } catch {
      throw .notStarted(error)
    }
  }
}
