// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Tagging
import Terminal
import UserSettings

/// What a full screen needs from the commands.
struct ScreenServices {
  private let session: Session
  private let request: LibraryRequest
  /// The library of `request` if it may differ from the player's.
  private let choice: LibraryChoice?
  private let player: any PlayerPort
  private let viewed: ViewedPlayer
  private let completer: LineCompleter
  private let programs = SelectionPrograms()

  init(
    _ session: Session, _ request: LibraryRequest, _ choice: LibraryChoice?, _ player: any PlayerPort,
    _ viewed: ViewedPlayer
  ) {
    self.session = session
    self.request = request
    self.choice = choice
    self.player = player
    self.viewed = viewed
    completer = LineCompleter(session)
  }

  /// Returns the services for the view, which calls `prepare` before it opens the library.
  func full(_ prepare: @escaping () -> Void = {}) -> FullScreenServices {
    var services = FullScreenServices(
      lists: PlayerLists(player, library: choice), covers: session.services.library.covers.source,
      perform: { perform($0, $1) }, complete: { complete($0) },
      openLibrary: {
        prepare()
        return library
      })
    services.loadInfo = { loadInfo($0, $1) }
    let memory = ScreenMemoryFile(in: session.stateDirectory)
    services.memory = memory.read()
    services.remember = { memory.write($0) }
    return services
  }

  /// Loads everything about the track of a row.
  private func loadInfo(
    _ target: ListTarget, _ onDone: @escaping @Sendable (Result<[InfoLine], PlayerError>) -> Void
  ) {
    guard let track = NamedTrack(target) else { return }
    let isAccepted = viewed.perform { [choice] player in
      onDone(
        Result { () throws(PlayerError) in
          let information = try PlayerLists(player, library: choice).information(of: track)
          return TrackListing(information).rows.map { InfoLine($0.name, $0.text) }
        })
    }
    if !isAccepted { onDone(.failure(.tooManyRequests)) }
  }

  private var library: ScreenLibrary {
    var library = ScreenLibrary()
    guard let flow = try? session.flow(request) else { return library }
    library.filter = { [actions = flow.filterActions] in actions.change($0) }
    library.observeFilters = { [store = flow.filters] in store.observe($0) }
    return library
  }

  private func perform(_ command: ScreenCommand, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    if let wanted = command.request(choice) {
      // The screen has its own colours.
      var style = session.outputStyle
      style.hasColours = false
      return viewed.send(wanted) { [style] in onDone(command.outcome($0, style)) }
    }
    if case .run(let program, let targets) = command {
      let isAccepted = viewed.perform { [choice, programs] player in
        programs.start(program, with: PlayerLists(player, library: choice), targets, onDone)
      }
      if !isAccepted { onDone(ScreenOutcome(lines: [PlayerError.tooManyRequests.message], isFailed: true)) }
    }
    guard case .line(let line) = command else { return }
    var words: [String] = []
    do {
      words = try session.aliases.expanded(try LineTokenizer.words(line))
      try perform(words, onDone)
    } catch let error as QuotationError {
      onDone(ScreenOutcome(lines: ["missing closing \(error.mark)"], isFailed: true))
    } catch {
      let message = Self.error(error, words).message
      let text = message.replacing("use `help` to list the commands", with: "Tab lists the commands")
      onDone(ScreenOutcome(lines: [text], isFailed: true))
    }
  }

  private static func error(_ error: any Error, _ words: [String]) -> PlayerError {
    PlayerError(of: error) ?? CommandLineProblem(words, in: ReplWord.self).error(ReplWord.message(for: error))
  }

  /// Performs the words of a line that the user typed.
  private func perform(_ words: [String], _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) throws {
    guard !words.isEmpty else { return }
    try CommandNames.check(words, in: ReplWord.self)
    let command = try ReplWord.parseAsRoot(words)
    switch command {
    case is QuitCommand: onDone(ScreenOutcome(endsScreen: true))
    case is ScanCommand:
      viewed.send(.scan(choice)) { result in
        switch result {
        case .success: onDone(ScreenOutcome(lines: ["scanning the music directory"]))
        case .failure(let error): onDone(ScreenOutcome(lines: [error.message], isFailed: true))
        }
      }
    case let command as FilterCommand:
      let lines = CapturedOutput()
      try command.run(in: session.capturing(in: lines))
      onDone(ScreenOutcome(lines: lines.output))
    case let command as any SessionCommand where Self.works(command):
      let makeSession = session.maker
      let isAccepted = viewed.perform { player in
        let lines = CapturedOutput()
        let captured = makeSession(lines, player)
        let result = Result {
          let command = try ReplWord.parseAsRoot(words)
          if let set = command as? SetCommand { return try set.run(in: captured, onScreen: true) }
          try (command as? any SessionCommand)?.run(in: captured)
          return [:]
        }
        var shown = lines.errors + lines.output
        if case .failure(let error) = result {
          let failure = Self.error(error, words)
          shown += [failure.message] + failure.choices
        }
        let settings = try? result.get()
        var outcome = ScreenOutcome(lines: Array(shown.prefix(3)), isFailed: settings == nil, changesLists: true)
        outcome.settings = settings ?? [:]
        onDone(outcome)
      }
      guard isAccepted else { throw PlayerError.tooManyRequests }
    default:
      throw PlayerError(.usage, "`\(words[0])` does not work here: use it in `segue repl`")
    }
  }

  /// Returns whether a command works on a full screen: one for the player.
  private static func works(_ command: any SessionCommand) -> Bool {
    command is any QueueStateCommand || command is any TransportCommand || command is PlayCommand
      || command is ResumeCommand || command is QueuePlayCommand
  }

  private func complete(_ text: String) -> (text: String, candidates: [String]) {
    let completion = completer.completion(of: text, cursor: text.endIndex)
    guard let insertion = completion.insertion else {
      return (text, completion.choices.count < 2 ? [] : completion.choices)
    }
    return (String(text.unicodeScalars.dropLast(completion.countBefore)) + insertion, [])
  }
}
