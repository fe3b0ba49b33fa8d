// SPDX-License-Identifier: GPL-3.0-or-later

/// A parser of untrusted bytes. The raw values are the names of the directories of seeds in `Fixtures/Fuzz`.
///
/// Both the tests, which damage seeds at random, and the fuzzer, which explores new paths, call ``check(_:)``.
enum Parser: String, CaseIterable, Sendable {
  case cover
  case cueSheet = "cue-sheet"
  case embeddedPicture = "embedded-picture"
  case fileFormat = "file-format"
  case gainWriting = "gain-writing"
  case indexFile = "index-file"
  case indexRow = "index-row"
  case libraryQuery = "library-query"
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
    case .cover: CoverCheck.fault(in: bytes)
    case .cueSheet: CueSheetCheck.fault(in: bytes)
    case .embeddedPicture: TagCheck.pictureFault(in: bytes)
    case .fileFormat: FileFormatCheck.fault(in: bytes)
    case .gainWriting: TagCheck.gainFault(in: bytes)
    case .indexFile: IndexCheck.fileFault(in: bytes)
    case .indexRow: IndexCheck.rowFault(in: bytes)
    case .libraryQuery: QueryCheck.fault(in: bytes)
    case .m3u, .pls, .xspf: PlaylistCheck.fault(in: bytes, suffix: rawValue)
    case .protocolCommand: CommandCheck.fault(in: bytes)
    case .protocolFilter: FilterCheck.fault(in: bytes)
    case .protocolReply: ReplyCheck.fault(in: bytes)
    case .protocolValue: ProtocolValueCheck.fault(in: bytes)
    case .queuePage: QueuePageCheck.fault(in: bytes)
    case .settings: SettingsCheck.fault(in: bytes)
    case .stateFile: StateCheck.fileFault(in: bytes)
    case .stateRow: StateCheck.rowFault(in: bytes)
    case .tagJSON: TagCheck.jsonFault(in: bytes)
    case .tags: TagCheck.fault(in: bytes)
    case .terminalInput: TerminalCheck.inputFault(in: bytes)
    case .terminalText: TerminalCheck.textFault(in: bytes)
    }
  }
}
