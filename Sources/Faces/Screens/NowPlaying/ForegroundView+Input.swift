import Platform
import PlayerFlow
import Terminal
import UserSettings

/// Keys and signals.
extension ForegroundView {
  /// What is in the foreground, or not, with the program.
  var terminal: StandardStream { canvas == nil ? .input : .output }

  /// Whether keys are obeyed: a program whose lines a script reads leaves its input alone.
  var takesKeys: Bool {
    canvas != nil
      || StandardStream.input.isTerminal && context.manner.isForPeople && !context.soundGoesToStandardOutput
  }

  /// Answers `key`; gives the status to end with where it ends the program.
  func handle(_ key: Key) -> ExitStatus? {
    guard let action = bindings.action(of: key) else {
      return key == .escape && extras.ending == .leave ? .success : nil
    }
    let step = context.settings.volumeStep
    switch action {
    case .pause: player.obey(.toggle)
    case .seekBack: player.obey(.seek(by: -10))
    case .seekForward: player.obey(.seek(by: 10))
    case .seekBackFar: player.obey(.seek(by: -60))
    case .seekForwardFar: player.obey(.seek(by: 60))
    case .next: player.obey(.next)
    case .previous: player.obey(.previous)
    case .volumeUp: player.obey(.volume(by: step))
    case .volumeDown: player.obey(.volume(by: -step))
    case .meter:
      showLevels(!extras.showsLevels)
      show()
    case .showKeys:
      if context.manner.draws {
        extras.showsKeys.toggle()
        show()
      } else {
        context.say(bindings.plainLines)
      }
    case .quit:
      if extras.ending == .leave { return .success }
      // What is still being looked up cannot be stopped.
      if player.state.phase == .stopped { return .success }
      player.obey(.stop)
    }
    return nil
  }

  /// Answers `signal`; gives the status to end with where it ends the program.
  func handle(_ signal: ProcessSignal) -> ExitStatus? {
    switch signal {
    case .interrupt: return .interrupted
    case .quit: return .quit
    case .terminate: return .terminated
    case .hangUp:
      guard context.settings.keepsPlayingOnHangup, player.outlivesTerminal else { return .hungUp }
      leaveTerminal()
    case .windowChange, .resume: show()
    case .suspend: suspend()
    }
    return nil
  }

  /// Plays on without the terminal, which is gone: it is reached through its socket, if at all.
  private func leaveTerminal() {
    isAlone = true
    isShown = false
    mode = nil
    context.divertedErrors = nil
    notices = []
    showLevels(false)
  }

  /// Has the user of a terminal choose what was meant by what `error` calls ambiguous; gives the status to end with
  /// where nothing is chosen.
  func choose(_ error: CommandError) throws(CommandError) -> ExitStatus? {
    guard let lookUpAgain, error.ambiguousText != nil, context.takesChoices else { throw error }
    hide()
    context.report(error)
    switch ChoicePrompt.ask(upTo: error.choices.count, events) {
    case .none: return error.status
    case .ended(let status): return status
    case .chosen(let number):
      try lookUpAgain(error, error.answers[number - 1])
      show()
      return nil
    }
  }

  /// Gives the terminal back and stops the program, and with it the sound; brought back, it goes on where it was,
  /// unseen where in the background.
  private func suspend() {
    hide()
    ProcessSignal.stopProcess()
    show()
  }
}
