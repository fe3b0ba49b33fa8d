// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import Terminal
import UnicodeText

/// The delegate that connects the line editor to the REPL. It provides the prompt, the messages and the search. Used on
/// the main thread.
final class ReplEditorDelegate: LineEditorDelegate {
  private let session: Session
  private let signals: ReplSignals
  private let notices: ReplNotices
  private let outputStyle: OutputStyle
  private let wakeFlag = WakeFlag()
  private var subscription: Subscription?
  private var messages: [String] = []

  /// Creates the delegate for `session`. The notices of `notices` are printed above the line.
  init(_ session: Session, signals: ReplSignals, notices: ReplNotices, outputStyle: OutputStyle) {
    self.session = session
    self.signals = signals
    self.notices = notices
    self.outputStyle = outputStyle
    let (events, wakeFlag) = (signals.events, wakeFlag)
    let wake: @Sendable () -> Void = {
      if !wakeFlag.isPosted.exchange(true, ordering: .relaxed) { events.post(.changed) }
    }
    subscription = session.player?.observe(everyPosition: true, wake)
  }

  var events: EventQueue<LineEvent> { signals.events }
  var hasCaughtSignal: Bool { signals.caughtSignal != nil }
  var hasSearch: Bool { true }

  func prompt(columns: Int) -> ReplPrompt {
    var subject: ReplPrompt.Subject?
    if let snapshot = session.player?.snapshot, !snapshot.isEnded, let song = snapshot.status.song {
      subject = ReplPrompt.Subject(
        snapshot.status.phase, position: snapshot.position(at: .now), title: song.title)
    }
    return ReplPrompt(subject, columns: columns, isASCII: outputStyle.isASCII)
  }

  func takeMessages() -> [String] {
    wakeFlag.isPosted.store(false, ordering: .relaxed)
    defer { messages = [] }
    return (messages + notices.takeProblems().map(\.safeForTerminal) + notices.takeTracks()).map(
      outputStyle.withSupportedSymbols)
  }

  func search() {
    do { try session.showSearch(session.libraryRequest()) } catch {
      messages.append("segue: \(PlayerError(of: error)?.message ?? "\(error)")".safeForTerminal)
    }
    // Ctrl-C has only ended the search.
    if signals.caughtSignal == .interrupt { _ = signals.takeCaught() }
  }
}

/// A flag that is set while a wake-up of the line editor is pending, so that no other is posted.
private final class WakeFlag: Sendable {
  let isPosted = Atomic(false)
}
