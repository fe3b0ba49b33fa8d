import Platform
import QueueFlow
import SystemPackage

/// A mark in the state directory that a server is playing: a file that exists while it does, and is left behind where
/// the server is killed.
struct PlayingMark {
  private let file: FilePath
  private var isSet: Bool

  /// The mark in the state directory `directory`.
  init(in directory: FilePath) {
    file = directory.appending("playing")
    isSet = (try? FileStatus(of: file, followingLinks: false)) != nil
  }

  /// Whether the last server was playing when it ended, and no other player has been there since.
  var isLeft: Bool { isSet }

  /// Sets or removes the mark for `state`; where it cannot be written, nothing will be resumed.
  mutating func note(_ state: PlaybackState) {
    let isPlaying = state.phase == .playing
    guard isPlaying != isSet else { return }
    if isPlaying {
      isSet = (try? AtomicFile.write([UInt8](), to: file)) != nil
    } else {
      remove()
    }
  }

  /// Removes the mark.
  mutating func remove() {
    if isSet { try? AtomicFile.remove(file) }
    isSet = false
  }
}
