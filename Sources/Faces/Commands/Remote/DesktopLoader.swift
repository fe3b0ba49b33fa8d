// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Playlists
import SystemPackage

/// Plays the files that the desktop opens, in the same way as `play` does its arguments. Files are loaded one after the
/// other, on a separate thread.
final class DesktopLoader: Sendable {
  /// The maximum number of waiting requests. Further requests are dropped.
  private static let limit = 1_000

  private let player: any PlayerPort
  private let worker = Worker<[FilePath]>(named: "segue-loader", [])

  /// Creates a loader for `player`.
  init(_ player: any PlayerPort) { self.player = player }

  deinit { worker.closeWhenIdle() }

  /// Plays the file, directory or stream at `path` asynchronously. Safe to call from any thread. Does nothing if no
  /// thread can be created.
  func load(_ path: FilePath) {
    worker.post { if $0.count < Self.limit { $0.append(path) } }
    do throws(Errno) {
      try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [player] path in
        let uri = StreamAddress(path)?.description ?? path.fileURI
        // Errors cannot be reported, since the desktop's call has already returned.
        _ = try? player.send(.play(MusicRequest(.uri(uri)), PlaybackOptions()))
      }
    } catch {
      worker.withPending { $0 = [] }
    }
  }
}
