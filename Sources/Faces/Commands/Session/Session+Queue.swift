// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import Screens
import SystemPackage
import UserSettings

extension Session {
  /// The maximum time in milliseconds to wait for the disk at the end of a command.
  private static var closingLimit: UInt64 { 5_000 }

  /// Runs `body`, which edits the queue by dispatching actions. Returns after the edits have been stored.
  ///
  /// In the REPL, the queue is that of the player. On the command line, it is the stored queue, which is restored into
  /// `services.queue` first.
  ///
  /// - Throws: `PlayerIsElsewhere` if a player in another process owns the queue, `CommandError` if the queue cannot be
  ///   stored, and the errors of `body`.
  func withQueue(_ state: StateOptions, _ body: () throws -> Void) throws {
    if try isPlayersQueue(state) {
      try body()
      services.actions.awaitDelivery()
      return try flush()
    }
    if face.isPlayer {
      throw CommandError(
        .usage,
        "the player uses the queue in \(stateDirectory.shown): quit the player to edit the one in \(state.directory(in: self).shown)"
      )
    }
    let directory = state.directory(in: self)
    tellPlace(ofQueue: directory)
    let keeper = try services.storage.makeKeeper(
      KeeperRequest(directory: directory, takesVolume: true, newModes: settings.modes, use: .edit))
    defer { keeper.finish(within: Self.closingLimit) }
    if case .other = keeper.ownership { throw PlayerIsElsewhere(refusal: keeper.refusal(directory)) }
    try keeper.checkThatItKeeps(directory)
    keeper.awaitRecall()
    tellNotices(of: keeper)
    try body()
    if let fault = keeper.flush() {
      _ = keeper.takeNotices()
      throw CommandError(.failure, fault.description)
    }
    tellNotices(of: keeper)
  }

  /// Returns the queue of the player in this process or, if there is none, the stored queue.
  ///
  /// - Throws: `CommandError` if it cannot be read.
  func keptQueue(_ state: StateOptions) throws -> PlayQueue {
    if try isPlayersQueue(state) { return services.queue.queue }
    let directory = state.directory(in: self)
    tellPlace(ofQueue: directory)
    let repository = services.storage.repository(directory)
    do throws(QueueFault) {
      guard let kept = try repository.look() else { return PlayQueue() }
      guard let queue = PlayQueue(kept) else { throw repository.damaged }
      return queue
    } catch {
      throw CommandError(.failure, error.description)
    }
  }

  /// Returns whether a command refers to the queue of this process's player, because it has no state directory option,
  /// or that of the player.
  private func isPlayersQueue(_ state: StateOptions) throws(Errno) -> Bool {
    guard face.isPlayer else { return false }
    guard state.stateDir != nil else { return true }
    let directory = state.directory(in: self)
    if try directory.absolute() == stateDirectory.absolute() { return true }
    guard let identity = try? FileStatus(of: directory).identity else { return false }
    return identity == (try? FileStatus(of: stateDirectory).identity)
  }

  /// Blocks until all dispatched changes are stored, if this process owns the stored queue.
  ///
  /// - Throws: `CommandError` if they cannot be stored. The changes are in effect nevertheless, and are stored as soon
  ///   as possible.
  func flush() throws(CommandError) {
    if let fault = storageFault() { throw CommandError(.failure, fault.ofEdit) }
  }

  /// Blocks until all dispatched changes are stored, and prints an error if they cannot be.
  func tellIfNotStored() {
    if let fault = storageFault() { complain("segue: \(fault)") }
  }

  private func storageFault() -> QueueFault? {
    guard let keeper, keeper.ownership == .own else { return nil }
    let fault = keeper.flush()
    for notice in keeper.takeNotices() where notice != fault?.description { complain("segue: \(notice)") }
    return fault
  }

  private func tellNotices(of keeper: QueuePersister) {
    for notice in keeper.takeNotices() { complain("segue: \(notice)") }
  }
}

extension QueueFault {
  /// The error message for an edit that the player has made but not stored.
  var ofEdit: String { "done, but not saved yet: \(description)" }
}

extension QueuePersister {
  /// Throws an error unless this process owns the queue in `directory`.
  func checkThatItKeeps(_ directory: FilePath) throws(CommandError) {
    if ownership != .own { throw refusal(directory) }
  }

  /// Returns the error for a queue in `directory` that this process does not own.
  func refusal(_ directory: FilePath) -> CommandError {
    switch ownership {
    case .own, .other(nil):
      CommandError(
        .failure, "another process is using the queue in \(directory.shown): end it first (a player with `segue quit`)")
    case .other(let process?):
      CommandError(
        .failure,
        "another process (\(process)) is using the queue in \(directory.shown): end it first (a player with `segue quit`)"
      )
    case .none(let error):
      CommandError(
        .failure,
        "cannot save the queue in \(directory.shown): \(error); choose another directory with --state-dir"
      )
    }
  }

  /// Returns the warning for a new player whose queue will not be stored; `nil` if it will be.
  func warning(_ directory: FilePath) -> String? {
    switch ownership {
    case .own: nil
    case .other(let process):
      "another player\(process.map { " (process \($0))" } ?? "") is using the queue: what plays here is not saved"
    case .none(let error): "cannot save the queue in \(directory.shown): \(error)"
    }
  }
}

extension Session {
  func checkThatSomethingPlays() throws(CommandError) {
    if services.playback.state.phase == .stopped {
      throw CommandError(.nothingPlayable, "nothing is playing: play an album first")
    }
  }

  /// Prints an error if playback was requested while the output is disabled.
  func tellIfOutputIsDisabled() {
    if services.playback.state.isOutputMissed { complain("segue: \(PlayerStatus.disabledOutput)") }
  }

  func checkThatThereIsACurrentTrack() throws(CommandError) {
    let queue = services.queue.queue
    if queue.items.isEmpty { throw CommandError.emptyQueue }
    if queue.current == nil {
      throw CommandError(
        .nothingPlayable, "the queue has ended: `resume` plays it from the beginning, `previous` plays its last track")
    }
  }
}
