import AudioCore
import MusicModel
import PlaybackEngine

/// What the engine was given to play, and what it is still to be given.
struct EnginePlan: Sendable {
  /// An item that is to be played as soon as its ReplayGain values are known.
  struct Request: Sendable {
    let item: PlayQueue.Item
    var place: Duration
    var isPaused: Bool
  }

  /// What the engine was given to play.
  var chain = SourceChain()
  /// What it is to play next of all, once its ReplayGain values are known.
  var request: Request?
  /// Whether the gain of what is heard waits for its ReplayGain values.
  var needsGain = false
  /// Whether an edit has ended playing, and nothing else has happened since.
  var wasStoppedByEdit = false
  /// The ReplayGain values of the few items that are about to be played, as far as they are known.
  var replayGain: [PlayQueue.Item.ID: ReplayGainTags] = [:]
  /// The items whose values are being looked up.
  var awaitedReplayGain: [PlayQueue.Item.ID] = []
  private var lastSourceNumber: UInt64 = 0

  /// A source for playing `item` once: every playing has a source of its own, so that reports about an earlier one can
  /// be recognised.
  mutating func source(for item: PlayQueue.Item, gain: ReplayGainDecision) -> PlaybackSource {
    lastSourceNumber += 1
    let id = PlaybackSource.ID(rawValue: lastSourceNumber)
    return PlaybackSource(
      id: id, path: item.track.path, segment: SourceSegment(item.track), gain: SourceGain(gain))
  }
}

extension SourceSegment {
  /// The part of its file that is played of `track`; `nil` for the whole.
  init?(_ track: Track) {
    guard track.segment != nil || track.range != nil else { return nil }
    let start = track.segment?.start ?? 0
    guard let range = track.range else {
      self.init(start: start, end: track.segment?.end)
      return
    }
    let end = range.end.map { start + Self.frames($0) }
    self.init(
      start: start + Self.frames(range.start), end: [end, track.segment?.end].compactMap { $0 }.min())
  }

  /// The CD frame nearest to this place, which is at most some years.
  private static func frames(_ place: Duration) -> Int {
    Int((min(max(0, place / .seconds(1)), 1e9) * Double(framesPerSecond)).rounded())
  }
}

extension SourceGain {
  /// What the engine makes of `decision`.
  init(_ decision: ReplayGainDecision) {
    self.init(factor: decision.factor, isLimited: decision.needsLimiter)
  }
}

/// What the engine was told to play, one source after the other: a value that knows nothing of the engine itself.
struct SourceChain: Sendable {
  /// A source of the engine.
  struct Link: Sendable {
    let source: PlaybackSource.ID
    let item: PlayQueue.Item.ID
    /// Which part of its file is played; `nil` for the whole.
    var segment: SourceSegment?
    var gain: ReplayGainDecision
    /// How it joins the source before.
    var transition = Transition.gapless
    /// Whether it could not be played.
    var isFailed = false
  }

  /// What the engine was told of what follows the last link.
  enum End: Sendable {
    /// It has not asked yet.
    case unasked
    /// It waits for the answer.
    case awaited
    /// Nothing.
    case nothing
  }

  /// What a source means of which the engine says that it is heard.
  enum Start: Sendable {
    /// The one that was heard before, at another place, or the one that was asked for.
    case same(Link)
    /// The engine went on to it by itself.
    case wentOn(Link)
    /// Something else was to follow instead, but the engine was told too late.
    case tooLate
    /// It no longer counts.
    case old
  }

  /// The sources: the one that is heard, or was asked for, and what the engine was told to play behind it.
  private(set) var links: [Link] = []
  /// What it was told of what follows the last of them.
  var end = End.unasked
  /// The item that is heard, or was asked for; `nil` where nothing is to be heard.
  private(set) var item: PlayQueue.Item.ID?
  /// What could not be played behind the links, each with the link behind which it was to come: none for what was asked
  /// for itself.
  private var failures: [PlayQueue.Item.ID: PlaybackSource.ID?] = [:]
  /// What could not be played when it was tried last, and was reported.
  private var reportedItems: Set<PlayQueue.Item.ID> = []
  /// The links that could not be played, and that others took the place of at the beginning: the engine may go back to
  /// one of them.
  private var passedOver: [PlaybackSource.ID: Link] = [:]
  /// What was to follow, and no longer is.
  private var replaced: Set<PlaybackSource.ID> = []
  /// The source of the last command to play.
  private var commanded: PlaybackSource.ID?

  /// `item` is asked for: whatever was told before no longer counts.
  mutating func ask(for item: PlayQueue.Item.ID) {
    clear()
    self.item = item
    commanded = nil
    reportedItems.remove(item)
  }

  /// The engine is told to play this.
  mutating func begin(_ link: Link) {
    ask(for: link.item)
    links = [link]
    commanded = link.source
  }

  /// Nothing is to be heard any more.
  mutating func clear() {
    links = []
    end = .unasked
    item = nil
    failures = [:]
    passedOver = [:]
    replaced = []
  }

  /// Whether this could not be played when its turn came last, and has had no other turn since.
  func hasFailed(_ item: PlayQueue.Item.ID) -> Bool { failures.keys.contains(item) }

  /// Whether nothing was asked for since the engine was commanded to play this.
  func isLatestCommand(_ source: PlaybackSource.ID?) -> Bool { source != nil && source == commanded }

  /// The link of this source, unless it no longer counts.
  subscript(source: PlaybackSource.ID) -> Link? { links.first { $0.source == source } }

  /// The items that are heard up to this link.
  func items(through link: Link) -> [PlayQueue.Item.ID] {
    let index = links.firstIndex { $0.source == link.source } ?? links.count - 1
    return links[...index].filter { !$0.isFailed }.map(\.item)
  }

  /// The gain of the first link is another now.
  mutating func setGain(_ gain: ReplayGainDecision) {
    if !links.isEmpty { links[0].gain = gain }
  }

  /// Whether the engine was told to play one of these behind what is heard, and may still do so.
  func isToPlay(_ items: [PlayQueue.Item.ID]) -> Bool {
    links.dropFirst().contains { link in !link.isFailed && items.contains(link.item) }
  }

  /// The engine asks what follows this source; gives whether that is for it to be told, and the item where the source
  /// was opened.
  mutating func asked(behind source: PlaybackSource.ID) -> Bool {
    if let link = passedOver[source] {
      // It was begun anew, in vain again: so is what it was passed over for.
      links = [link]
      failures = [link.item: nil]
      passedOver = [:]
      end = .awaited
      return true
    }
    guard let index = links.firstIndex(where: { $0.source == source }) else { return false }
    // What followed was forgotten, where it begins again at another place.
    links.removeSubrange((index + 1)...)
    end = .awaited
    return true
  }

  /// The link at `index` is followed by this one, or by nothing, instead of what the engine was told before.
  mutating func follow(_ index: Int, with link: Link?) {
    replaced.formUnion(links[(index + 1)...].map(\.source))
    links.removeSubrange((index + 1)...)
    end = link == nil ? .nothing : .unasked
    guard let link else { return }
    // Nothing is heard of what could not be played.
    if links[index].isFailed {
      let failed = links.removeLast()
      if links.isEmpty { passedOver[failed.source] = failed }
    }
    links.append(link)
  }

  /// This source could not be played; gives its item, and whether that is news.
  mutating func failed(_ source: PlaybackSource.ID) -> (item: PlayQueue.Item.ID, isNews: Bool)? {
    guard let index = links.firstIndex(where: { $0.source == source }) else { return nil }
    links[index].isFailed = true
    failures.updateValue(links[..<index].last { !$0.isFailed }?.source, forKey: links[index].item)
    return (links[index].item, reportedItems.insert(links[index].item).inserted)
  }

  /// This source is heard.
  mutating func started(_ source: PlaybackSource.ID) -> Start {
    guard let index = links.firstIndex(where: { $0.source == source }) else {
      return replaced.contains(source) ? .tooLate : .old
    }
    let link = links[index]
    reportedItems.remove(link.item)
    if index == 0, link.item == item { return .same(link) }
    links.removeFirst(index)
    item = link.item
    // What lies ahead was decoded already, and is not tried again because of what is heard only now.
    failures = failures.filter { failure in links.contains { $0.source == failure.value } }
    passedOver = [:]
    replaced = []
    return .wentOn(link)
  }
}
