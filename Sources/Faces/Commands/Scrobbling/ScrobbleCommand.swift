// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Scrobbling
import SystemPackage
import Terminal
import UnicodeText

/// The `scrobble` command and its subcommands: what is sent to ListenBrainz and Last.fm.
struct ScrobbleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrobble", abstract: "Send what you play to ListenBrainz and Last.fm.",
    discussion: """
      After `scrobble login`, players send what they play: what is playing, and every track of which half or four minutes were heard. \
      Without a network it waits on disk, and is sent later, in order. `segue help scrobbling` says more.

      Examples:
        scrobble login
        scrobble login lastfm
        scrobble status
      """,
    subcommands: [
      ScrobbleStatusCommand.self, ScrobbleLoginCommand.self, ScrobbleLogoutCommand.self, ScrobbleSendCommand.self,
    ], defaultSubcommand: ScrobbleStatusCommand.self)
}

/// The `scrobble status` command: shows what waits, and why.
struct ScrobbleStatusCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the accounts, what waits to be sent, and why.",
    discussion: """
      Examples:
        scrobble status
        scrobble status --json
      """)

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @OptionGroup var data: DataOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    for state in try session.scrobbling(in: data.directory(in: session)).status() {
      if json { try session.printJSON(ListedScrobbling(state)) } else { session.printLines(state.lines) }
    }
  }
}

/// The `scrobble logout` command: forgets an account.
struct ScrobbleLogoutCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Forget an account, and what waits for it.",
    discussion: """
      Examples:
        scrobble logout
        scrobble logout lastfm
      """)

  @OptionGroup var named: ServiceArgument
  @OptionGroup var data: DataOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let service = named.service
    guard let count = try session.scrobbling(in: data.directory(in: session)).logOut(service) else {
      throw PlayerError(.notFound, "there is no account at \(service.title)")
    }
    session.confirm(
      count == 0
        ? "logged out of \(service.title)"
        : "logged out of \(service.title), and removed \(ItemCount.text(count, "listen")) that waited")
  }
}

/// The `scrobble send` command: sends what waits now.
struct ScrobbleSendCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send what waits now.",
    discussion: """
      Players do this by themselves. This command sends without a player, and does not wait for the time of the next attempt.

      Examples:
        scrobble send
      """)

  @OptionGroup var data: DataOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let context = session.scrobbling(in: data.directory(in: session))
    let before = try context.status()
    guard before.contains(where: { $0.user != nil }) else {
      throw ScrobbleProblem("there is no account: run `segue scrobble login`")
    }
    try context.send()
    let after = try context.status().filter { $0.user != nil }
    let sent = after.map(\.sentCount).reduce(0, +) - before.map(\.sentCount).reduce(0, +)
    session.confirm("sent \(max(0, sent))")
    let problems = after.filter { $0.waitingCount > $0.futureCount }.compactMap { state in
      state.problem.map { "\(state.service.title): \($0)" }
    }
    if !problems.isEmpty { throw ScrobbleProblem(problems.joined(separator: "; ")) }
  }
}

/// The argument that names a service.
struct ServiceArgument: ParsableArguments {
  /// The names of the services on the command line.
  private enum Name: String, ExpressibleByArgument, CaseIterable {
    case listenbrainz, lastfm
  }

  @Argument(help: ArgumentHelp("Service: listenbrainz or lastfm. Default: listenbrainz.", valueName: "service"))
  private var name: Name?

  var service: ScrobbleService { name == .lastfm ? .lastFM : .listenBrainz }
}

/// The JSON object that `scrobble status --json` prints for each service.
struct ListedScrobbling: Encodable, Equatable {
  let type = "scrobbling"
  let service: String
  let user: String?
  let isLoggedIn: Bool
  let waiting: Int
  let waitingForClock: Int
  let problem: String?
  let tokenRefused: Bool
  /// Times in seconds since 1970.
  let nextAttempt: Int64?
  let lastSent: Int64?
  let sent: Int
  let dropped: Int
  let lastDropped: String?

  init(_ state: ScrobbleContext.Status) {
    (service, isLoggedIn) = (state.service.rawValue, state.user != nil)
    user = state.user.flatMap { $0.isEmpty ? nil : $0 }
    (waiting, waitingForClock, problem) = (state.waitingCount, state.futureCount, state.problem)
    (tokenRefused, nextAttempt, lastSent) = (state.isTokenRefused, state.retryTime, state.lastSent)
    (sent, dropped, lastDropped) = (state.sentCount, state.droppedCount, state.lastDropped)
  }
}

extension ScrobbleContext.Status {
  /// The lines for people.
  fileprivate var lines: [String] {
    guard let user else {
      return [
        "\(service.title): not logged in; run `segue scrobble login \(service.rawValue)`"
          + (waitingCount > 0 ? "; \(waitingCount) wait" : "")
      ]
    }
    var lines = [user.isEmpty ? "\(service.title): logged in" : "\(service.title): logged in as \(user)"]
    let last = lastSent.flatMap(Self.time).map { ", the last \($0)" } ?? ""
    lines.append("  sent: \(sentCount)\(last)")
    lines.append("  waiting: \(waitingCount)" + (reason.map { "; \($0)" } ?? ""))
    if futureCount > 0 { lines.append("  of these, \(futureCount) are in the future: is the clock right?") }
    if droppedCount > 0 { lines.append("  dropped: \(droppedCount)" + (lastDropped.map { "; the last: \($0)" } ?? "")) }
    return lines.map(\.safeForTerminal)
  }

  /// Why something waits.
  private var reason: String? {
    guard let problem else {
      return waitingCount > futureCount ? "a player sends them, or `segue scrobble send`" : nil
    }
    if isTokenRefused { return "\(problem); run `segue scrobble login \(service.rawValue)`" }
    return problem + (retryTime.flatMap(Self.time).map { "; next attempt \($0)" } ?? "")
  }

  private static func time(_ seconds: Int64) -> String? {
    guard let local = LocalTime(secondsSince1970: seconds) else { return nil }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(local.day.text) \(padded(local.hour)):\(padded(local.minute))"
  }
}
