// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// A decoder of a file that other programs may change while it plays, as those do that write tags.
///
/// Frames are returned only if nobody had written to the file by the time they were read. After a change, the file is
/// opened again as soon as it stays as it is, and decoding continues at the same frame of the sound, wherever in the
/// file that is by now. The last frames that were returned are compared with those before that frame, so that another
/// sound is not taken for the rest of this one.
///
/// A file that only becomes longer, as a recording that is being made, is read on. If a program writes to the file for
/// half a minute, the file is played as it is from then on.
public final class ChangingFileDecoder: AudioDecoder {
  /// The number of frames that are compared.
  private static let overlap = 2_048
  /// The number of pauses in which other programs may write to the file: half a minute.
  private static let pauseLimit = 3_000
  /// How many times a file that nobody writes to is opened again until it cannot be played any more. A program may
  /// pause in the middle of its work.
  private static let attemptLimit = 4

  private let path: FilePath
  private let file: PlayedFile
  private let open: DecoderFactory
  private let listChapters: ChapterList?
  /// The chapters that ``listChapters`` has found; `nil` before they are read, which may not delay the first frames.
  private var listedChapters: [SourceChapter]?
  /// The number of the first of the frames that ``read(into:)`` returned last.
  private var readStart: Int64 = 0
  private let pause: () -> Void
  private var decoder: any AudioDecoder
  /// The state of the file when ``decoder`` had opened it, or a later one in which it was longer; `nil` if changes do
  /// not count any more.
  private var known: PlayedFile.State?
  /// The last state in which the file was found longer; `nil` if it was not.
  private var grown: PlayedFile.State?
  /// The number of frames that the file stated in that state.
  private var knownFrames: Int64?
  /// The number of the next frame.
  private var position: Int64 = 0
  /// The last samples that were returned, and the number of the frame after them.
  private var last: (samples: [Float], end: Int64) = ([], 0)
  private var isInterrupted: () -> Bool = { false }
  /// Why the rest cannot be played; `nil` if it can.
  private var problem: DecodingError?
  /// What has become of a file that was played to its end; `nil` if it is still there.
  private var loss: DecodingError?

  /// The format of the decoded frames.
  public let format: AudioFormat
  /// The number of frames that the file claims to contain by now; `nil` if it is unknown.
  public var frameCount: Int64? { decoder.frameCount }
  /// Whether the file contains more since it was read to its end.
  public var hasGrown: Bool { problem == nil && isIntact && decoder.hasGrown }
  /// The average bit rate of the encoded audio, in bits per second.
  public var bitRate: Int? { decoder.bitRate }
  /// The library that decodes the audio.
  public var library: DecodingLibrary? { decoder.library }
  /// The codec.
  public var codec: CodecName? { decoder.codec }
  /// Whether any frame can be reached.
  public var isSeekable: Bool { decoder.isSeekable }
  /// What the file says of the last frames.
  public var text: SourceText? {
    if let text = decoder.text { return text }
    return listedChapters.flatMap { SourceText($0, at: readStart, in: format) }
  }

  public var tags: [SourceTag] { decoder.tags }
  public var chapters: [SourceChapter] { decoder.chapters }
  /// The error that ended the file early, or that what was played is no longer there; `nil` if there was none.
  public var failure: DecodingError? { problem ?? decoder.failure.map(named) ?? loss }

  /// Opens the regular file at `path` by `open`, which gets that path, or another one to the same file. Blocks as long
  /// as the file system does, and for half a minute at most while another program writes to the file.
  ///
  /// - Parameters:
  ///   - pause: Waits while another program writes to the file; the default is 10 ms.
  ///   - chapters: Lists the chapters of the file, unless the decoder does; `nil` for none.
  /// - Throws: `DecodingError` if the file is not a regular one, cannot be read, or cannot be decoded.
  public init(
    _ path: FilePath, pause: (() -> Void)? = nil, chapters: ChapterList? = nil, open: @escaping DecoderFactory
  ) throws(DecodingError) {
    self.path = path
    self.open = open
    listChapters = chapters
    self.pause = pause ?? { MonotonicInstant.now.advanced(byMilliseconds: 10).sleep() }
    file = try PlayedFile(path)
    var budget = Self.pauseLimit
    var attempt = 1
    while true {
      let state = attempt == 1 ? file.state : file.markedState
      let result = Result { [file] () throws(DecodingError) in try open(file.path) }
      let isValid = file.continues(state) && ((try? result.get()) != nil || !file.isRecent || attempt > 1)
      if isValid || attempt == Self.attemptLimit {
        decoder = try result.get()
        known = state
        break
      }
      _ = file.settle(since: state, pausing: self.pause, budget: &budget) { false }
      attempt += 1
    }
    format = decoder.format
    knownFrames = decoder.frameCount
  }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end. Waits while another
  /// program writes to the file.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while problem == nil {
      if position > 0, known?.end == nil { mark() }
      if position > 0, listedChapters == nil {
        listedChapters = decoder.chapters.isEmpty ? listChapters?(path, decoder) ?? [] : []
      }
      readStart = position
      let count = unsafe max(0, decoder.read(into: buffer))
      if isValid(count) {
        unsafe record(UnsafeBufferPointer(rebasing: buffer[..<(count * format.channels)]))
        if count == 0, position > 0, decoder.failure == nil { loss = loss ?? file.loss(open) }
        return count
      }
      guard recover() else { return 0 }
    }
    return 0
  }

  /// Adds the end of the file to its known state, which takes a read that may not delay the first frames.
  private func mark() {
    let state = file.markedState
    if let known, file.isUnchanged(since: known) { self.known = state }
  }

  /// Whether the file is as it was opened, but for what was added at its end.
  private var isIntact: Bool { known.map(file.continues) ?? true && grown.map(file.continues) ?? true }

  /// Whether the next `count` frames, which were just read, were in the file when it was opened, and nobody has written
  /// to it before its former end. Decoders read ahead: in the last second, a file that has become longer does not
  /// count as a recording.
  private func isValid(_ count: Int) -> Bool {
    guard let known, !file.isUnchanged(since: known) else { return true }
    let state = file.markedState
    guard count > 0, let knownFrames, knownFrames - position - Int64(count) > Int64(format.sampleRate), isIntact else {
      return false
    }
    grown = state
    if !file.isRecent { (self.known, grown) = (state, nil) }
    return true
  }

  private func record(_ samples: UnsafeBufferPointer<Float>) {
    guard !samples.isEmpty else { return }
    let limit = Self.overlap * format.channels
    let kept = last.end == position ? max(0, limit - samples.count) : 0
    last.samples.removeFirst(max(0, last.samples.count - kept))
    unsafe last.samples.append(contentsOf: samples.suffix(limit))
    position += Int64(samples.count / format.channels)
    last.end = position
  }

  /// Seeks to `frame`, counted from 0, or to the end of the file if that is earlier.
  ///
  /// - Throws: `DecodingError` if the file can no longer be read.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    problem = nil
    position = max(0, frame)
    let result = Result { () throws(DecodingError) in try decoder.seek(toFrame: position) }
    if isIntact {
      try result.mapError(named).get()
    } else if !recover(), let problem {
      throw problem
    }
    position = min(position, frameCount ?? position)
  }

  /// Lets ``read(into:)`` return early.
  public func setInterruption(_ isInterrupted: @escaping () -> Bool) {
    self.isInterrupted = isInterrupted
    decoder.setInterruption(isInterrupted)
  }

  /// Returns a decoder for the rest of the file if it continues in another format. It does not expect changes.
  ///
  /// - Throws: `DecodingError` if the rest cannot be decoded.
  public func continuation() throws(DecodingError) -> (decoder: any AudioDecoder, firstFrame: Int64)? {
    problem == nil ? try decoder.continuation() : nil
  }

  /// Returns a decoder that converts the file to PCM if this one returns DSD.
  ///
  /// - Throws: `DecodingError` if the file cannot be converted.
  public func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)? { try decoder.pcmDecoder() }

  // MARK: Changes

  /// Waits until nobody writes to the file, opens it again, and continues at ``position``; returns whether that
  /// succeeded. If not, there is a ``problem``, or reading was interrupted.
  private func recover() -> Bool {
    guard let known else { return false }
    var budget = Self.pauseLimit
    var attempt = 0
    while attempt < Self.attemptLimit {
      guard file.settle(since: known, pausing: pause, budget: &budget, isInterrupted) else { return false }
      let state = file.markedState
      let result = Result { () throws(DecodingError) in try reopened() }
      let isSettled = file.continues(state)
      if budget == 0 { attempt = Self.attemptLimit } else if isSettled { attempt += 1 }
      switch result {
      case .success(let reopened) where isSettled || budget == 0:
        decoder = reopened
        listedChapters = nil
        (self.known, grown) = (budget > 0 ? state : nil, nil)
        knownFrames = decoder.frameCount
        return true
      case .failure(let error) where attempt == Self.attemptLimit: problem = named(error)
      case .success, .failure: break
      }
    }
    return false
  }

  /// Returns a decoder of the file as it is now, at ``position``.
  private func reopened() throws(DecodingError) -> any AudioDecoder {
    let decoder = try open(file.path)
    guard decoder.format == format else { throw replacement }
    if !last.samples.isEmpty {
      let count = last.samples.count / format.channels
      try decoder.seek(toFrame: last.end - Int64(count))
      let found = decoder.samples(count)
      if found.count < last.samples.count, last.end == position { throw truncation }
      guard found.sounds(like: last.samples) else { throw replacement }
    }
    if last.end != position { try decoder.seek(toFrame: position) }
    decoder.setInterruption(isInterrupted)
    return decoder
  }

  private var truncation: DecodingError { error(.unreadable, "the file was truncated during playback") }

  private var replacement: DecodingError { error(.malformed, "the file was replaced by another one during playback") }

  private func error(_ kind: DecodingError.Kind, _ reason: String) -> DecodingError {
    DecodingError(
      path: path, kind: kind, reason: "ends at \(format.positionText(position, of: frameCount)): \(reason)")
  }

  /// Returns `error` for the file under the name with which it was opened.
  private func named(_ error: DecodingError) -> DecodingError {
    DecodingError(path: path, kind: error.kind, reason: error.reason)
  }
}

extension AudioDecoder {
  /// Returns the samples of the next frames, at most `count` frames.
  func samples(_ count: Int) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: count * format.channels) { buffer, filled in
      while filled < buffer.count {
        let read = unsafe max(0, self.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...])))
        if read == 0 { break }
        filled += read * format.channels
      }
    }
  }
}

extension [Float] {
  /// Whether these are the same samples as far as there are as many, but for the noise that some codings contain.
  func sounds(like other: [Float]) -> Bool {
    var (energy, otherEnergy, difference) = (0.0, 0.0, 0.0)
    for (sample, otherSample) in zip(self, other) {
      energy += Double(sample * sample)
      otherEnergy += Double(otherSample * otherSample)
      difference += Double((sample - otherSample) * (sample - otherSample))
    }
    return difference <= 0.75 * Swift.max(energy, otherEnergy)
  }
}
