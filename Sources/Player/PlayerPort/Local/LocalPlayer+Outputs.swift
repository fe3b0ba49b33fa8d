// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
package import SystemPackage

/// The output of a running player, which can be changed. The closures are called on any thread.
package struct OutputControl: Sendable {
  /// The output to which the player plays, or will play, as for `--output`; `nil` if it has chosen one itself.
  package var name: @Sendable () -> String?
  /// The file to which audio is written; "-" for standard output, `nil` if the output is a device.
  package var file: @Sendable () -> FilePath?
  /// The outputs of this machine that can be chosen. Blocks while devices and servers are asked.
  package var list: @Sendable () -> [AvailableOutput]
  /// Plays to another output from the next opening on, as for `--output`. `check` is called first with its file, if it
  /// is one.
  package var use:
    @Sendable (_ name: String, _ check: (FilePath?) throws(PlayerError) -> Void) throws(PlayerError) -> Void

  package init(
    name: @escaping @Sendable () -> String?, file: @escaping @Sendable () -> FilePath?,
    list: @escaping @Sendable () -> [AvailableOutput],
    use:
      @escaping @Sendable (_ name: String, _ check: (FilePath?) throws(PlayerError) -> Void) throws(PlayerError) -> Void
  ) {
    self.name = name
    self.file = file
    self.list = list
    self.use = use
  }
}

/// An output that can be chosen.
package struct AvailableOutput: Sendable, Hashable {
  /// The value for `--output`.
  package var name: String
  /// The description for people.
  package var title: String

  package init(name: String, title: String) {
    self.name = name
    self.title = title
  }
}

extension LocalPlayer {
  /// The rows of the outputs: first the one that is used, then the others that can be chosen.
  var outputs: [ListRow] {
    let state = parts.playback.state
    let isOn = state.isOutputEnabled
    guard let output = parts.output else { return [] }
    let name = output.name() ?? state.output?.name ?? "pulse"
    return [ListRow(.output(name), title: name, artist: isOn ? "on" : "off")]
      + output.list().filter { $0.name != name }.map { ListRow(.output($0.name), title: $0.name, artist: $0.title) }
  }

  /// How long to wait until another output has been opened, in milliseconds.
  private static let outputTimeout: UInt64 = 3_000

  /// The file to which audio is written; `nil` if the output is a device.
  var outputFile: FilePath? { parts.output?.file() }

  static func endlessFile(_ music: String) -> String { "\(music) is not written to a file, which would never end" }

  /// Plays to another output from now on. If something is playing, waits until that output has been opened.
  ///
  /// - Throws: `PlayerError` if there is no such output, or if it did not open, so that the one before is used on.
  func useOutput(_ name: String) throws(PlayerError) {
    guard let output = parts.output else { throw .noPlayer }
    try output.use(name) { file throws(PlayerError) in
      guard file != nil else { return }
      let queue = parts.queue.queue
      try TrackCollection(title: "", tracks: queue.items.map(\.track)).check(isNotWrittenTo: file)
      if parts.playback.state.loop?.end != nil {
        throw PlayerError(.failure, Self.endlessFile("a passage that is repeated"))
      }
      if queue.modes.repeat != .off || queue.modes.keepPlaying != nil {
        throw PlayerError(.failure, Self.endlessFile("a queue that repeats or is refilled"))
      }
    }
    let count = parts.playback.state.outputSwitch.count
    let isOpened = Latch()
    let subscription = parts.playback.observe { state in
      if state.outputSwitch.count != count || state.phase != .playing { isOpened.open() }
    }
    defer { subscription.cancel() }
    parts.actions.reopenOutput()
    guard isOpened.wait(until: MonotonicInstant.now.advanced(byMilliseconds: Self.outputTimeout)) else {
      throw PlayerError(.failure, "\(name) has not answered yet")
    }
    let outcome = parts.playback.state.outputSwitch
    if outcome.count != count, let failure = outcome.failure {
      throw PlayerError(.failure, "\(failure.description) (the output has not changed)")
    }
  }
}
