// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import DecodingProtocol
import Platform
import SystemPackage

/// A decoder of what a server sends: a station, or a file. Its work is done by another program.
///
/// If the connection is lost, it connects again, with growing pauses: to a station, which continues with what it sends
/// then, and to a file where it was, if the server sends parts of files. In a long pause the program gives up the
/// connection, too.
public final class HelperStream: AudioDecoder {
  /// The format of the decoded frames.
  public let format: AudioFormat
  /// The number of frames that the server states; `nil` if it states none.
  public let frameCount: Int64?
  /// The average bit rate, in bits per second; `nil` if it is unknown.
  public let bitRate: Int?
  public let library: DecodingLibrary? = .ffmpeg
  public let codec: CodecName?
  /// Whether the server sends any part that is asked for.
  public let isSeekable: Bool
  /// What the stream says of the last frames.
  public private(set) var text: SourceText?
  /// The reason why the stream ended; `nil` if it was played to its end.
  public private(set) var failure: DecodingError?

  /// After how much audio a loss of the connection counts as the first one, in seconds.
  private static let stableSeconds: Int64 = 10
  /// The maximum number of attempts to continue after a failure that is not one of the network.
  private static let crashLimit = 2
  /// How often to check whether to stop waiting, in milliseconds.
  private static let waitingStep: UInt64 = 100

  private let address: StreamAddress
  private let helpers: DecodingHelpers
  private let isEndless: Bool
  private var isInterrupted: () -> Bool = { false }
  /// The program; `nil` while there is none.
  private var connection: HelperConnection?
  /// The number of the next frame.
  private var position: Int64
  private let firstFrame: Int64
  /// The frame with which the present connection began.
  private var connectedPosition: Int64
  /// The number of attempts to connect again since the connection was stable.
  private var attemptCount = 0
  private var isAtEnd = false
  private var textDecoder = SourceTextDecoder()
  /// The rest of the stream, which is in another format.
  private var rest: HelperStream?

  /// Connects to the server of `address` with a program of `helpers`; blocks until it has answered. Without a network,
  /// tries again for half a minute.
  ///
  /// - Throws: `DecodingError` if the server cannot be reached, or if it sends no audio.
  convenience init(_ address: StreamAddress, helpers: DecodingHelpers) throws(DecodingError) {
    self.init(try Self.connectPatiently(address, helpers), address, helpers, at: 0)
    helpers.prepareSpare()
  }

  private init(_ opened: OpenedSource, _ address: StreamAddress, _ helpers: DecodingHelpers, at position: Int64) {
    self.address = address
    self.helpers = helpers
    let description = opened.description
    format = opened.format
    frameCount = description.frameCount
    bitRate = description.bitRate.map { Int(clamping: $0) }
    codec = CodecName(description.codec)
    isSeekable = description.isSeekable
    isEndless = description.isEndless
    connection = opened.connection
    self.position = position
    firstFrame = position
    connectedPosition = position
  }

  private static func connectPatiently(
    _ address: StreamAddress, _ helpers: DecodingHelpers
  ) throws(DecodingError) -> OpenedSource {
    var delays = helpers.streaming.startDelays[...]
    defer { if delays.count < helpers.streaming.startDelays.count { helpers.onRetry(address, nil) } }
    while true {
      let answer = try ask(address, helpers)
      guard case .refusal(let refusal) = answer.answer, refusal.kind == .unreachable, let delay = delays.popFirst()
      else { return try helpers.open(answer, address.path) }
      helpers.onRetry(address, refusal.reason)
      MonotonicInstant.now.advanced(byMilliseconds: delay).sleep()
    }
  }

  private static func ask(
    _ address: StreamAddress, _ helpers: DecodingHelpers
  ) throws(DecodingError) -> AnsweredSource {
    let source = HelperConnection.Source.address(
      address, pauseLimit: helpers.streaming.pauseLimit, allowsUnconfined: helpers.allowsUnconfinedStreams)
    return try helpers.ask(source, address.path)
  }

  /// Ends a wait of ``read(into:)`` for a server soon after `isInterrupted` returns `true`; it then returns 0.
  public func setInterruption(_ isInterrupted: @escaping () -> Bool) { self.isInterrupted = isInterrupted }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end. While the connection is
  /// lost, blocks for up to a quarter of an hour.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while !isAtEnd {
      do throws(HelperFailure) {
        let count = try unsafe readFrames(into: buffer)
        position += Int64(count)
        return count
      } catch {
        guard reconnect(after: error) else { return 0 }
      }
    }
    return 0
  }

  /// Returns the number of frames that were read into `buffer`; at the end, 0, and sets ``isAtEnd``.
  private func readFrames(into buffer: UnsafeMutableBufferPointer<Float>) throws(HelperFailure) -> Int {
    guard let connection else { throw .ended }
    while !connection.hasSamples {
      let block = try connection.nextBlock()
      switch block.kind {
      case .samples:
        guard block.hasWholeFrames(format.channels) else { throw .invalid }
      case .names: text = textDecoder.text(of: SourceNames(bytes: try connection.readContent()))
      case .picture: helpers.onPicture(address, try connection.readContent())
      case .end:
        if let refusal = DecodingRefusal(bytes: try connection.readContent()) { throw .refused(refusal) }
        isAtEnd = true
        return 0
      case .description:
        guard let description = SoundDescription(bytes: try connection.readContent()),
          let newFormat = AudioFormat(description)
        else { throw .invalid }
        self.connection = nil
        continueInNextFormat(OpenedSource(connection: connection, description: description, format: newFormat))
        return 0
      case .refusal, .progress, .list, .tags, .chapters: throw .invalid
      }
    }
    return try unsafe connection.readFrames(into: buffer, channels: format.channels)
  }

  /// Connects to the server again; ends the stream if that fails for too long, or makes no sense. Returns `false` if it
  /// was interrupted.
  private func reconnect(after failure: HelperFailure) -> Bool {
    connection = nil
    if position - connectedPosition > Self.stableSeconds * Int64(format.sampleRate) { attemptCount = 0 }
    let delays = helpers.streaming.delays
    var error = DecodingError(path: address.path, kind: .unreadable, reason: failure.reason)
    var limit = failure.isOfNetwork || isEndless ? delays.count : min(delays.count, Self.crashLimit)
    if !isEndless && !isSeekable || failure.isFinal { limit = 0 }
    defer { if attemptCount > 0 { helpers.onRetry(address, nil) } }
    while attemptCount < limit {
      helpers.onRetry(address, error.reason)
      guard wait(milliseconds: delays[attemptCount]) else { return false }
      attemptCount += 1
      do throws(DecodingError) {
        resume(with: try helpers.open(Self.ask(address, helpers), address.path))
        return true
      } catch let newError {
        error = newError
        guard [.unreadable, .malformed].contains(error.kind) else { break }
      }
    }
    isAtEnd = true
    self.failure = error
    return true
  }

  /// Waits; returns `false` if that was interrupted.
  private func wait(milliseconds: UInt64) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    while !isInterrupted(), MonotonicInstant.now < deadline {
      min(deadline, MonotonicInstant.now.advanced(byMilliseconds: Self.waitingStep)).sleep()
    }
    return !isInterrupted()
  }

  private func resume(with opened: OpenedSource) {
    guard opened.format == format || isSeekable else { return continueInNextFormat(opened) }
    guard opened.format == format else {
      isAtEnd = true
      failure = DecodingError(path: address.path, kind: .malformed, reason: "changed during playback")
      return
    }
    connection = opened.connection
    connectedPosition = position
    if isSeekable, position > 0 { try? opened.connection.seek(toFrame: position) }
  }

  /// Ends this decoder; another one continues with `opened`.
  private func continueInNextFormat(_ opened: OpenedSource) {
    let time = format.duration(ofFrames: position)
    let rest = HelperStream(opened, address, helpers, at: opened.format.frame(at: time))
    rest.isInterrupted = isInterrupted
    self.rest = rest
    isAtEnd = true
  }

  /// Returns a decoder for the rest of the stream if that is in another format, as after a reconnection.
  public func continuation() -> (decoder: any AudioDecoder, firstFrame: Int64)? {
    rest.map { ($0, $0.position) }
  }

  /// Seeks to about `frame`, counted from 0. If the server does not send parts, the stream continues where it is, from
  /// `frame` on.
  ///
  /// - Throws: `DecodingError` if the frame is in an earlier format.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    guard frame >= firstFrame || isEndless else {
      throw DecodingError(path: address.path, kind: .unsupported, reason: "is in another format there")
    }
    let target = max(0, min(frame, DecodingRequest.frameLimit))
    guard isSeekable else {
      // What was received stays in order.
      connectedPosition += target - position
      position = target
      return
    }
    (position, connectedPosition, isAtEnd, failure, rest) = (target, target, false, nil, nil)
    // If the program has failed, the next read finds out.
    try? connection?.seek(toFrame: target)
  }
}

extension HelperFailure {
  /// Whether the program has refused to continue, and not because of the network.
  fileprivate var isFinal: Bool { if case .refused = self { !isOfNetwork } else { false } }
}

extension DecodingError {
  /// Creates the error for an address that leads to a list of streams.
  init(list: [ListedStream], _ path: FilePath) {
    var decoder = SourceTextDecoder()
    let parts = list.compactMap { entry in
      StreamAddress(entry.address).map { StreamPart(address: $0, text: decoder.text(of: entry.names)) }
    }
    self.init(path: path, kind: .list(parts), reason: "sends a list of \(parts.count) streams")
  }
}
