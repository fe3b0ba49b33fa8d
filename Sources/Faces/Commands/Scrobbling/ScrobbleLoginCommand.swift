// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerPort
import Screens
import Scrobbling
import UnicodeText

/// The `scrobble login` command: asks for what a service needs, and stores the account.
struct ScrobbleLoginCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in to ListenBrainz or Last.fm.",
    discussion: """
      For ListenBrainz, asks for your token; for Last.fm, for an API key and its secret, and lets you allow access in a browser. What you \
      type can also come from a pipe, a line each. The account is stored in a file that only you can read, and a running player uses it \
      from the next track on.

      Examples:
        scrobble login
        scrobble login lastfm
      """)

  @OptionGroup var named: ServiceArgument
  @OptionGroup var data: DataOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let service = named.service
    let context = session.scrobbling(in: data.directory(in: session))
    let events = try EventQueue<ViewEvent>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    var prompt = LinePrompt(events)
    let user =
      switch service {
      case .listenBrainz: try logInToListenBrainz(context, &prompt, session)
      case .lastFM: try logInToLastFM(context, &prompt, session)
      }
    withExtendedLifetime(watch) {}
    session.confirm("logged in to \(service.title) as \(user)".safeForTerminal)
  }

  private func logInToListenBrainz(
    _ context: ScrobbleContext, _ prompt: inout LinePrompt, _ session: Session
  ) throws -> String {
    if context.settings.listenBrainzAddress == nil {
      session.confirm("Your token is on https://listenbrainz.org/settings/")
    }
    return try context.logIn(listenBrainzToken: try answer("token: ", &prompt, isSecret: true))
  }

  private func logInToLastFM(
    _ context: ScrobbleContext, _ prompt: inout LinePrompt, _ session: Session
  ) throws -> String {
    if context.settings.lastFMAddress == nil {
      session.confirm("Create an API key of your own on https://www.last.fm/api/account/create")
    }
    let key = try answer("API key: ", &prompt)
    let secret = try answer("shared secret: ", &prompt, isSecret: true)
    let permission = try context.beginLogIn(lastFMKey: key, secret: secret)
    session.printLine("Open this page, and allow access: \(permission.address)".safeForTerminal)
    while true {
      _ = try answer("Then press Enter: ", &prompt, mayBeEmpty: true)
      if let user = try context.endLogIn(permission) { return user }
      session.printError("segue: access is not allowed yet")
    }
  }

  private func answer(
    _ question: String, _ prompt: inout LinePrompt, isSecret: Bool = false, mayBeEmpty: Bool = false
  ) throws -> String {
    switch prompt.ask(question, isSecret: isSecret) {
    case .line(let line):
      let text = line.filter { !$0.isWhitespace }
      if !text.isEmpty || mayBeEmpty { return text }
      throw PlayerError(.usage, "nothing was typed, so that nothing has changed")
    case .none: throw PlayerError(.usage, "nothing was typed, so that nothing has changed")
    case .ended(let status): throw EndedBySignal(status: status)
    }
  }
}
