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
  /// The outputs of this machine that can be chosen. A sound card is also among them by each of `names` that means it.
  /// Blocks while devices and servers are asked.
  package var list: @Sendable (_ names: [String]) -> [AvailableOutput]
  /// Plays to another output from the next opening on, as for `--output`. `check` is called first with its file, if it
  /// is one.
  package var use:
    @Sendable (_ name: String, _ check: (FilePath?) throws(PlayerError) -> Void) throws(PlayerError) -> Void

  /// Follows the list of preferred outputs; `nil` if none can be followed.
  package var follower: OutputFollower?

  package init(
    name: @escaping @Sendable () -> String?, file: @escaping @Sendable () -> FilePath?,
    list: @escaping @Sendable (_ names: [String]) -> [AvailableOutput],
    use:
      @escaping @Sendable (_ name: String, _ check: (FilePath?) throws(PlayerError) -> Void) throws(PlayerError) -> Void
  ) {
    self.name = name
    self.file = file
    self.list = list
    self.use = use
  }
}

extension LocalPlayer {
  /// The rows of the outputs: first the one that is used, then the others that can be chosen.
  var outputs: [ListRow] {
    let state = parts.playback.state
    let isOn = state.isOutputEnabled
    guard let output = parts.output else { return [] }
    let name = output.name() ?? state.output?.name ?? "pulse"
    let preferred = output.follower?.list
    let available = output.list(preferred?.entries ?? [])
    func text(_ name: String, _ text: String) -> String {
      preferred?.number(of: name, among: available).map { "preferred \($0): \(text)" } ?? text
    }
    return [ListRow(.output(name), title: name, artist: text(name, isOn ? "on" : "off"))]
      + available.filter { $0.name != name }.map {
        ListRow(.output($0.name), title: $0.name, artist: text($0.name, $0.title))
      }
  }

  /// Follows another list of preferred outputs from now on; none if it is empty.
  ///
  /// - Throws: `PlayerError` if an entry is not possible, or if the output is a file.
  func preferOutputs(_ entries: [String]) throws(PlayerError) {
    guard let output = parts.output, let follower = output.follower else { throw .noPlayer }
    if let problem = PreferredOutputs.problem(of: entries) { throw PlayerError(.usage, problem) }
    if output.file() != nil, !entries.isEmpty {
      throw PlayerError(.usage, "the player writes to a file, which no other output replaces")
    }
    follower.follow(PreferredOutputs(entries))
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
    let count = parts.playback.state.outputSwitch.count
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
    output.follower?.choose(name)
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
