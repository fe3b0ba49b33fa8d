// SPDX-License-Identifier: GPL-3.0-or-later

import Network
import Platform

/// What commands do: log in and out, report, and send.
extension ScrobbleContext {
  /// How long a command waits for another process that is sending, in milliseconds.
  private static var lockTimeout: UInt64 { 30_000 }

  // MARK: Accounts

  /// Logs in to ListenBrainz with the user's token; returns the name of the user. Blocks until the server answers.
  public func logIn(listenBrainzToken token: String) throws(ScrobbleProblem) -> String {
    let client = listenBrainz(token)
    guard let user = try ListenBrainzClient.user(try answer(to: client.validation)) else {
      throw ScrobbleProblem("\(ScrobbleService.listenBrainz.title) refuses the token")
    }
    var accounts = try accountsFile.read()
    accounts.listenBrainz = ScrobbleAccounts.ListenBrainz(token: token, user: user)
    try accountsFile.write(accounts)
    retry(.listenBrainz)
    return user
  }

  /// A login at Last.fm that the user has to allow in a browser.
  public struct Permission: Sendable {
    let client: LastFMClient
    let key: String
    let secret: String
    let token: String
    /// The page on which the user allows it.
    public let address: String
  }

  /// Begins to log in to Last.fm with the user's API key and its secret. Blocks until the server answers.
  public func beginLogIn(lastFMKey key: String, secret: String) throws(ScrobbleProblem) -> Permission {
    let client = LastFMClient(address: settings.lastFMAddress, key: key, secret: secret)
    let login = try LastFMClient.login(try answer(to: client.tokenRequest))
    guard let token = login.token else { throw Self.refusal(login) }
    return Permission(
      client: client, key: key, secret: secret, token: token, address: client.permissionAddress(token))
  }

  /// Ends a login at Last.fm; returns the name of the user, or `nil` if the user has not allowed it yet. Blocks until
  /// the server answers.
  public func endLogIn(_ permission: Permission) throws(ScrobbleProblem) -> String? {
    let login = try LastFMClient.login(try answer(to: permission.client.sessionRequest(permission.token)))
    guard let session = login.session else {
      if login.isWaiting { return nil }
      throw Self.refusal(login)
    }
    var accounts = try accountsFile.read()
    accounts.lastFM = ScrobbleAccounts.LastFM(
      key: permission.key, secret: permission.secret, session: session.key, user: session.name)
    try accountsFile.write(accounts)
    retry(.lastFM)
    return session.name
  }

  /// Removes the account of a service, and what waits for it. Returns how many entries waited; `nil` if there was no
  /// account.
  public func logOut(_ service: ScrobbleService) throws(ScrobbleProblem) -> Int? {
    var accounts = try accountsFile.read()
    guard accounts.remove(service) else { return nil }
    try accountsFile.write(accounts)
    let count = try outbox.count(for: service, after: now()).all
    try outbox.forget(service)
    return count
  }

  private static func refusal(_ login: LastFMClient.Login) -> ScrobbleProblem {
    ScrobbleProblem("\(ScrobbleService.lastFM.title): \(login.message ?? "the server answers something else")")
  }

  private func answer(to request: HTTPRequest) throws(ScrobbleProblem) -> HTTPAnswer {
    do throws(HTTPError) { return try transport(request) } catch { throw ScrobbleProblem(error.description) }
  }

  /// Notes that with another token everything may be sent at once.
  private func retry(_ service: ScrobbleService) {
    guard outbox.isPresent else { return }
    outbox.update(service) { state in
      (state.problem, state.failureCount, state.retryTime, state.refusedToken) = (nil, 0, nil, nil)
    }
  }

  // MARK: Status

  /// What is known of scrobbling to a service.
  public struct Status: Sendable, Equatable {
    public let service: ScrobbleService
    /// The name of the user; `nil` if there is no account, empty if the name is not known.
    public var user: String?
    /// The number of listens and loves that wait.
    public var waitingCount = 0
    /// How many of them happened in the future, by the clock as it is now.
    public var futureCount = 0
    /// Why they wait, if something is wrong.
    public var problem: String?
    /// When to try again, in seconds since 1970.
    public var retryTime: Int64?
    /// Whether nothing is sent until the user logs in again.
    public var isTokenRefused = false
    /// When something was sent last, in seconds since 1970, and how much was sent in all.
    public var lastSent: Int64?
    public var sentCount = 0
    /// How much was dropped, and the last of it with the reason.
    public var droppedCount = 0
    public var lastDropped: String?
  }

  /// Returns the status of every service. Neither waits for the network nor creates files.
  public func status() throws(ScrobbleProblem) -> [Status] {
    let accounts = try accountsFile.read()
    let time = now()
    return try ScrobbleService.allCases.map { service throws(ScrobbleProblem) in
      var status = Status(service: service)
      switch service {
      case .listenBrainz: status.user = accounts.listenBrainz?.user ?? (settings.tokenCommand.isEmpty ? nil : "")
      case .lastFM: status.user = accounts.lastFM?.user
      }
      let state = try outbox.serviceState(service)
      let count = try outbox.count(for: service, after: time + ScrobbleSender.futureTolerance)
      (status.waitingCount, status.futureCount) = (count.all, count.later)
      (status.problem, status.isTokenRefused) = (state.problem, state.refusedToken != nil)
      if ScrobbleSender.pause(state, now: time) != nil { status.retryTime = state.retryTime }
      (status.lastSent, status.sentCount) = (state.lastSent, state.sentCount)
      (status.droppedCount, status.lastDropped) = (state.droppedCount, state.lastDropped)
      return status
    }
  }

  /// Sends what waits, at once, whatever pause a service wants. Blocks until it is sent, or until something goes wrong,
  /// which ``status()`` tells.
  public func send() throws(ScrobbleProblem) {
    var problem: ScrobbleProblem?
    let clients = clients { problem = $0 }
    if let problem { throw problem }
    guard let lock = try lock(until: MonotonicInstant.now.advanced(byMilliseconds: Self.lockTimeout)) else {
      throw ScrobbleProblem("a player is sending right now; see `segue scrobble status`")
    }
    for client in clients { _ = try sender(client).send(ignoringPause: true) }
    withExtendedLifetime(lock) {}
  }
}
