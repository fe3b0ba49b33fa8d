// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import PlayerPort
import Terminal
import UserSettings

/// The handling of keys and signals.
extension ForegroundView {
  /// The stream whose terminal is checked to find out whether the program is in the foreground.
  var terminal: StandardStream { canvas == nil ? .input : .output }

  /// Whether keys are handled. False if standard output goes to a script or carries sound, so that the input stays
  /// available to others.
  var takesKeys: Bool {
    canvas != nil
      || StandardStream.input.isTerminal && context.outputStyle.isForPeople && !context.soundGoesToStandardOutput
  }

  /// Handles `key`. Returns the exit status if the key ends the view.
  func handle(_ key: Key) -> ExitStatus? {
    guard let action = bindings.action(of: key) else {
      return key == .escape && extras.ending == .leave ? .success : nil
    }
    let step = context.settings.volumeStep
    switch action {
    case .pause: player.send(.transport(.toggle))
    case .seekBack: player.send(.transport(.seekBy(.seconds(-10))))
    case .seekForward: player.send(.transport(.seekBy(.seconds(10))))
    case .seekBackFar: player.send(.transport(.seekBy(.seconds(-60))))
    case .seekForwardFar: player.send(.transport(.seekBy(.seconds(60))))
    case .next: player.send(.transport(.next))
    case .previous: player.send(.transport(.previous))
    case .volumeUp: player.send(.settings(.volumeStep(step)))
    case .volumeDown: player.send(.settings(.volumeStep(-step)))
    case .meter:
      showLevels(!extras.showsLevels)
      show()
    case .showKeys:
      if context.outputStyle.draws {
        extras.showsAllKeys.toggle()
        show()
      } else {
        context.printLines(bindings.plainLines)
      }
    case .quit:
      if extras.ending == .leave { return .success }
      // A lookup in progress cannot be stopped, so the key ends the program.
      if player.state.phase == .stopped { return .success }
      player.send(.transport(.stop))
    }
    return nil
  }

  /// Handles `signal`. Returns the exit status if the signal ends the view.
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

  /// Continues without the terminal, which has been lost. The player may still be controlled through its socket.
  private func leaveTerminal() {
    isTerminalLost = true
    isShown = false
    mode = nil
    context.divertedErrors = nil
    notices = []
    showLevels(false)
  }

  /// Lets the user choose a candidate of an ambiguous lookup at the terminal, and repeats the lookup with it. Returns
  /// the exit status if the user chooses none.
  ///
  /// - Throws: `error` if the user cannot choose, or the error of the second lookup.
  func choose(_ error: PlayerError) throws(PlayerError) -> ExitStatus? {
    guard let lookUpAgain, error.ambiguousText != nil, context.takesChoices else { throw error }
    // Others can use the player, and so edit the queue, while the user thinks.
    startDeferredWork()
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

  /// Restores the terminal and suspends the program, including playback. When the program is continued, playback
  /// resumes; the view is drawn again if the program is in the foreground.
  private func suspend() {
    hide()
    ProcessSignal.stopProcess()
    show()
  }
}
