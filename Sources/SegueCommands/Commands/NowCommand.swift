import ArgumentParser
import MusicModel
import Platform
import QueueFlow

/// `now`: shows what plays in the REPL, until it is left.
struct NowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Show what plays, until q or Escape.",
    discussion: """
      The keys are those of `segue play`; ? lists them.

      Example:
        now
      """)

  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    if case .attached = session.face {
      throw CommandError(.usage, "now shows what this process plays, and another does: see status")
    }
    guard session.manner.draws || session.manner.isForPeople, StandardStream.input.isTerminal,
      !session.soundGoesToStandardOutput
    else { throw CommandError(.usage, "now needs a terminal: see status") }
    guard session.services.queue.queue.currentPosition != nil else {
      throw CommandError(.nothingPlayable, "nothing plays: play an album first, as in `play ALBUM`")
    }
    guard session.manner.draws else {
      // What would be drawn is said once.
      return session.say(
        StatusListing.lines(PlayerStatus(session), columns: session.columns, session.manner))
    }
    let events = try EventQueue<ForegroundView.Event>()
    let view = ForegroundView(session, events: events, ending: .leave)
    guard let signals = session.signals else { return _ = try view.run() }
    _ = try signals.whileDrawing({ events.post(.signal($0)) }, { try view.run() })
  }
}
