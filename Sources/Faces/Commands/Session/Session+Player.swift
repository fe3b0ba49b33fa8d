// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import Scrobbling
import SystemPackage
import UserSettings

/// The player to which a command refers, as its options name it.
struct PlayerTarget {
  /// The path of the socket as the user gave it; `nil` if the option is not given.
  var socket: String?
  /// The state directory as the user gave it; `nil` if the option is not given.
  var stateDir: String?
  /// Whether the command fails if no player is running.
  var needsRunningPlayer: Bool
}

extension PlayerTarget {
  /// The player or, if none is running, the stored queue that options name. If only a socket is given, the player there
  /// must be running, since the queue is its own.
  static func queue(_ options: StateOptions) -> PlayerTarget {
    PlayerTarget(
      socket: options.socket, stateDir: options.stateDir,
      needsRunningPlayer: options.socket != nil && options.stateDir == nil)
  }

  /// The running player that options name.
  static func player(_ options: StateOptions) -> PlayerTarget {
    PlayerTarget(socket: options.socket, stateDir: options.stateDir, needsRunningPlayer: true)
  }
}

extension Session {
  /// The maximum time in milliseconds to wait until a player that owns the queue opens its socket.
  private static var startTimeout: UInt64 { 5_000 }
  /// The time in milliseconds between attempts.
  private static var retryInterval: UInt64 { 20 }
  /// The maximum time in milliseconds to wait for the disk at the end of a command.
  private static var closingLimit: UInt64 { 5_000 }

  /// Sends a request to the player of `target`, or to the stored queue if there is none, and returns the result. Prints
  /// the warnings of the player.
  ///
  /// - Parameter changes: Whether the request may change a stored queue.
  func send(
    _ request: PlayerRequest, to target: PlayerTarget, changes: Bool = true
  ) throws -> PlayerReply.Result {
    try withPlayer(target, changes: changes) { try send(request, to: $0) }
  }

  /// Sends a request, prints the warnings of the player, and returns the result.
  func send(_ request: PlayerRequest, to player: any PlayerPort) throws(PlayerError) -> PlayerReply.Result {
    let seen = request.concernsPositions ? seenQueue : nil
    do throws(PlayerError) {
      let reply = try player.send(seen?.listed.map { .seeing($0, request) } ?? request)
      if let listed = reply.listed { seen?.store(listed) }
      printWarnings(reply.warnings)
      if player is LocalPlayer { printStorageNotices() }
      return reply.result
    } catch {
      printWarnings(error.warnings)
      throw error
    }
  }

  /// The queue as it was listed last: in this REPL or on this full screen or, outside of them, in the shell or by the
  /// script that has started this command.
  var seenQueue: ListedQueueFile? {
    ListedQueueFile(in: stateDirectory, reader: isConversation ? ProcessIdentity.own : ProcessIdentity.parent)
  }

  private func printWarnings(_ warnings: [String]) {
    let limit = warningLimit ?? .max
    for warning in warnings.prefix(limit) { printError("segue: \(warning)") }
    if warnings.count > limit { printError("segue: … and \(warnings.count - limit) more that cannot be played") }
  }

  /// Calls `body` with the player of `target` or, if none is running, with the stored queue.
  ///
  /// - Parameter changes: Whether `body` may change a stored queue.
  func withPlayer<Result>(
    _ target: PlayerTarget, changes: Bool, _ body: (any PlayerPort) throws -> Result
  ) throws -> Result {
    if let player, ownsPlayer || target.socket == nil && target.stateDir == nil {
      guard let stateDir = target.stateDir.map({ FilePath(typed: $0) }) else { return try body(player) }
      do throws(PlayerError) { _ = try player.send(.checkQueue(in: PathText(stateDir))) } catch {
        guard !changes else { throw error }
        return try body(storedQueue(in: stateDir))
      }
      return try body(player)
    }
    let directory = target.stateDir.map { FilePath(typed: $0) } ?? stateDirectory
    return try retryingWhenOwned {
      if let player = try runningPlayer(target) {
        // A player at another socket than that of the directory may have another queue.
        if changes, target.socket != nil, let stateDir = target.stateDir {
          _ = try player.send(.checkQueue(in: PathText(absolute: FilePath(typed: stateDir))))
        }
        return try body(player)
      }
      if target.needsRunningPlayer { throw PlayerError.noPlayer }
      return try changes ? withStoredQueue(in: directory, body) : body(storedQueue(in: directory))
    }
  }

  /// Calls `body`, and calls it again while a player in another process owns the queue, but cannot be reached yet.
  ///
  /// - Throws: `PlayerError` if that player cannot be reached in time, and the errors of `body`.
  func retryingWhenOwned<Result>(_ body: () throws -> Result) throws -> Result {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.startTimeout)
    while true {
      do { return try body() } catch let error as PlayerRunsElsewhereError {
        // The player has just ended, or is about to listen.
        guard MonotonicInstant.now < deadline else { throw error.refusal }
        if let status = SignalWatch.waitingSignals.lazy.compactMap(\.endingStatus).first {
          throw EndedBySignal(status: status)
        }
        MonotonicInstant.now.advanced(byMilliseconds: Self.retryInterval).sleep()
      }
    }
  }

  /// Connects to the player of `target`. Returns `nil` if no player is running, or if nobody answers at the socket and
  /// the command needs no running player: a new player then replaces the socket.
  func runningPlayer(_ target: PlayerTarget) throws(PlayerError) -> RemotePlayer? {
    let socket = socket(target.socket, stateDirectory: target.stateDir)
    do throws(ControlClientError) {
      let player = try RemotePlayer(socket)
      detail("player: \(socket)")
      return player
    } catch {
      switch error {
      case .notListening: return nil
      case .unreachable(.resourceTemporarilyUnavailable) where !target.needsRunningPlayer: return nil
      default: throw PlayerError(error, at: socket)
      }
    }
  }

  // MARK: The stored queue

  /// Returns the queue that is stored in `directory`, as it is now. Changes are not stored.
  private func storedQueue(in directory: FilePath) throws(QueueStorageError) -> LocalPlayer {
    printLocation(ofQueue: directory)
    let queues = services.storage.queues(directory, dataDirectory)
    let repository = queues.repository(of: queues.current)
    let dispatcher = QueueDispatcher()
    var queue = PlayQueue(named: queues.current)
    if let stored = try repository.peek() {
      guard let restored = PlayQueue(stored, name: queue.name) else { throw repository.damageError }
      queue = restored
    }
    let store = PlayerStore(PlayerState(queue), dispatcher: dispatcher)
    let actions = PlayerActionCreator(dispatcher: dispatcher)
    if let volume = try repository.peekHeader()?.volume { actions.setVolume(Volume(percent: volume)) }
    var parts = playerParts(QueueListener(store), PlaybackStore(store), actions)
    parts.queues = queues
    return LocalPlayer(parts)
  }

  /// Calls `body` with the queue that is stored in `directory`, and stores its changes.
  ///
  /// - Throws: ``PlayerRunsElsewhereError`` if a player in another process owns the queue.
  private func withStoredQueue<Result>(
    in directory: FilePath, _ body: (any PlayerPort) throws -> Result
  ) throws -> Result {
    printLocation(ofQueue: directory)
    let persister = try services.storage.makePersister(
      PersisterRequest(
        directory: directory, dataDirectory: dataDirectory, restoresVolume: true, newModes: settings.modes, use: .edit))
    defer { persister.finish(within: Self.closingLimit) }
    if case .other = persister.ownership { throw PlayerRunsElsewhereError(refusal: persister.refusal(directory)) }
    try persister.checkOwnership(of: directory)
    persister.awaitRecall()
    for notice in persister.takeNotices() { printError("segue: \(notice)", level: .warning) }
    var parts = playerParts(services.queue, services.playback, services.actions)
    parts.queues = persister.queues
    parts.flush = {
      guard let error = persister.flush() else { return nil }
      _ = persister.takeNotices()
      return PlayerError(.failure, error.description)
    }
    defer { for notice in persister.takeNotices() { printError("segue: \(notice)", level: .warning) } }
    return try body(LocalPlayer(parts))
  }

  /// Returns the parts of a port to the player, or to a stored queue, in these stores.
  func playerParts(
    _ queue: QueueListener, _ playback: PlaybackStore, _ actions: PlayerActionCreator
  ) -> LocalPlayer.Parts {
    var parts = LocalPlayer.Parts(
      queue: queue, playback: playback, actions: actions, access: services.library.access,
      library: libraryRequest(), stateDirectory: stateDirectory)
    parts.playlists = settings.playlists
    parts.equalisers = Environment.equalizerDirectory
    parts.newModes = settings.modes
    parts.makeTransform = services.player.makeTransform
    parts.didMark = scrobbling.noteMark
    return parts
  }

  /// Prints the messages about storing the queue that the user has not seen yet.
  private func printStorageNotices() {
    guard let persister, persister.ownership == .own else { return }
    for notice in persister.takeNotices() { printError("segue: \(notice)", level: .warning) }
  }
}

extension QueueStorageError {
  /// The error for an edit that the player has made but not stored.
  var ofEdit: PlayerError { PlayerError(.failure, "done, but not saved yet: \(description)") }
}

/// The error thrown if a signal ends a command that waits for another player.
struct EndedBySignal: Error {
  let status: ExitStatus
}

/// The error thrown if another process owns the queue, and so must execute the command.
struct PlayerRunsElsewhereError: Error, CustomStringConvertible {
  /// The error to report if the other process does not respond.
  let refusal: PlayerError

  var description: String { refusal.message }
}

extension PlayerError {
  /// Creates the error for a player at `socket` that could not be reached.
  init(_ failure: ControlClientError, at socket: FilePath) {
    switch failure {
    case .notListening: self = .noPlayer
    case .notAPlayer:
      self.init(.noAnswer, "another program is listening on \(socket): it does not speak the MPD protocol")
    case .insecure(let problem): self.init(.failure, "\(problem)")
    case .stopped(let process):
      self.init(
        .noAnswer,
        "the player (process \(process)) is suspended, for example by Ctrl-Z: run `fg` in its terminal, or `kill -CONT \(process)`"
      )
    case .unreachable(.resourceTemporarilyUnavailable):
      self.init(
        .noAnswer,
        "the program at \(socket) is not responding: it may be a suspended player, or another program")
    case .refused(let refusal) where refusal.code == .unknown:
      self.init(.noAnswer, "an MPD server other than Segue is listening on \(socket)")
    case .unreachable(.connectionReset): self.init(.failure, "the player at \(socket) ended before it responded")
    case .unreachable(let error): self.init(.failure, "the player at \(socket) cannot be reached: \(error)")
    case .refused(let error): self.init(.failure, "the player at \(socket) refused: \(error.message)")
    }
  }

  /// Creates the error to report for an error that a command has thrown. Returns `nil` if it is neither an error of
  /// Segue nor of the system; the argument parser formats its own errors.
  init?(of error: any Error) {
    switch error {
    case let error as PlayerError: self = error
    case let error as PlayerRunsElsewhereError: self = error.refusal
    case let error as LibraryError: self.init(error)
    case let error as LibraryQueryError: self.init(error)
    case let error as QueueStorageError: self.init(.failure, error.description)
    case let error as ScrobbleProblem: self.init(.failure, error.description)
    case let error as SettingsProblem: self.init(.failure, error.description)
    case let error as SettingAssignmentError: self.init(.usage, error.message)
    case let error as Errno: self.init(.failure, "system error: \(error)")
    default: return nil
    }
  }
}
