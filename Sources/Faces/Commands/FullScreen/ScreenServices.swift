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
  private let player: any PlayerPort
  private let viewed: ViewedPlayer
  private let completion: ReplCompletion
  private let counts = ListCounts()

  init(_ session: Session, _ request: LibraryRequest, _ player: any PlayerPort, _ viewed: ViewedPlayer) {
    self.session = session
    self.request = request
    self.player = player
    self.viewed = viewed
    completion = ReplCompletion(session)
  }

  /// Returns the services for the view, which calls `prepare` before it opens the library.
  func full(_ prepare: @escaping () -> Void = {}) -> FullScreenServices {
    FullScreenServices(
      perform: { perform($0, $1) }, complete: { complete($0) },
      openLibrary: {
        prepare()
        do throws(PlayerError) { return library(try session.flow(request)) } catch {
          return ScreenLibrary(.failure(error))
        }
      })
  }

  private func library(_ flow: LibraryFlow) -> ScreenLibrary {
    guard let index = session.openFlow?.index else {
      return ScreenLibrary(.failure(PlayerError(.failure, "the library is not open")))
    }
    let (request, chosen, counts) = (request, session.settings.playlists, counts)
    let probe = session.services.library.access.scanner.probe
    let lists = ScreenLists(
      index: index, counts: counts,
      lists: SavedListSource { SavedLists(request, chosen: chosen, index: index, probe: probe) }, player: player)
    var library = ScreenLibrary(.success(lists))
    library.rating = { lists.rating(ofFile: $0) }
    library.albumPath = { album in ((try? index.album(album)) ?? nil)?.tracks.first?.path }
    library.filter = { [actions = flow.searchActions] in actions.filter($0) }
    library.observeFilters = { [store = flow.search] receive in store.observe { receive($0.wanted.filters) } }
    library.forgetCounts = { counts.clear() }
    return library
  }

  private func perform(_ command: ScreenCommand, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    let library = LibraryChoice(roots: request.roots, dataDirectory: request.dataDirectory)
    if let wanted = command.request(library, request.roots) {
      // The screen has its own colours.
      var style = session.outputStyle
      style.hasColours = false
      return viewed.send(wanted) { [style] in onDone(command.outcome($0, style)) }
    }
    guard case .line(let line) = command else { return }
    do {
      try perform(line, onDone)
    } catch let error as QuotationError {
      onDone(ScreenOutcome(lines: ["missing closing \(error.mark)"], isFailed: true))
    } catch {
      let message = PlayerError(of: error)?.message ?? ReplWord.message(for: error)
      let text = message.replacing("use `help` to list the commands", with: "Tab lists the commands")
      onDone(ScreenOutcome(lines: [text], isFailed: true))
    }
  }

  /// Performs a line that the user typed.
  private func perform(_ line: String, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) throws {
    let words = try session.aliases.expanded(try LineTokenizer.words(line))
    guard !words.isEmpty else { return }
    try CommandNames.check(words, in: ReplWord.self)
    let command = try ReplWord.parseAsRoot(words)
    switch command {
    case is QuitCommand: onDone(ScreenOutcome(endsScreen: true))
    case is ScanCommand:
      try session.flow(request).libraryActions.scan(.everything)
      onDone(ScreenOutcome(lines: ["scanning the music directory"]))
    case let command as FilterCommand:
      let lines = CapturedOutput()
      try command.run(in: session.capturing(in: lines))
      onDone(ScreenOutcome(lines: lines.output))
    case let command as any SessionCommand where Self.works(command):
      let makeSession = session.maker
      let isAccepted = viewed.perform { player in
        let lines = CapturedOutput()
        let captured = makeSession(lines, player)
        let result = Result { try (ReplWord.parseAsRoot(words) as? any SessionCommand)?.run(in: captured) }
        var shown = lines.errors + lines.output
        if case .failure(let error) = result {
          let failure = PlayerError(of: error) ?? PlayerError(.usage, ReplWord.message(for: error))
          shown += [failure.message] + failure.choices
        }
        let isFailed = if case .failure = result { true } else { false }
        onDone(ScreenOutcome(lines: Array(shown.prefix(3)), isFailed: isFailed, changesLists: true))
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
    var outcome = completion.press(text, cursor: text.endIndex)
    // Only the second press lists the candidates.
    if case .refuse = outcome { outcome = completion.press(text, cursor: text.endIndex) }
    switch outcome {
    case .insert(let insertion, let countBefore, _):
      var scalars = text.unicodeScalars
      scalars.removeLast(min(countBefore, scalars.count))
      return (String(scalars) + insertion, [])
    case .list(let candidates): return (text, candidates)
    case .refuse: return (text, [])
    }
  }
}
