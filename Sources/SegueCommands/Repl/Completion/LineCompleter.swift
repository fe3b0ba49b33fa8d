import MusicLibrary
import MusicModel

/// Completes the word at the cursor of a line.
struct LineCompleter {
  /// The most candidates.
  static let limit = 200

  private typealias Candidate = (name: String, text: String, rank: TypedBeginning.Rank)

  let grammar: ReplGrammar
  let source: any CompletionSource

  /// How `line` may go on at `cursor`.
  func completion(of line: String, cursor: String.Index) -> LineCompletion {
    guard let word = UnfinishedWord(line, cursor: cursor) else { return LineCompletion() }
    let fragment = fragment(word)
    let candidates = candidates(fragment)
    guard let first = candidates.first else { return LineCompletion() }
    let isClosed = word.openQuote != nil && line[cursor...].first == word.openQuote
    let end = isClosed ? line.index(after: cursor) : cursor
    var completion = LineCompletion(
      countBefore: line[fragment.start..<cursor].unicodeScalars.count, countBehind: isClosed ? 1 : 0,
      choices: candidates.map(\.name))
    if candidates.count == 1 {
      let isOpen = fragment.isOpen(behind: first.name)
      let text = WordQuoting.word(
        fragment.spelling(first.text, isWhole: !isOpen), mark: fragment.mark, isOpen: isOpen)
      let isFollowed = isOpen || line[end...].first?.isWhitespace ?? false
      completion.insertion = text.map { isFollowed ? $0 : $0 + " " }
    } else {
      let common = CommonBeginning.of(candidates.filter { $0.rank == first.rank }.map(\.text))
      if fragment.rank(of: common) != nil {
        completion.insertion = WordQuoting.word(
          fragment.spelling(common, isWhole: false), mark: fragment.mark, isOpen: true)
      }
    }
    if completion.insertion == String(line[fragment.start..<end]) { completion.insertion = nil }
    return completion
  }

  // MARK: What is typed

  private func fragment(_ word: UnfinishedWord) -> CompletionFragment {
    guard let name = word.before.first?.text else { return CompletionFragment(word, .command, after: []) }
    guard var command = grammar.command(name) else { return CompletionFragment(word, .nothing, after: []) }
    var rest = word.before.dropFirst()
    if let second = rest.first, let inner = command.command(second.text) {
      command = inner
      rest = rest.dropFirst()
    }
    var arguments: [LineScanner.Word] = []
    var takesValue = false
    for argument in rest {
      if takesValue {
        takesValue = false
      } else if argument.text.hasPrefix("--") {
        takesValue = command.options[argument.text] ?? false
      } else {
        arguments.append(argument)
      }
    }
    let subject: CompletionSubject =
      if ["/", "./", "../", "~/"].contains(where: { word.text.hasPrefix($0) }) {
        .path
      } else if takesValue {
        .nothing
      } else if word.text.hasPrefix("--") {
        .option(of: word.before.prefix(rest.startIndex).map(\.text))
      } else if arguments.isEmpty, !command.commands.isEmpty {
        .choice(command.commands.flatMap(\.names))
      } else {
        grammar.subject(of: command, after: arguments.map(\.text))
      }
    return CompletionFragment(word, subject, after: arguments)
  }

  // MARK: What there is

  private func candidates(_ fragment: CompletionFragment) -> [Candidate] {
    let typed = fragment.typed
    switch fragment.subject {
    case .nothing, .query: return []
    case .command: return ranked(grammar.commands.flatMap(\.names), fragment)
    case .option(let names): return ranked(options(names), fragment)
    case .choice(let choices): return ranked(choices, fragment)
    case .path:
      let names = source.names(inDirectory: fragment.prefix)
      return ranked(names.filter { typed.hasPrefix(".") || !$0.hasPrefix(".") }, fragment)
    case .album: return asTheyCome(source.albums(typed), fragment)
    case .track(let album): return tracks(source.tracks(ofAlbum: album), fragment)
    case .list: return ranked(source.listNames(), fragment)
    case .queryField:
      let fields =
        LibraryQuery.TextField.allCases.map(\.rawValue) + LibraryQuery.NumberField.allCases.map(\.rawValue)
      return ranked((fields + ["added"]).map { $0 + ":" }, fragment)
    case .queryValue(let field):
      switch field {
      case .album: return asTheyCome(source.titles(typed), fragment)
      case .artist, .albumArtist: return values(.artist, fragment, isNarrowedByItself: true)
      case .genre: return values(.genre, fragment, isNarrowedByItself: true)
      case .format: return values(.format, fragment, isNarrowedByItself: true)
      case .anywhere, .title, .composer, .path: return []
      }
    case .filterValue(let kind, _): return values(kind, fragment, isNarrowedByItself: false)
    case .chosenFilterValue(let kind, _): return ranked(source.chosenValues(of: kind), fragment)
    }
  }

  /// The options of the command that these words name.
  private func options(_ names: [String]) -> [String] {
    guard let name = names.first, var command = grammar.command(name) else { return [] }
    for name in names.dropFirst() {
      if let inner = command.command(name) { command = inner }
    }
    return command.options.keys.sorted()
  }

  private func values(
    _ kind: LibraryFilters.Kind, _ fragment: CompletionFragment, isNarrowedByItself: Bool
  ) -> [Candidate] {
    let values = source.values(of: kind, fragment.typed, isNarrowedByItself: isNarrowedByItself)
    return asTheyCome(values, fragment)
  }

  /// Names that the source has found already, and ordered.
  private func asTheyCome(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    bounded(names.map { ($0, $0, fragment.rank(of: $0) ?? .word) })
  }

  /// Those of `names` that answer, best first.
  private func ranked(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    sorted(names.compactMap { name in fragment.rank(of: name).map { (name, name, $0) } })
  }

  /// Tracks by their titles; by disc and number where a title is no name for one of them alone.
  private func tracks(_ tracks: [Track], _ fragment: CompletionFragment) -> [Candidate] {
    let finder = TrackFinder(tracks)
    let found = tracks.indices.lazy.compactMap { index -> Candidate? in
      let track = tracks[index]
      guard let rank = fragment.rank(of: track.title) else { return nil }
      let number = track.number?.number ?? index + 1
      let names = [track.title.typable, "\(number)", "\(track.disc?.number ?? 1)-\(number)"]
      let name = names.first { !$0.hasPrefix("-") && finder.find($0) == .found(index) }
      return name.map { (track.title, $0, rank) }
    }
    return sorted(Array(found.prefix(Self.limit)))
  }

  private func sorted(_ candidates: [Candidate]) -> [Candidate] {
    bounded(candidates.filter { $0.rank == .name } + candidates.filter { $0.rank == .word })
  }

  /// The first of those that can be typed, each once.
  private func bounded(_ candidates: [Candidate]) -> [Candidate] {
    var seen: Set<String> = []
    return candidates.prefix(Self.limit).compactMap { candidate in
      let text = candidate.text.typable
      guard !text.isEmpty, seen.insert(text).inserted else { return nil }
      return (candidate.name, text, candidate.rank)
    }
  }
}
