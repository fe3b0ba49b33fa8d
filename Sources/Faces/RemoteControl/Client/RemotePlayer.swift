// SPDX-License-Identifier: GPL-3.0-or-later

package import Flux
import Platform
package import PlayerPort
import Synchronization
package import SystemPackage

/// The player of another process of the same user, over one connection to its socket. When the player ends, this port
/// has ended, too: it never connects again. Safe to use from any thread.
package final class RemotePlayer: PlayerPort {
  /// The default time limit for what a player does at once.
  package static let timeout = Duration.seconds(5)

  private struct State: Sendable {
    var lastID: UInt64 = 0
    /// The answers that have arrived, and the requests that wait for one.
    var waiting: [UInt64: Waiting] = [:]
    var snapshot: PlayerSnapshot?
    /// The events so far, since the first snapshot.
    var events: RecentEvents?
    var isEnded = false
    /// The number of observers of each change of the position, and whether the player has been asked for these.
    var positionObservers = 0
    var observesPosition = false
    /// The observers of the sound, by the IDs of their frames.
    var soundObservers: [UInt64: SoundObserver] = [:]

    /// Returns the request for the next snapshot.
    mutating func nextObservation() -> ClientMessage {
      observesPosition = positionObservers > 0
      return .observe(everyPosition: observesPosition, events: events?.count)
    }
  }

  private struct SoundObserver: Sendable {
    let bands: Int
    let receive: @Sendable (SoundFrame) -> Void
  }

  private final class Waiting: Sendable {
    let isAnswered = Latch()
    let answer = Mutex<PlayerMessage?>(nil)
  }

  /// The path of the player's socket.
  package let path: FilePath
  private let socket: LocalSocket
  private let state = Mutex(State())
  private let requestTimeout: Duration
  private let writing = Mutex(())
  private let observers = Observers()
  private let hasSnapshot = Latch()
  private let end = Latch()

  /// Connects to the player that listens on the socket at `path`, and waits for its first snapshot.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for the first snapshot.
  ///   - requestTimeout: The time limit for requests that a player performs at once.
  /// - Throws: ``ControlClientError``, as for a player that does not respond or that ends meanwhile.
  package init(
    _ path: FilePath, timeout: Duration = RemotePlayer.timeout, requestTimeout: Duration = RemotePlayer.timeout
  ) throws(ControlClientError) {
    self.path = path
    self.requestTimeout = requestTimeout
    let connection = try ControlClient(path).port()
    socket = connection.socket
    do throws(Errno) {
      _ = try WorkerThread(name: "segue-replies") { [weak self] in Self.read(connection) { self?.receive($0) == true } }
    } catch {
      throw .unreachable(error)
    }
    _ = write { state.withLock { $0.nextObservation() } }
    guard hasSnapshot.wait(until: .now.advanced(byMilliseconds: timeout.wholeMilliseconds)) else {
      socket.shutDown()
      throw .unreachable(.resourceTemporarilyUnavailable)
    }
    if state.withLock({ $0.snapshot == nil }) { throw .unreachable(.connectionReset) }
  }

  deinit { socket.shutDown() }

  package var isEnded: Bool { state.withLock(\.isEnded) }

  /// Waits until the player closes the connection, as it does when it begins to end, but at most for `limit`. Returns
  /// whether it has.
  package func waitUntilEnded(within limit: Duration) -> Bool {
    end.wait(until: .now.advanced(byMilliseconds: limit.wholeMilliseconds))
  }

  // MARK: The port

  /// The last snapshot that has arrived.
  package var snapshot: PlayerSnapshot {
    state.withLock { state in
      var snapshot = state.snapshot ?? .unknown
      snapshot.events = state.events ?? RecentEvents()
      snapshot.isEnded = state.isEnded
      return snapshot
    }
  }

  package func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    let message = { ClientMessage.send(request, id: $0) }
    guard case .reply(let reply, _) = try answer(message, isSlow: request.mayTakeLong) else { throw .playerEnded }
    return reply
  }

  package func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows {
    guard case .rows(let rows, _) = try answer({ .queue(range, id: $0) }) else { throw .playerEnded }
    return rows
  }

  package func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer {
    // Large libraries and slow disks take their time.
    guard case .list(let answer, _) = try answer({ .list(request, id: $0) }, isSlow: true) else { throw .playerEnded }
    return answer
  }

  package func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let subscription = observers.add(onChange)
    _ = write {
      state.withLock { state in
        if everyPosition { state.positionObservers += 1 }
        return everyPosition && !state.observesPosition ? state.nextObservation() : nil
      }
    }
    onChange()
    return Subscription { [weak self] in
      subscription.cancel()
      if everyPosition { self?.state.withLock { $0.positionObservers -= 1 } }
    }
  }

  package func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    let id = state.withLock { state in
      state.lastID += 1
      state.soundObservers[state.lastID] = SoundObserver(bands: bands, receive: receive)
      return state.lastID
    }
    _ = write { .sound(bands: bands, id: id) }
    return Subscription { [weak self] in
      guard let self else { return }
      _ = write { state.withLock { $0.soundObservers.removeValue(forKey: id) }.map { _ in .endSound(id: id) } }
    }
  }

  // MARK: Messages

  /// Sends a message, and waits for the answer, without limit if it `isSlow`.
  private func answer(
    _ message: (UInt64) -> ClientMessage, isSlow: Bool = false
  ) throws(PlayerError) -> PlayerMessage {
    // It would perform the request later, when nobody expects that any more.
    if let process = socket.listeningProcess, ProcessIdentity.isStopped(process) { throw .notResponding }
    let waiting = Waiting()
    let id: UInt64? = state.withLock { state in
      guard !state.isEnded else { return nil }
      state.lastID += 1
      state.waiting[state.lastID] = waiting
      return state.lastID
    }
    guard let id else { throw .playerEnded }
    guard write({ message(id) }) else {
      state.withLock { _ = $0.waiting.removeValue(forKey: id) }
      throw .playerEnded
    }
    if isSlow {
      waiting.isAnswered.wait()
    } else if !waiting.isAnswered.wait(until: .now.advanced(byMilliseconds: requestTimeout.wholeMilliseconds)) {
      state.withLock { _ = $0.waiting.removeValue(forKey: id) }
      throw .noReply
    }
    switch waiting.answer.withLock({ $0.take() }) {
    case .failure(let error, _)?: throw error
    case let answer?: return answer
    case nil: throw .playerEnded
    }
  }

  /// Sends the message that `make` returns, if any. Returns whether that was possible.
  ///
  /// Messages are sent in the order in which they are made, so that none contradicts a newer one.
  private func write(_ make: () -> ClientMessage?) -> Bool {
    writing.withLock { _ in
      guard let message = make() else { return true }
      return (try? socket.write((JSONLine.text(message) + "\n").utf8)) != nil
    }
  }

  private static func read(_ connection: ControlClient, _ receive: (String?) -> Bool) {
    var connection = connection
    while let line = try? connection.nextLine(), receive(line) {}
    _ = receive(nil)
  }

  /// Handles a line from the player; `nil` if there will be no more. Returns whether to read on.
  private func receive(_ line: String?) -> Bool {
    guard let message: PlayerMessage = line.flatMap({ JSONLine.value($0) }) else {
      finish()
      return false
    }
    switch message {
    case .reply(_, let id), .rows(_, let id), .list(_, let id), .failure(_, let id): deliver(message, id)
    case .sound(let frame, let id):
      guard let observer = state.withLock({ $0.soundObservers[id] }) else { break }
      observer.receive(frame)
      // The observer may have cancelled its subscription. Its frames must not begin again.
      _ = write { state.withLock { $0.soundObservers[id] }.map { .sound(bands: $0.bands, id: id) } }
    case .snapshot(let snapshot):
      state.withLock { state in
        state.snapshot = snapshot
        if state.events == nil { state.events = snapshot.events } else { state.events?.append(snapshot.events) }
      }
      hasSnapshot.open()
      observers.notify()
      _ = write { state.withLock { $0.nextObservation() } }
    }
    return true
  }

  private func deliver(_ answer: PlayerMessage, _ id: UInt64) {
    guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    waiting.answer.withLock { $0 = answer }
    waiting.isAnswered.open()
  }

  private func finish() {
    let waiting = state.withLock { state in
      state.isEnded = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for request in waiting { request.isAnswered.open() }
    hasSnapshot.open()
    end.open()
    observers.notify()
  }
}
