// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// The frames of the sound that a face in another process requests. It asks for each one, so that one that is slow, or
/// suspended, is sent no more than it reads. Safe to use from any thread.
final class SoundFeeds: Sendable {
  /// The maximum number of feeds of one face.
  private static let limit = 4
  /// After how many frames that nobody asked for the sound is no longer analysed: a second.
  private static let unawaitedLimit = 30

  private struct Feed: Sendable {
    let bands: Int
    var isAwaited = true
    /// The newest frame, if it has not been sent.
    var frame: SoundFrame?
    var unawaitedCount = 0
    var subscription: Subscription?
  }

  private let player: any PlayerPort
  private let write: @Sendable (_ line: String, _ isReply: Bool) -> Void
  private let feeds = Mutex<[UInt64: Feed]>([:])

  init(_ player: any PlayerPort, write: @escaping @Sendable (_ line: String, _ isReply: Bool) -> Void) {
    self.player = player
    self.write = write
  }

  /// Sends the next frame with `bands` bands for `id` as soon as there is one. Returns `false` if there are too many
  /// feeds.
  func send(bands: Int, id: UInt64) -> Bool {
    enum Outcome { case refused, new, known(SoundFrame?), changed(Subscription?) }
    let outcome = feeds.withLock { feeds -> Outcome in
      guard var feed = feeds[id] else {
        guard feeds.count < Self.limit else { return .refused }
        feeds[id] = Feed(bands: bands)
        return .new
      }
      if feed.bands != bands {
        feeds[id] = Feed(bands: bands)
        return .changed(feed.subscription)
      }
      let frame = feed.frame.take()
      feed.isAwaited = frame == nil
      feed.unawaitedCount = 0
      feeds[id] = feed
      return .known(frame)
    }
    switch outcome {
    case .refused: return false
    case .known(let frame): if let frame { send(frame, id) }
    case .new: begin(bands, id)
    case .changed(let old):
      old?.cancel()
      begin(bands, id)
    }
    return true
  }

  func end(_ id: UInt64) { feeds.withLock { $0.removeValue(forKey: id) }?.subscription?.cancel() }

  func endAll() {
    let old = feeds.withLock { feeds in
      defer { feeds = [:] }
      return Array(feeds.values)
    }
    for feed in old { feed.subscription?.cancel() }
  }

  private func begin(_ bands: Int, _ id: UInt64) {
    let subscription = player.observeSound(bands: bands) { [weak self] in self?.receive($0, bands, id) }
    let isNeeded = feeds.withLock { feeds in
      guard feeds[id]?.bands == bands, feeds[id]?.subscription == nil else { return false }
      feeds[id]?.subscription = subscription
      return true
    }
    if !isNeeded { subscription.cancel() }
  }

  private func receive(_ frame: SoundFrame, _ bands: Int, _ id: UInt64) {
    enum Outcome { case send, keep, end(Subscription?) }
    let outcome = feeds.withLock { feeds -> Outcome in
      guard var feed = feeds[id], feed.bands == bands else { return .keep }
      if feed.isAwaited {
        (feed.isAwaited, feed.unawaitedCount) = (false, 0)
        feeds[id] = feed
        return .send
      }
      feed.frame = frame
      feed.unawaitedCount += 1
      feeds[id] = feed.unawaitedCount < Self.unawaitedLimit ? feed : nil
      return feeds[id] == nil ? .end(feed.subscription) : .keep
    }
    switch outcome {
    case .send: send(frame, id)
    case .keep: break
    case .end(let subscription): subscription?.cancel()
    }
  }

  private func send(_ frame: SoundFrame, _ id: UInt64) {
    write(JSONLine.text(PlayerMessage.sound(frame, id: id)), false)
  }
}
