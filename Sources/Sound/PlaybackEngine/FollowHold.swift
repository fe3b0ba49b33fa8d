import AudioCore
import Synchronization

/// Keeps the render thread from going on behind a source, whatever was decoded already, from the moment at which
/// something else is to follow until the decode thread has taken back what was to.
///
/// What is said of what follows has a number, and only the last word lifts it: an earlier one that is still on its way
/// does not. Without locks.
struct FollowHold: ~Copyable, Sendable {
  /// What is held at one moment.
  struct State {
    /// A number that no source has: nothing is put out behind any source.
    fileprivate static let every = UInt64.max

    fileprivate let isHolding: Bool
    fileprivate let source: UInt64

    /// Whether nothing may be put out behind `source`. Hot path.
    func holds(behind source: PlaybackSource.ID) -> Bool {
      isHolding && (self.source == source.rawValue || self.source == Self.every)
    }

    /// Whether a generation may not begin with `source`, or its end where that is `nil`. Hot path.
    func holdsBack(_ source: PlaybackSource.ID?) -> Bool { isHolding && self.source != source?.rawValue }
  }

  private let lastWord = Atomic<UInt64>(0)
  /// The word that lifts it; 0 where nothing is held.
  private let word = Atomic<UInt64>(0)
  private let source = Atomic<UInt64>(0)

  /// The number of the next word, from 1.
  func nextWord() -> UInt64 { lastWord.add(1, ordering: .relaxed).newValue }

  /// Nothing is put out behind `source` until this word is obeyed; nor behind any other, where another word was about
  /// another one and is still on its way. One thread at a time.
  func hold(behind source: PlaybackSource.ID, until word: UInt64) {
    let isOnlyOne =
      self.word.load(ordering: .acquiring) == 0 || self.source.load(ordering: .relaxed) == source.rawValue
    self.source.store(isOnlyOne ? source.rawValue : State.every, ordering: .releasing)
    self.word.store(word, ordering: .releasing)
  }

  /// This word is obeyed; gives whether that lifts it.
  func lift(_ word: UInt64) -> Bool {
    self.word.compareExchange(expected: word, desired: 0, ordering: .releasing).exchanged
  }

  /// What was held back no longer counts; gives whether there was anything.
  func lift() -> Bool { word.exchange(0, ordering: .releasing) != 0 }

  /// What is held now.
  ///
  /// It is read before a block is looked at: who lifts it has revoked by then what is not to come. Hot path.
  var state: State {
    let isHolding = word.load(ordering: .acquiring) != 0
    return State(isHolding: isHolding, source: source.load(ordering: .acquiring))
  }
}
