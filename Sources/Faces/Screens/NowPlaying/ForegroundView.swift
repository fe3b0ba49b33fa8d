// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import Platform
import PlayerFlow
package import PlayerPort
import Terminal
import UserSettings

/// Shows a player until playback ends, where the full screen cannot be drawn: prints one line per track, or nothing in
/// quiet style. Keys work on every terminal. Used on the main thread.
package final class ForegroundView {
  /// The maximum time in milliseconds to wait for the first sound before ``onFirstSound`` is called.
  private static let timeoutMilliseconds: UInt64 = 300

  private let events: EventQueue<ViewEvent>
  /// Called once: when the first sound is audible, or earlier if that takes too long.
  package var onFirstSound: (() -> Void)?
  /// Repeats an ambiguous lookup with the answer that the user chose; `nil` if it cannot be repeated.
  package var lookUpAgain: ((PlayerError, _ answer: String) throws(PlayerError) -> Void)?
  private let context: any ViewContext
  private let player: ViewedPlayer
  /// The mode of the terminal in which keys are received; `nil` while they are not.
  private var mode: TerminalMode?
  private var keyParser = KeyParser()
  private let bindings: ScreenBindings
  /// Whether the terminal has been lost while playback continues.
  private var isTerminalLost = false

  /// Creates a view of `player` in `context` that handles `events`.
  package init(_ context: any ViewContext, of player: ViewedPlayer, events: EventQueue<ViewEvent>) {
    self.context = context
    self.player = player
    self.events = events
    bindings = context.settings.keyBindings
  }

  /// Whether keys are handled. False if standard output goes to a script or carries sound, so that the input stays
  /// available to others.
  private var takesKeys: Bool {
    StandardStream.input.isTerminal && context.outputStyle.isForPeople && !context.soundGoesToStandardOutput
  }

  /// Shows the player until playback ends or the user ends it, and returns the exit status.
  ///
  /// - Throws: `PlayerError` if nothing could be played, or the output failed.
  package func run() throws(PlayerError) -> ExitStatus {
    takeKeys()
    // On a terminal, each change of the position is an opportunity to check whether the program is in the foreground
    // again.
    let subscription = player.observe(everyPosition: takesKeys) { [events] in events.post(.changed) }
    defer {
      subscription.cancel()
      mode = nil
    }
    let firstSoundDeadline = MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    while true {
      let input = mode == nil ? nil : StandardStream.input.descriptor
      guard let arrival = events.next(orInputFrom: input, until: onFirstSound == nil ? nil : firstSoundDeadline) else {
        startDeferredWork()
        continue
      }
      switch arrival {
      case .event(.changed):
        show()
        // Without keys, nobody could resume a waiting player.
        if player.isOver || player.isWaiting && mode == nil && !isTerminalLost { return try player.status() }
        if player.hasStarted { startDeferredWork() }
      case .event(.skipped(let problems)):
        for problem in problems { context.printError("segue: skipped \(problem)") }
      case .event(.failed(let error)): if let status = try choose(error) { return status }
      case .event(.signal(let signal)): if let status = handle(signal) { return status }
      case .input(let bytes):
        for key in keyParser.keysAndEscape(bytes) { if handle(key) { return .success } }
      // The terminal has been lost, and a signal will follow.
      case .inputEnded: mode = nil
      case .event, .interrupted: break
      }
    }
  }

  /// Does what was left for after the first sound.
  private func startDeferredWork() {
    guard let work = onFirstSound.take() else { return }
    work()
    show()
  }

  private func show() {
    player.refresh()
    for notice in player.takeNotices() { context.printError("segue: \(notice)") }
    if context.outputStyle.isVerbose { for line in player.takeDetails() { context.printError(line) } }
    takeKeys()
    for line in player.takeLines(hasKeys: mode != nil, context.outputStyle) { context.printRemark(line) }
  }

  /// Begins to receive keys, unless another program is in the foreground.
  private func takeKeys() {
    guard takesKeys, mode == nil, !isTerminalLost, StandardStream.input.isInForeground else { return }
    mode = TerminalMode()
  }

  /// Handles a key. Returns whether it ends the view.
  private func handle(_ key: Key) -> Bool {
    let action = bindings.plainAction(of: key)
    if let request = action?.request(volumeStep: context.settings.volumeStep) { player.send(request) }
    switch action {
    case .help?: if !context.outputStyle.draws { context.printLines(bindings.plainLines) }
    case .quit?:
      // A lookup in progress cannot be stopped, so the key ends the program.
      if player.state.phase == .stopped { return true }
      player.send(.transport(.stop))
    default: break
    }
    return false
  }

  /// Handles `signal`. Returns the exit status if the signal ends the view.
  private func handle(_ signal: ProcessSignal) -> ExitStatus? {
    switch signal {
    case .hangUp where context.settings.keepsPlayingOnHangup && player.outlivesTerminal:
      // The player may still be controlled through its socket.
      isTerminalLost = true
      mode = nil
    case .windowChange, .resume: show()
    case .suspend:
      mode = nil
      ProcessSignal.stopProcess()
      show()
    default: return signal.endingStatus
    }
    return nil
  }

  /// Lets the user choose a candidate of an ambiguous lookup at the terminal, and repeats the lookup with it. Returns
  /// the exit status if the user chooses none.
  ///
  /// - Throws: `error` if the user cannot choose, or the error of the second lookup.
  private func choose(_ error: PlayerError) throws(PlayerError) -> ExitStatus? {
    guard let lookUpAgain, error.ambiguousText != nil, context.takesChoices else { throw error }
    // Others can use the player, and so edit the queue, while the user thinks.
    startDeferredWork()
    mode = nil
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
}
