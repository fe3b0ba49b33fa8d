// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
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
  /// - Throws: `PlayerRunsElsewhereError` if a player in another process owns the queue, `PlayerError` if the queue
  ///   cannot be stored, and the errors of `body`.
  func withQueue(_ state: StateOptions, _ body: () throws -> Void) throws {
    if try isPlayersQueue(state) {
      try body()
      services.actions.awaitDelivery()
      return try flush()
    }
    if origin.isPlayer {
      throw PlayerError(
        .usage,
        "the running player uses the queue in \(stateDirectory.shown); to edit the queue in \(state.directory(in: self).shown), quit the player first"
      )
    }
    let directory = state.directory(in: self)
    printLocation(ofQueue: directory)
    let persister = try services.storage.makePersister(
      PersisterRequest(directory: directory, restoresVolume: true, newModes: settings.modes, use: .edit))
    defer { persister.finish(within: Self.closingLimit) }
    if case .other = persister.ownership { throw PlayerRunsElsewhereError(refusal: persister.refusal(directory)) }
    try persister.checkOwnership(of: directory)
    persister.awaitRecall()
    reportNotices(of: persister)
    try body()
    if let error = persister.flush() {
      _ = persister.takeNotices()
      throw PlayerError(.failure, error.description)
    }
    reportNotices(of: persister)
  }

  /// Returns the queue of the player in this process or, if there is none, the stored queue.
  ///
  /// - Throws: `PlayerError` if it cannot be read.
  func currentOrStoredQueue(_ state: StateOptions) throws -> PlayQueue {
    if try isPlayersQueue(state) { return services.queue.queue }
    let directory = state.directory(in: self)
    printLocation(ofQueue: directory)
    let repository = services.storage.repository(directory)
    do throws(QueueStorageError) {
      guard let stored = try repository.peek() else { return PlayQueue() }
      guard let queue = PlayQueue(stored) else { throw repository.damageError }
      return queue
    } catch {
      throw PlayerError(.failure, error.description)
    }
  }

  /// Returns whether a command refers to the queue of this process's player, because its options name no state
  /// directory, or that of the player.
  private func isPlayersQueue(_ state: StateOptions) throws(Errno) -> Bool {
    guard origin.isPlayer else { return false }
    guard state.stateDir != nil else { return true }
    let directory = state.directory(in: self)
    if try directory.absolute() == stateDirectory.absolute() { return true }
    guard let identity = try? FileStatus(of: directory).identity else { return false }
    return identity == (try? FileStatus(of: stateDirectory).identity)
  }

  /// Blocks until all dispatched changes are stored, if this process owns the stored queue.
  ///
  /// - Throws: `PlayerError` if they cannot be stored. The changes are in effect nevertheless, and are stored as soon
  ///   as possible.
  func flush() throws(PlayerError) {
    if let error = storageError() { throw PlayerError(.failure, error.ofEdit) }
  }

  /// Blocks until all dispatched changes are stored, and prints an error if they cannot be.
  func reportStorageError() {
    if let error = storageError() { printError("segue: \(error)") }
  }

  private func storageError() -> QueueStorageError? {
    guard let persister, persister.ownership == .own else { return nil }
    let error = persister.flush()
    for notice in persister.takeNotices() where notice != error?.description {
      printError("segue: \(notice)", level: .warning)
    }
    return error
  }

  private func reportNotices(of persister: QueuePersister) {
    for notice in persister.takeNotices() { printError("segue: \(notice)", level: .warning) }
  }
}

extension QueueStorageError {
  /// The error message for an edit that the player has made but not stored.
  var ofEdit: String { "done, but not saved yet: \(description)" }
}

extension QueuePersister {
  /// Throws an error unless this process owns the queue in `directory`.
  func checkOwnership(of directory: FilePath) throws(PlayerError) {
    if ownership != .own { throw refusal(directory) }
  }

  /// Returns the error for a queue in `directory` that this process does not own.
  func refusal(_ directory: FilePath) -> PlayerError {
    switch ownership {
    case .own, .other(nil):
      PlayerError(
        .failure, "another process is using the queue in \(directory.shown): end it first (a player with `segue quit`)")
    case .other(let process?):
      PlayerError(
        .failure,
        "another process (\(process)) is using the queue in \(directory.shown): end it first (a player with `segue quit`)"
      )
    case .none(.noSpace), .none(.diskQuotaExceeded):
      PlayerError(
        .failure, "cannot save the queue in \(directory.shown): the disk is full; free some space")
    case .none(let error):
      PlayerError(
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
  func checkThatSomethingPlays() throws(PlayerError) {
    guard services.playback.state.phase == .stopped else { return }
    let hint = services.queue.queue.items.isEmpty ? "play an album first" : "`resume` plays the queue"
    throw PlayerError(.nothingPlayable, "nothing is playing: \(hint)")
  }

  /// Prints an error if playback was requested while the output is disabled.
  func reportDisabledOutput() {
    if services.playback.state.isOutputNeeded { printError("segue: \(PlayerStatus.disabledOutput)") }
  }

  func checkThatThereIsACurrentTrack() throws(PlayerError) {
    let queue = services.queue.queue
    if queue.items.isEmpty { throw PlayerError.emptyQueue }
    if queue.current == nil {
      throw PlayerError(
        .nothingPlayable, "nothing is playing: `resume` plays the queue from its beginning, `previous` its last track")
    }
  }
}
