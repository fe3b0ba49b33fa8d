// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import Screens
import Synchronization
import Terminal
import UnicodeText

/// The delegate that connects the line editor to the REPL. It provides the prompt, the messages and the search. Used on
/// the main thread.
final class ReplSurroundings: LineEditorDelegate {
  private let session: Session
  private let signals: ReplSignals
  private let news: ReplNews
  private let manner: OutputStyle
  private let knock = Knock()
  private var subscription: Subscription?
  private var attached: AttachedPlayer?
  private var messages: [String] = []

  /// Creates the delegate for `session`. The notices of `news` are printed above the line.
  init(_ session: Session, signals: ReplSignals, news: ReplNews, manner: OutputStyle) {
    self.session = session
    self.signals = signals
    self.news = news
    self.manner = manner
    let (events, knock) = (signals.events, knock)
    let wake: @Sendable () -> Void = {
      if !knock.isPosted.exchange(true, ordering: .relaxed) { events.post(.changed) }
    }
    if case .attached(let socket) = session.face {
      // If this fails, the prompt does not show the player.
      attached = try? session.attachedPlayer(at: socket)
      subscription = attached?.observe(wake)
    } else {
      subscription = session.services.playback.observe { _ in wake() }
    }
  }

  var events: EventQueue<LineEvent> { signals.events }
  var hasCaughtSignal: Bool { signals.caughtSignal != nil }

  func prompt(columns: Int) -> ReplPrompt {
    if let attached { return ReplPrompt(attached.prompt, columns: columns, isASCII: manner.isASCII) }
    let state = session.services.playback.state
    let queue = session.services.queue.queue
    let position = state.item.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    return ReplPrompt(
      state, title: position.map { queue.items[$0].track.title }, columns: columns, isASCII: manner.isASCII)
  }

  func takeMessages() -> [String] {
    knock.isPosted.store(false, ordering: .relaxed)
    defer { messages = [] }
    return (messages + news.takeProblems().map(\.safeForTerminal) + news.takeTracks()).map(manner.signed)
  }

  func search() {
    let request = LibraryRequest(roots: session.library, dataDirectory: session.dataDirectory, in: session)
    do {
      messages += try SearchRun(session, request).run()
      news.passOverSaid()
    } catch let error as CommandError {
      messages.append("segue: \(error.message)".safeForTerminal)
    } catch {
      messages.append("segue: \(error)".safeForTerminal)
    }
    // Ctrl-C has only ended the search.
    if signals.caughtSignal == .interrupt { _ = signals.takeCaught() }
  }
}

/// A flag that prevents several pending wake-ups of the line editor. Set while one is pending.
private final class Knock: Sendable {
  let isPosted = Atomic(false)
}
