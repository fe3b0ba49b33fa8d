// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Network
public import Platform
import Synchronization

/// Sends what a player plays, on a thread of its own, which sleeps until there is something to send, or until it is
/// time to try again. Playing and ending never wait for it.
public final class Scrobbler: Sendable {
  /// The time in milliseconds after which to see whether another process is still sending.
  private static let lockRetry: UInt64 = 10_000

  private let context: ScrobbleContext
  private let clock: any MonotonicClock
  private let report: @Sendable (String) -> Void
  /// What is playing, until that is sent.
  private let worker: Worker<Listen?>
  private let isEnabled: Atomic<Bool>
  /// The problems that were reported, so that each is reported once.
  private let reported = Mutex<Set<String>>([])

  /// Creates a scrobbler. If there are accounts, it sends what is left from earlier.
  ///
  /// - Parameter report: Reports a problem to the user, in one line. Called on any thread.
  public init(
    _ context: ScrobbleContext, clock: any MonotonicClock = SystemClock(),
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.context, self.clock, self.report) = (context, clock, report)
    worker = Worker(named: "segue-scrobbler", nil, clock: clock)
    isEnabled = Atomic(false)
    if !services.isEmpty { wake() }
  }

  deinit { worker.close() }

  /// Stops sending. Waits at most until `deadline` for an answer; what it was for is sent again by the next player.
  public func finish(until deadline: MonotonicInstant) {
    worker.close()
    _ = worker.join(until: deadline)
  }

  /// Whether there were accounts when this was last looked up. Can be read from any thread, and does not block.
  public var isOn: Bool { isEnabled.load(ordering: .relaxed) }

  /// Receives that a track has started. Blocks until its file is read, if its title may be that of the file.
  public func started(_ track: Track, at time: Int64, duration: Duration?) {
    guard isOn, let listen = Listen(track, time: time, duration: duration), context.hasTitle(track)
    else { return }
    worker.withPending { $0 = listen }
    wake()
  }

  /// Receives that a track was played long enough to count. Blocks until that is stored.
  public func played(_ track: Track, at time: Int64, duration: Duration?) {
    do throws(ScrobbleProblem) { try context.played(track, at: time, duration: duration) } catch {
      say(error.description)
    }
    // Accounts may have been added or removed.
    if !services.isEmpty { wake() }
  }

  /// The services to which to send; looks them up.
  private var services: [ScrobbleService] {
    do throws(ScrobbleProblem) {
      let services = try context.services
      isEnabled.store(!services.isEmpty, ordering: .relaxed)
      return services
    } catch {
      say(error.description)
      return []
    }
  }

  /// Wakes the thread, which starts at the first call, to send what waits. Without a thread, everything stays in the
  /// outbox.
  public func wake() {
    worker.wake()
    try? worker.start { [weak self] in self?.step() }
  }

  private func say(_ problem: String) {
    if reported.withLock({ $0.insert(problem).inserted }) { report("scrobbling: \(problem)") }
  }

  /// Sends what there is; returns when to try again.
  private func step() -> MonotonicInstant? {
    guard !worker.isClosed else { return nil }
    let playing = worker.withPending { playing in
      defer { playing = nil }
      return playing
    }
    let clients = context.clients { say($0.description) }
    if let playing {
      for client in clients where !worker.isClosed { context.sender(client).sendNowPlaying(playing) }
    }
    do throws(ScrobbleProblem) {
      var waiting: [any ScrobbleClient] = []
      for client in clients { if try isWaiting(for: client.service) { waiting.append(client) } }
      if waiting.isEmpty { return nil }
      guard let lock = try context.lock(until: .now) else { return clock.now.advanced(byMilliseconds: Self.lockRetry) }
      var next: Duration?
      for client in waiting where !worker.isClosed {
        switch try context.sender(client).send(isStopped: { worker.isClosed }) {
        case .done: break
        case .later(let pause): next = min(next ?? pause, pause)
        case .tokenRefused(let reason):
          if let reason {
            let (title, name) = (client.service.title, client.service.rawValue)
            say("\(title) refuses the token (\(reason)): run `segue scrobble login \(name)`")
          }
        }
      }
      withExtendedLifetime(lock) {}
      return next.map { clock.now.advanced(byMilliseconds: $0.wholeMilliseconds) }
    } catch {
      say(error.description)
      return nil
    }
  }

  private func isWaiting(for service: ScrobbleService) throws(ScrobbleProblem) -> Bool {
    let time = context.now() + ScrobbleSender.futureTolerance
    let (all, later) = try context.outbox.count(for: service, after: time)
    return all > later
  }
}
