// SPDX-License-Identifier: GPL-3.0-or-later

/// A parser of untrusted bytes. The raw values are the names of the directories of seeds in `Fixtures/Fuzz`.
///
/// Both the tests, which damage seeds at random, and the fuzzer, which explores new paths, call ``check(_:)``.
enum Parser: String, CaseIterable, Sendable {
  case cover
  case cueSheet = "cue-sheet"
  case dsd
  case embeddedPicture = "embedded-picture"
  case fileFormat = "file-format"
  case gainWriting = "gain-writing"
  case indexFile = "index-file"
  case indexRow = "index-row"
  case libraryQuery = "library-query"
  case lyrics
  case m3u
  case pls
  case protocolCommand = "protocol-command"
  case protocolFilter = "protocol-filter"
  case protocolReply = "protocol-reply"
  case protocolValue = "protocol-value"
  case queuePage = "queue-page"
  case settings
  case stateFile = "state-file"
  case stateRow = "state-row"
  case tagJSON = "tag-json"
  case tags
  case terminalInput = "terminal-input"
  case terminalText = "terminal-text"
  case xspf

  /// Parses `bytes` with the player's own code, and returns the problem found in the result, or `nil`.
  ///
  /// Input that the parser refuses is not a problem. Can be called on any thread.
  func check(_ bytes: [UInt8]) -> String? {
    switch self {
    case .cover: CoverCheck.problem(in: bytes)
    case .cueSheet: CueSheetCheck.problem(in: bytes)
    case .dsd: DSDCheck.problem(in: bytes)
    case .embeddedPicture: TagCheck.pictureProblem(in: bytes)
    case .fileFormat: FileFormatCheck.problem(in: bytes)
    case .gainWriting: TagCheck.gainProblem(in: bytes)
    case .indexFile: IndexCheck.fileProblem(in: bytes)
    case .indexRow: IndexCheck.rowProblem(in: bytes)
    case .libraryQuery: QueryCheck.problem(in: bytes)
    case .lyrics: LyricsCheck.problem(in: bytes)
    case .m3u, .pls, .xspf: PlaylistCheck.problem(in: bytes, suffix: rawValue)
    case .protocolCommand: CommandCheck.problem(in: bytes)
    case .protocolFilter: FilterCheck.problem(in: bytes)
    case .protocolReply: ReplyCheck.problem(in: bytes)
    case .protocolValue: ProtocolValueCheck.problem(in: bytes)
    case .queuePage: QueuePageCheck.problem(in: bytes)
    case .settings: SettingsCheck.problem(in: bytes)
    case .stateFile: StateDatabaseCheck.fileProblem(in: bytes)
    case .stateRow: StateDatabaseCheck.rowProblem(in: bytes)
    case .tagJSON: TagCheck.jsonProblem(in: bytes)
    case .tags: TagCheck.problem(in: bytes)
    case .terminalInput: TerminalCheck.inputProblem(in: bytes)
    case .terminalText: TerminalCheck.textProblem(in: bytes)
    }
  }
}
