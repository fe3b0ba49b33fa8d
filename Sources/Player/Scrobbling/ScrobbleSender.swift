// SPDX-License-Identifier: GPL-3.0-or-later

import Network

/// Sends what waits for one service, in order, until nothing is left or the service does not accept more.
///
/// An entry is removed once the service has accepted it. If the answer is lost, or the process is killed before it has
/// removed the entry, the entry is sent again; the services then recognise it by its time and names.
struct ScrobbleSender {
  /// Why sending has ended.
  enum End: Sendable, Equatable {
    /// Nothing is left.
    case done
    /// Something is left, to be sent after this time.
    case later(Duration)
    /// The service has refused the token, now or before.
    case tokenRefused(reason: String?)
  }

  /// The pauses after failures: the first, the second, and the longest.
  private static let pauses: (first: Int64, second: Int64, longest: Int64) = (5, 30, 1_800)
  /// The longest pause that a service may ask for, in seconds.
  private static let longestRetry: Int64 = 3_600
  /// How far ahead of this clock a listen may be. Its clock may have been set back since then.
  static let futureTolerance: Int64 = 60

  let client: any ScrobbleClient
  let outbox: ScrobbleOutbox
  let transport: HTTPTransport
  /// Returns the time in seconds since 1970.
  let now: @Sendable () -> Int64

  private var service: ScrobbleService { client.service }

  /// The time until which nothing must be sent; `nil` if something may be sent now.
  ///
  /// A time that is farther away than the longest pause was noted before the clock was set back.
  static func pause(_ state: ScrobbleOutbox.ServiceState, now: Int64) -> Duration? {
    guard let time = state.retryTime, time > now, time - now <= longestRetry else { return nil }
    return .seconds(time - now)
  }

  /// Sends what waits. Blocks until there are answers.
  ///
  /// - Parameter isStopped: Whether to stop before the next request.
  func send(ignoringPause: Bool = false, isStopped: () -> Bool = { false }) throws(ScrobbleProblem) -> End {
    let state = try outbox.serviceState(service)
    if state.refusedToken == client.tokenDigest { return .tokenRefused(reason: nil) }
    if !ignoringPause, let pause = Self.pause(state, now: now()) { return .later(pause) }
    var limit = client.batchLimit
    while !isStopped() {
      let entries = try outbox.next(for: service, limit: limit, until: now() + Self.futureTolerance)
      guard let first = entries.first else { return .done }
      switch verdict(on: entries) {
      case .received(let outcomes):
        if let end = finish(entries, outcomes) { return end }
        limit = min(2 * limit, client.batchLimit)
      // Halving finds the bad ones, and the good ones between them are sent in their order.
      case .refused where entries.count > 1: limit = max(1, entries.count / 2)
      case .refused(let reason): drop([first], reason)
      case .tokenRefused(let reason):
        let digest = client.tokenDigest
        outbox.update(service) { ($0.refusedToken, $0.problem) = (digest, "the token was refused: \(reason)") }
        return .tokenRefused(reason: reason)
      case .later(let reason, let delay): return postpone(reason, delay)
      }
    }
    return .done
  }

  /// Reports what is playing, unless the service wants to be left alone. This is not tried again.
  func sendNowPlaying(_ listen: Listen) {
    guard let state = try? outbox.serviceState(service), state.refusedToken != client.tokenDigest,
      Self.pause(state, now: now()) == nil
    else { return }
    _ = try? transport(client.nowPlaying(listen))
  }

  private func verdict(on entries: [ScrobbleOutbox.Entry]) -> ScrobbleVerdict {
    let listens = entries.compactMap { if case .listen(let listen) = $0.content { listen } else { nil } }
    let request: HTTPRequest
    if case .love(let love)? = entries.first?.content {
      guard let loving = client.love(love) else { return .refused("the file has no MusicBrainz ID of its recording") }
      request = loving
    } else {
      request = client.submission(listens)
    }
    do throws(HTTPError) {
      return client.verdict(try transport(request), listens: listens.isEmpty ? nil : listens.count)
    } catch {
      return .later(error.description, after: nil)
    }
  }

  /// Removes what the service has received. Returns an end if it wants some of it later.
  private func finish(_ entries: [ScrobbleOutbox.Entry], _ outcomes: [ScrobbleVerdict.Outcome]) -> End? {
    var removed: [Int64] = []
    var dropped: [(ScrobbleOutbox.Entry, String)] = []
    var postponed: String?
    for (entry, outcome) in zip(entries, outcomes) {
      switch outcome {
      case .accepted: removed.append(entry.id)
      case .dropped(let reason): dropped.append((entry, reason))
      case .postponed(let reason): postponed = reason
      }
    }
    outbox.remove(removed)
    let (count, time) = (removed.count, now())
    outbox.update(service) { state in
      if count > 0 { (state.lastSent, state.sentCount) = (time, state.sentCount &+ count) }
      (state.problem, state.failureCount, state.retryTime, state.refusedToken) = (nil, 0, nil, nil)
    }
    for (entry, reason) in dropped { drop([entry], reason) }
    return postponed.map { postpone($0, .seconds(Self.longestRetry)) }
  }

  private func drop(_ entries: [ScrobbleOutbox.Entry], _ reason: String) {
    outbox.remove(entries.map(\.id))
    outbox.update(service) { state in
      state.droppedCount += entries.count
      state.lastDropped = entries.last.map { "\($0.content.title): \(reason)" }
    }
  }

  private func postpone(_ reason: String, _ wanted: Duration?) -> End {
    let time = now()
    var pause: Int64 = 0
    outbox.update(service) { state in
      let doublings = min(state.failureCount, 10)
      let usual =
        doublings == 0 ? Self.pauses.first : min(Self.pauses.second << Int64(doublings - 1), Self.pauses.longest)
      pause = wanted.map { min(max(1, $0.components.seconds), Self.longestRetry) } ?? usual
      state.failureCount += 1
      (state.problem, state.retryTime) = (reason, time &+ pause)
    }
    return .later(.seconds(pause))
  }
}

extension ScrobbleOutbox.Content {
  /// The title of the track.
  var title: String {
    switch self {
    case .listen(let listen): listen.title
    case .love(let love): love.title
    }
  }
}
