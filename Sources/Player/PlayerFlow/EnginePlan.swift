// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage

/// The sources that were given to the engine, and those that are still to be given to it.
struct EnginePlan: Sendable {
  /// An item to be played as soon as it is known what was measured of it, and where it was left.
  struct Request: Sendable {
    var item: PlayQueue.Item
    var position: Duration
    var isPaused: Bool
    /// Whether it is not known yet where the item was left.
    var awaitsPosition = false
    /// How long what is playing fades out meanwhile.
    var crossfade = Duration.zero
  }

  var chain = SourceChain()
  /// The item to play immediately, as soon as it is known what was measured of it; `nil` if there is none.
  var request: Request?
  /// Whether the gain of the current source cannot be set until its ReplayGain values are known.
  var needsGain = false
  /// Whether an edit ended playback, and nothing else has been requested since.
  var wasStoppedByEdit = false
  /// What was measured of the few items that are about to be played, as far as that is known.
  var measurements: [PlayQueue.Item.ID: AudioMeasurement] = [:]
  /// The items for which that is being looked up.
  var awaitedMeasurements: [PlayQueue.Item.ID] = []
  /// Where the items were left that are about to be played, as far as that is known; zero if they begin at their
  /// beginning.
  var positions: [PlayQueue.Item.ID: Duration] = [:]
  /// The items for which that is being looked up.
  var awaitedPositions: Set<PlayQueue.Item.ID> = []
  /// The items that come from lists on servers.
  var listedItems: Set<PlayQueue.Item.ID> = []
  /// The number of such items that have failed since anything was last played.
  var listedFailureCount = 0
  private var lastSourceNumber: UInt64 = 0

  /// The number of items of lists that may fail in a row; a list could make the player ask servers again and again.
  private static let listedFailureLimit = 8

  /// Returns whether `item` comes from a list on a server, and too many such items in a row have failed.
  func isGivenUp(_ item: PlayQueue.Item.ID) -> Bool {
    listedFailureCount >= Self.listedFailureLimit && listedItems.contains(item)
  }

  /// Returns a new source that plays `item` once. Every playback gets its own source, so that reports about an earlier
  /// playback can be recognised.
  ///
  /// - Parameter frames: The frames to play; `nil` for all.
  mutating func source(
    for item: PlayQueue.Item, gain: ReplayGainDecision, frames: SourceFrames?, speed: PlaybackSpeed
  ) -> PlaybackSource {
    lastSourceNumber += 1
    let id = PlaybackSource.ID(rawValue: lastSourceNumber)
    var source = PlaybackSource(
      id: id, path: item.track.path, segment: SourceSegment(item.track), frames: frames, gain: SourceGain(gain))
    source.speed = speed
    return source
  }
}

extension SourceSegment {
  /// Creates the segment of the file that belongs to `track`; returns `nil` for the whole file.
  init?(_ track: Track) {
    guard track.segment != nil || track.range != nil else { return nil }
    let start = track.segment?.start ?? 0
    let isTrack = track.segment != nil
    guard let range = track.range else {
      self.init(start: start, end: track.segment?.end, isTrack: isTrack)
      return
    }
    let end = range.end.map { start + Self.frames($0) }
    self.init(
      start: start + Self.frames(range.start), end: [end, track.segment?.end].compactMap { $0 }.min(), isTrack: isTrack)
  }

  /// Returns the CD frame nearest to `position`, which is limited to 10^9 seconds, so that the frame number cannot
  /// overflow.
  private static func frames(_ position: Duration) -> Int {
    Int((min(max(0, position / .seconds(1)), 1e9) * Double(framesPerSecond)).rounded())
  }
}

extension SourceGain {
  /// Converts `decision` to the engine's form.
  init(_ decision: ReplayGainDecision) {
    self.init(factor: decision.factor, isLimited: decision.needsLimiter)
  }
}

/// The sequence of sources that were given to the engine, as a pure value that does not refer to the engine itself.
struct SourceChain: Sendable {
  struct Link: Sendable {
    let source: PlaybackSource.ID
    let item: PlayQueue.Item.ID
    /// The file.
    let path: FilePath
    /// The part of the file that is played; `nil` for the whole file.
    var segment: SourceSegment?
    /// The frames that are played; `nil` for all.
    var frames: SourceFrames?
    var gain: ReplayGainDecision
    var speed = PlaybackSpeed.normal
    /// The transition from the previous source to this one.
    var transition = Transition.gapless
    var isFailed = false
  }

  /// What the engine knows about the source after the last link.
  enum End: Sendable {
    /// The engine has not requested it yet.
    case notRequested
    /// The engine has requested it and waits for the answer.
    case requested
    /// The engine has the answer that there is no next source.
    case nothing
  }

  /// The meaning of the engine's report that a source has started.
  enum Start: Sendable {
    /// The source is the first link: it has started as requested, or again after a seek.
    case same(Link)
    /// The engine has advanced to this link by itself.
    case advanced(Link)
    /// The source had been replaced, but the engine learned of that too late.
    case tooLate
    /// The source is not in the chain any more.
    case stale
  }

  /// The current or requested source, followed by the sources to play after it.
  private(set) var links: [Link] = []
  /// The link that was the first one before.
  private var previous: Link?
  /// What the engine knows about the source after the last link.
  var end = End.notRequested
  /// The current or requested item; `nil` when nothing should play.
  private(set) var item: PlayQueue.Item.ID?
  /// The items that failed after one of the links, each with the source of the last playable link before it, or with
  /// `nil` if it is the requested item itself.
  private var failures: [PlayQueue.Item.ID: PlaybackSource.ID?] = [:]
  /// The items whose failure was reported. An item is removed when it starts or is requested again.
  private var reportedItems: Set<PlayQueue.Item.ID> = []
  /// Failed links at the front of the chain that their successors have replaced. The engine may return to one of them.
  private var replacedFailures: [PlaybackSource.ID: Link] = [:]
  /// The sources that were to be played next, but have been replaced.
  private var replaced: Set<PlaybackSource.ID> = []
  /// The last play command for the engine, and the seeks since.
  private var commanded = ExecutedCommands()

  /// Starts over with a request for `item`. All sources given to the engine before become obsolete.
  mutating func request(_ item: PlayQueue.Item.ID) {
    clear()
    self.item = item
    commanded = ExecutedCommands()
    reportedItems.remove(item)
  }

  /// Starts over with `link`, which the engine is commanded to play.
  mutating func begin(_ link: Link) {
    request(link.item)
    links = [link]
    commanded.source = link.source
  }

  /// Removes all links: nothing should play any more.
  mutating func clear() {
    previous = links.first ?? previous
    links = []
    end = .notRequested
    item = nil
    failures = [:]
    replacedFailures = [:]
    replaced = []
  }

  /// Returns whether `item` failed the last time it was tried.
  func hasFailed(_ item: PlayQueue.Item.ID) -> Bool { failures.keys.contains(item) }

  /// Returns whether nothing has been requested since the engine was commanded to play `source`.
  func isLatest(_ source: PlaybackSource.ID?) -> Bool { source != nil && source == commanded.source }

  /// Returns whether there has been no command to play or to seek since `executed`, so that positions from then are
  /// valid.
  func isUpToDate(_ executed: ExecutedCommands) -> Bool { executed == commanded }

  /// Records that the engine is commanded to seek.
  mutating func seek() { commanded.seekCount += 1 }

  /// The link of `source`; `nil` if the chain does not contain it.
  subscript(source: PlaybackSource.ID) -> Link? { links.first { $0.source == source } }

  /// Returns the item of `source`, which may also have been played just before; `nil` if it is neither in the chain.
  func item(of source: PlaybackSource.ID) -> PlayQueue.Item.ID? {
    (self[source] ?? (previous?.source == source ? previous : nil))?.item
  }

  /// Returns the items of the playable links up to and including `link`.
  func items(through link: Link) -> [PlayQueue.Item.ID] {
    let index = links.firstIndex { $0.source == link.source } ?? links.count - 1
    return links[...index].filter { !$0.isFailed }.map(\.item)
  }

  /// Replaces the gain of the first link.
  mutating func setGain(_ gain: ReplayGainDecision) {
    if !links.isEmpty { links[0].gain = gain }
  }

  /// Replaces the speed of the first link.
  mutating func setSpeed(_ speed: PlaybackSpeed) {
    if !links.isEmpty { links[0].speed = speed }
  }

  /// Replaces the frames of the first link that are played.
  mutating func setFrames(_ frames: SourceFrames) {
    if !links.isEmpty { links[0].frames = frames }
  }

  /// Returns whether one of `items` was given to the engine to play after the current one, and may still be played.
  func hasUpcoming(_ items: [PlayQueue.Item.ID]) -> Bool {
    links.dropFirst().contains { link in !link.isFailed && items.contains(link.item) }
  }

  /// Records that the engine has asked for the source after `source`.
  ///
  /// - Returns: Whether the engine expects an answer; `false` if `source` is not in the chain any more.
  mutating func nextRequested(after source: PlaybackSource.ID) -> Bool {
    if let link = replacedFailures[source] {
      // The engine tried the failed source again, without success. The source that replaced it in the chain is chosen
      // again.
      links = [link]
      failures = [link.item: nil]
      replacedFailures = [:]
      end = .requested
      return true
    }
    guard let index = links.firstIndex(where: { $0.source == source }) else { return false }
    // After a seek, the engine has forgotten the sources after this one.
    links.removeSubrange((index + 1)...)
    end = .requested
    return true
  }

  /// Replaces everything after the link at `index` with `link`, or with nothing.
  mutating func setNext(after index: Int, _ link: Link?) {
    replaced.formUnion(links[(index + 1)...].map(\.source))
    links.removeSubrange((index + 1)...)
    end = link == nil ? .nothing : .notRequested
    guard let link else { return }
    // A failed source is silent: the next source replaces it in the chain.
    if links[index].isFailed {
      let failed = links.removeLast()
      if links.isEmpty { replacedFailures[failed.source] = failed }
    }
    links.append(link)
  }

  /// Marks `source` as failed.
  ///
  /// - Returns: The item of the source, and whether its failure has not been reported yet; `nil` if the source is not
  ///   in the chain any more.
  mutating func failed(_ source: PlaybackSource.ID) -> (item: PlayQueue.Item.ID, isNew: Bool)? {
    guard let index = links.firstIndex(where: { $0.source == source }) else { return nil }
    links[index].isFailed = true
    failures.updateValue(links[..<index].last { !$0.isFailed }?.source, forKey: links[index].item)
    return (links[index].item, reportedItems.insert(links[index].item).inserted)
  }

  /// Records that the engine has started `source`, and returns what that means for the queue.
  mutating func started(_ source: PlaybackSource.ID) -> Start {
    guard let index = links.firstIndex(where: { $0.source == source }) else {
      return replaced.contains(source) ? .tooLate : .stale
    }
    let link = links[index]
    reportedItems.remove(link.item)
    // When it starts again, after a seek, there is no crossfade from the previous item.
    links[index].transition = .gapless
    if index == 0, link.item == item { return .same(link) }
    previous = links.first
    links.removeFirst(index)
    item = link.item
    // Decoding is ahead of playback: items that failed after a remaining link are not tried again.
    failures = failures.filter { failure in links.contains { $0.source == failure.value } }
    replacedFailures = [:]
    replaced = []
    return .advanced(link)
  }
}
