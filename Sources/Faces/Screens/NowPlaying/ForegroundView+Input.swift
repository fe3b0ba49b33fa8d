// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import Terminal
import UserSettings

/// Handles keys and signals.
extension ForegroundView {
  /// The terminal that determines whether the program is in the foreground.
  var terminal: StandardStream { canvas == nil ? .input : .output }

  /// Whether keys are handled: if a script reads the output, the input is left alone.
  var takesKeys: Bool {
    canvas != nil
      || StandardStream.input.isTerminal && context.manner.isForPeople && !context.soundGoesToStandardOutput
  }

  /// Handles `key`; returns the exit status if it ends the program.
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
      // A lookup in progress cannot be stopped, so this ends the program.
      if player.state.phase == .stopped { return .success }
      player.obey(.stop)
    }
    return nil
  }

  /// Handles `signal`; returns the exit status if it ends the program.
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

  /// Continues without the terminal, which is lost; the player may still be reachable through its socket.
  private func leaveTerminal() {
    isAlone = true
    isShown = false
    mode = nil
    context.divertedErrors = nil
    notices = []
    showLevels(false)
  }

  /// Lets the user at a terminal resolve an ambiguity `error`; returns the exit status if nothing is chosen.
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

  /// Restores the terminal and suspends the program with its sound. When it is continued, it resumes where it was,
  /// without drawing if it is in the background.
  private func suspend() {
    hide()
    ProcessSignal.stopProcess()
    show()
  }
}
