// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
import Synchronization

/// Records what a ``PlayCounter`` reports in a library: counts of tracks, and the play log. If the library cannot be
/// written, nothing is recorded, and playback continues.
public final class PlayRecord: Sendable {
  private let library: any StickerRepository & PlayLogRepository
  private let logsPlays: Bool
  /// The play that was logged last, which may not have ended.
  private let lastPlay = Mutex<(id: Int64, start: Int64)?>(nil)

  /// Creates a record in `library`.
  ///
  /// - Parameter logsPlays: Whether plays are added to the log.
  public init(_ library: any StickerRepository & PlayLogRepository, logsPlays: Bool) {
    self.library = library
    self.logsPlays = logsPlays
  }

  /// Records an event. Blocks until it is written. Returns whether counts have changed.
  public func receive(_ event: PlayCounter.Event) -> Bool {
    switch event {
    case .started: return false
    case .played(let listening):
      if logsPlays {
        let play = LoggedPlay(
          time: listening.start, heard: listening.heard, origin: listening.origin, track: listening.track)
        let id = try? library.log(play)
        lastPlay.withLock { $0 = id.map { ($0, listening.start) } }
      }
      return count(.play, listening.track, at: listening.start)
    case .finished(let listening):
      let last = lastPlay.withLock { last in
        defer { last = nil }
        return last
      }
      if let last, last.start == listening.start { try? library.setHeard(listening.heard, ofPlay: last.id) }
      return false
    case .skipped(let track): return count(.skip, track, at: WallClock.now / 1_000_000_000)
    }
  }

  private func count(_ count: PlayCount, _ track: Track, at time: Int64) -> Bool {
    (try? library.count(count, of: track.path, track.segment, at: time)) == true
  }
}
