// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// Builds one continuous stream from consecutive sources: opens them, converts them to the stream's format, and joins
/// them. Used only on the decode thread.
final class StreamBuilder {
  enum Next {
    case unknown, nothing
    case source(PlaybackSource, Transition)
  }

  /// The additional time for which frames are held back before a crossfade, since files may end before their stated
  /// end.
  private static let holdMargin = Duration.seconds(2)
  /// The number of frames of the next source that a filter gets in advance.
  private static let lookAheadFrames = 4096
  private static let readerLimit = 2
  let pipeline: DecoderPipeline
  let context: EngineContext
  let open: DecoderFactory
  private let resamplers: ResamplerFactory
  private let stretchers: StretcherFactory
  /// Whether formats are converted at joins, so that filters run across the joins.
  let joinsFormats: Bool

  /// The generation of the command that started the stream.
  private(set) var generation: UInt64 = 0
  /// Whether the thread was abandoned because a file blocked it. Then it must not touch shared state.
  var isAbandoned: Bool { pipeline.watch.isAbandoned }
  /// The source that was opened last; `nil` once the stream has ended after it.
  var source: PlaybackSource?
  /// The earlier sources of the stream, oldest first.
  var playedSources: [PlayedSource] = []
  var next = Next.unknown
  /// Whether the last frames of ``source`` are independent of the next source.
  private var endIsFinal = true
  /// The position at which ``source`` has ended; `nil` before, and if the end cannot fade out.
  var end: Duration?
  /// The gain of ``source``, if that was already played and its next track was revoked.
  var replacedGain: Float?
  /// The readers of the last sources. Their files stay open in case the stream starts again in one of them; the audible
  /// position is hardly ever further back.
  var readers: [SourceReader] = []
  var part: StreamPart?
  var upcoming: UpcomingSource?
  /// The source that was decoded again last for the sake of a transition.
  var redecoded: (source: PlaybackSource.ID, transition: Transition)?
  /// Frames that come before those of `part`.
  var ready = FrameQueue()
  private var stretching: StretchedStream
  private var limiting = LimitedStream()
  /// The last frames of the stream.
  private var tail = StreamTail()

  init(
    pipeline: DecoderPipeline, context: EngineContext, open: @escaping DecoderFactory,
    resamplers: @escaping ResamplerFactory, stretchers: @escaping StretcherFactory
  ) {
    self.pipeline = pipeline
    self.context = context
    self.open = open
    self.resamplers = resamplers
    self.stretchers = stretchers
    stretching = StretchedStream(stretchers)
    joinsFormats = context.settings.formatChange == .resample || context.settings.sampleRate != nil
  }

  // MARK: Commands

  /// Abandons the current stream, and starts with `source` at `position`, while `outgoing` fades out.
  func start(_ source: PlaybackSource, at position: Duration, after outgoing: OutgoingSource?, generation: UInt64) {
    let earlierReaders = readers
    stop()
    self.generation = generation
    guard let outgoing, let reader = self.reader(of: outgoing, reusing: earlierReaders) else {
      if !isAbandoned { begin(source, at: position, reusing: earlierReaders) }
      return
    }
    begin(source, at: position, crossfadedWith: reader, over: outgoing.length)
  }

  /// Reports if the file of a source that has been played to its end contains more since its end was decoded. It is
  /// not looked at any more if the source after the next one has been opened already.
  func checkGrowth(of id: PlaybackSource.ID) {
    guard let reader = readers.last(where: { $0.source.id == id }) else { return }
    pipeline.watch.begin()
    let hasGrown = reader.hasGrown
    guard pipeline.watch.end(), hasGrown else { return }
    let reason = "has become longer since its end was read; play it again to hear the rest"
    context.inputs.post(.grown(id, DecodingError(path: reader.source.path, kind: .malformed, reason: reason)))
  }

  /// Abandons the current stream.
  func stop() {
    reset()
    playedSources = []
    readers = []
  }

  func reset() {
    (source, end, part, upcoming) = (nil, nil, nil, nil)
    ready = FrameQueue()
    stretching = StretchedStream(stretchers)
    limiting = LimitedStream()
    tail = StreamTail()
  }

  /// Records that the stream continues after the source that was opened last.
  private func recordPlayed(endIsFinal: Bool) {
    guard let source else { return }
    playedSources.append(PlayedSource(source: source, endIsFinal: endIsFinal, end: end, transition: transition))
    if playedSources.count > EngineContext.earlierSourceLimit { playedSources.removeFirst() }
  }

  // MARK: Frames

  /// Whether the next track after the source that was opened last is not known yet.
  var isNextUnknown: Bool {
    if case .unknown = next { source != nil } else { false }
  }

  /// Fills the beginning of `room` with the next frames.
  func produce(into room: UnsafeMutableBufferPointer<Float>) -> ReadResult {
    unsafe limiting.produce(into: room) { unsafe stretching.produce(into: $0) { unsafe join(into: $0) } }
  }

  /// Fills the beginning of `room` with the next frames, before their speed is changed and they are limited.
  private func join(into room: UnsafeMutableBufferPointer<Float>) -> ReadResult {
    let wasLimited = limiting.isOn
    while !isAbandoned {
      // The next frames have to go through the limiter.
      if limiting.isOn != wasLimited { return .held }
      let held = heldFrames
      if let frames = unsafe ready.take(into: room, keeping: held) { return unsafe emit(frames, room) }
      guard let part else {
        guard let result = advance() else { continue }
        return result
      }
      switch unsafe part.read(into: room) {
      case .frames(let frames):
        if held == 0 { return unsafe emit(frames, room) }
        unsafe ready.add(frames, UnsafeBufferPointer(room))
        return .held
      case .sourceEnded:
        guard upcoming == nil, end(of: part) else { return .nothing }
      case .done:
        self.part = nil
        beginUpcoming(after: part)
      }
    }
    return .nothing
  }

  private func emit(_ frames: StreamFrames, _ room: UnsafeMutableBufferPointer<Float>) -> ReadResult {
    if joinsFormats {
      let samples = unsafe UnsafeBufferPointer(rebasing: room[..<(frames.count * frames.format.channels)])
      unsafe tail.add(samples, of: frames.format.shape)
    }
    return .frames(frames)
  }

  /// The number of ready frames to hold back for a crossfade.
  private var heldFrames: Int {
    if let upcoming, case .crossfade = upcoming.transition { return .max }
    guard let part, !part.format.isDSD else { return 0 }
    let length: Duration
    switch next {
    case .source(_, .crossfade(let wanted)): length = wanted
    // It may still become a crossfade.
    case .unknown: length = .milliseconds(context.crossfadeMilliseconds.load(ordering: .relaxed))
    case .source, .nothing: length = .zero
    }
    guard length > .zero else { return 0 }
    if let rest = part.reader.rest, rest > length + Self.holdMargin { return 0 }
    return Int(clamping: part.format.frame(at: length))
  }

  // MARK: Joins

  /// Continues with the next source, or ends the stream, when there is no part to read. Returns `nil` if there is a
  /// part now.
  private func advance() -> ReadResult? {
    guard source != nil else { return .nothing }
    switch next {
    case .unknown: return .nothing
    case .nothing:
      recordPlayed(endIsFinal: endIsFinal)
      source = nil
      return .ended
    case .source(let source, _):
      recordPlayed(endIsFinal: endIsFinal)
      begin(source, at: .zero, previousGain: replacedGain)
      return nil
    }
  }

  /// Handles the end of the part's last source, or of a passage of it: repeats the passage, joins the next source, or
  /// ends the part. Returns `false` if the next track is not known yet.
  private func end(of part: StreamPart) -> Bool {
    guard !isAbandoned else { return false }
    if part.repeatPassage() { return true }
    guard !isAbandoned else { return false }
    let reader = part.reader
    if let rest = rest(of: reader) {
      join(rest, to: part, .gapless)
      return true
    }
    guard !isAbandoned else { return false }
    if !part.format.isDSD { end = reader.position }
    switch next {
    case .unknown:
      return false
    case .nothing:
      endIsFinal = isEndFinal(of: part)
      part.finish()
    case .source(let source, let transition):
      endIsFinal = isEndFinal(of: part) && (transition == .gapless || part.format.isDSD)
      recordPlayed(endIsFinal: endIsFinal)
      guard
        let reader = opened(
          source, at: .zero, after: reader,
          previousGain: transition == .gapless ? reader.source.gain.factor : nil)
      else {
        return !isAbandoned
      }
      join(reader, to: part, transition)
    }
    return true
  }

  /// Whether the last frames of `part` are independent of what follows.
  private func isEndFinal(of part: StreamPart) -> Bool {
    part.endIsFinal && !limiting.isOn && part.reader.source.speed == .normal
  }

  /// Continues after `part` with `reader`: in the same part if possible, otherwise in a new one.
  private func join(_ reader: SourceReader, to part: StreamPart, _ transition: Transition) {
    let format = streamFormat(of: reader, after: part.format)
    let isSameStream = format.shape == part.format.shape
    if case .crossfade = transition, isSameStream, !format.isDSD {
      part.finish()
      upcoming = UpcomingSource(reader: reader, format: format, transition: transition)
    } else if isSameStream, part.accepts(reader) {
      if reader.source.gain.isLimited { limiting.isOn = true }
      part.append(reader)
    } else {
      let ahead = isSameStream && part.looksAhead ? lookAhead(reader, in: format) : []
      part.finish(before: ahead, at: reader.format.sampleRate)
      upcoming = UpcomingSource(reader: reader, format: format, transition: .gapless)
    }
  }

  private func begin(
    _ source: PlaybackSource, at position: Duration, reusing earlierReaders: [SourceReader] = [],
    previousGain: Float? = nil
  ) {
    guard
      let reader = opened(source, at: position, after: nil, reusing: earlierReaders, previousGain: previousGain)
    else { return }
    part = makePart(reader, streamFormat(of: reader, after: nil), isJoined: joinsFormats)
  }

  private func beginUpcoming(after old: StreamPart) {
    guard let upcoming else { return }
    self.upcoming = nil
    let isJoined = upcoming.transition == .gapless && joinsFormats
    guard let part = makePart(upcoming.reader, upcoming.format, isJoined: isJoined) else { return }
    self.part = part
    // Queued frames of another shape cannot be mixed with the new part.
    if old.format.shape != part.format.shape { ready.excludeFromCrossfades() }
    if case .crossfade(let length) = upcoming.transition { ready.crossfade(into: part, over: length) }
  }

  // MARK: Sources

  /// Opens `source` and reports that its next track is needed; returns `nil` if that fails. If `previousGain` is not
  /// `nil`, the gain changes gradually from there.
  func opened(
    _ source: PlaybackSource, at position: Duration, after previous: SourceReader?,
    reusing earlierReaders: [SourceReader] = [], previousGain: Float?
  ) -> SourceReader? {
    self.source = source
    next = .unknown
    endIsFinal = true
    end = nil
    replacedGain = nil
    pipeline.watch.begin()
    let result = Result { () throws(DecodingError) in
      var reader = try SourceReader(
        source, at: position, after: previous, reusing: earlierReaders, previousGain: previousGain, open: open,
        playsDSD: context.playsDSD, watch: pipeline.watch, isInterrupted: { [pipeline] in pipeline.isInterrupted }
      ) { [inputs = context.inputs, generation] text, position in
        inputs.post(.text(source.id, text, at: position, generation: generation))
      }
      // The audio may begin only where the format of the file changes.
      while reader.isAtBeginning, reader.peek(1).isEmpty, let rest = try SourceReader(after: reader) { reader = rest }
      return reader
    }
    guard pipeline.watch.end() else { return nil }
    switch result {
    case .success(let reader):
      // A source without frames is skipped like one that cannot be opened: nothing can be mixed with it.
      if reader.isAtBeginning, reader.peek(1).isEmpty {
        if !isAbandoned {
          fail(source, DecodingError(path: source.path, kind: .empty, reason: "contains no audio"))
        }
        return nil
      }
      add(reader)
      context.inputs.post(.decoding(source.id, generation: generation))
      return reader
    case .failure(let error):
      fail(source, error)
      return nil
    }
  }

  /// Opens the rest of a source whose file continues in another format. Returns `nil` if the source has ended; when
  /// called first, this also reports the reason if it has ended early.
  private func rest(of reader: SourceReader) -> SourceReader? {
    guard !reader.hasEnded else { return nil }
    reader.hasEnded = true
    pipeline.watch.begin()
    let rest = Result { () throws(DecodingError) in try SourceReader(after: reader) }
    guard pipeline.watch.end() else { return nil }
    var failure = reader.failure
    if case .failure(let error) = rest { failure = failure ?? error }
    if let failure { context.inputs.post(.endedEarly(reader.source.id, failure, generation: generation)) }
    guard case .success(let rest?) = rest else { return nil }
    add(rest)
    return rest
  }

  private func add(_ reader: SourceReader) {
    readers.append(reader)
    if readers.count > Self.readerLimit { readers.removeFirst() }
  }

  private func fail(_ source: PlaybackSource, _ error: DecodingError) {
    context.inputs.post(.decodingFailed(source.id, error, generation: generation))
  }

  func streamFormat(of reader: SourceReader, after previous: AudioFormat?) -> AudioFormat {
    StreamFormatRule(
      settings: context.settings, device: context.device.withLock { $0 }, previous: previous
    ).format(for: reader.format)
  }

  /// Starts a part with `reader`. If `isJoined` is set, its first frames are filtered as a continuation of the tail.
  /// Returns `nil` if the source cannot be converted.
  func makePart(_ reader: SourceReader, _ format: AudioFormat, isJoined: Bool) -> StreamPart? {
    if reader.source.gain.isLimited { limiting.isOn = true }
    guard format.shape != reader.format.shape else {
      return StreamPart(reader, format: format, converter: nil)
    }
    guard
      let converter = FormatConverter(from: reader.format.shape, to: format.shape, resamplers: resamplers)
    else {
      let isResampling = reader.format.sampleRate != format.sampleRate
      let hint = isResampling ? "; is libsoxr installed?" : ""
      fail(
        reader.source,
        DecodingError(
          path: reader.source.path, kind: .unsupported,
          reason: "cannot be converted to \(format.channels) channels at \(format.sampleRate) Hz\(hint)"))
      return nil
    }
    if isJoined, converter.resamples {
      converter.warmUp(from: tail.frames(of: format.shape), to: lookAhead(reader, in: format))
    }
    return StreamPart(reader, format: format, converter: converter)
  }

  /// Returns the first frames of `reader`, with the channels of `format`.
  private func lookAhead(_ reader: SourceReader, in format: AudioFormat) -> ArraySlice<Float> {
    let frames = reader.peek(Self.lookAheadFrames)
    let channels = (from: reader.format.channels, to: format.channels)
    guard channels.from != channels.to else { return frames }
    return ChannelMix(from: channels.from, to: channels.to)?.mixed(frames) ?? []
  }
}
