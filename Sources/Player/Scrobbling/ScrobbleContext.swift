// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
public import Network
public import Platform
import Synchronization
public import SystemPackage
public import Tagging

/// How the user wants to scrobble.
public struct ScrobbleSettings: Sendable, Hashable {
  /// The addresses of servers other than the usual ones.
  public var listenBrainzAddress: String?
  public var lastFMAddress: String?
  /// The program that prints the token for ListenBrainz, with its arguments; empty for none.
  public var tokenCommand: [String] = []
  /// Whether likes are sent as loves.
  public var sendsLoves = false
  /// The rating in half stars from which on tracks are loved, too; `nil` for none.
  public var lovedRating: Int?
  /// The version of Segue, for the services.
  public var version: String

  public init(version: String) { self.version = version }
}

/// What scrobbling uses: the accounts and the outbox in a data directory, and the network. Safe to use from any thread.
public struct ScrobbleContext: Sendable {
  /// The time in which the user's program must print the token, in milliseconds. It may ask for a passphrase.
  private static let commandTimeout: UInt64 = 60_000
  private static let lockName = "scrobbles.lock"

  let directory: FilePath
  public let settings: ScrobbleSettings
  let transport: HTTPTransport
  /// Returns the time in seconds since 1970.
  let now: @Sendable () -> Int64
  let outbox: ScrobbleOutbox
  let accountsFile: ScrobbleAccountsFile
  private let command: TokenCommand
  private let reader: TagReader

  /// Creates the context of a data directory. Nothing is read yet.
  ///
  /// - Parameter probe: The probe for files whose tags TagLib cannot read.
  public init(
    directory: FilePath, settings: ScrobbleSettings, probe: AudioProbe? = nil,
    transport: @escaping HTTPTransport = HTTPClient.perform,
    now: @escaping @Sendable () -> Int64 = { WallClock.now / 1_000_000_000 }
  ) {
    reader = TagReader(probe: probe)
    (self.directory, self.settings, self.transport, self.now) = (directory, settings, transport, now)
    outbox = ScrobbleOutbox(directory: directory)
    accountsFile = ScrobbleAccountsFile(in: directory)
    command = TokenCommand(settings.tokenCommand)
  }

  /// The services for which there are accounts.
  var services: [ScrobbleService] {
    get throws(ScrobbleProblem) {
      let accounts = try accountsFile.read()
      var services: [ScrobbleService] = []
      if accounts.listenBrainz != nil || !settings.tokenCommand.isEmpty { services.append(.listenBrainz) }
      if accounts.lastFM != nil { services.append(.lastFM) }
      return services
    }
  }

  /// Returns the clients for all accounts. May run the program that prints the token.
  ///
  /// - Parameter onProblem: Called with what is wrong with an account.
  func clients(onProblem: (ScrobbleProblem) -> Void) -> [any ScrobbleClient] {
    var clients: [any ScrobbleClient] = []
    do throws(ScrobbleProblem) {
      let accounts = try accountsFile.read()
      if let account = accounts.lastFM {
        clients.append(
          LastFMClient(
            address: settings.lastFMAddress, key: account.key, secret: account.secret, session: account.session))
      }
      let own = accounts.listenBrainz?.token
      if let token = own != nil || settings.tokenCommand.isEmpty ? own : try command.token(Self.commandTimeout) {
        clients.insert(listenBrainz(token), at: 0)
      }
    } catch {
      onProblem(error)
    }
    return clients
  }

  // MARK: What was played

  /// Returns whether the title of a track comes from its tags, and not from the name of its file. Blocks while its tags
  /// are read, if they are needed to know that.
  func hasTitle(_ track: Track) -> Bool {
    guard track.segment == nil, let stem = track.path.shownStem,
      track.title == stem || track.title == FileNameTitle(stem).title
    else { return true }
    return (try? reader.comments(at: track.path))?.contains { $0.name == "TITLE" && !$0.value.isEmpty } == true
  }

  /// Stores a play that counts. Blocks until that is stored.
  ///
  /// - Throws: ``ScrobbleProblem`` if it is stored only in memory.
  func played(_ track: Track, at time: Int64, duration: Duration?) throws(ScrobbleProblem) {
    let services = try services
    guard !services.isEmpty, let listen = Listen(track, time: time, duration: duration), hasTitle(track) else { return }
    let counting = services.filter { listen.counts(for: $0) }
    if time >= Listen.earliestTime { return try outbox.add(.listen(listen), for: counting, at: time) }
    for service in counting {
      outbox.update(service) { state in
        state.droppedCount += 1
        state.lastDropped = "\(listen.title): the clock was wrong"
      }
    }
  }

  /// Stores what the user thinks of tracks, as far as that is to be sent. Blocks until that is stored. If it cannot be
  /// stored, it stays in memory.
  ///
  /// - Parameters:
  ///   - isLiked: Whether they are liked, if that was noted.
  ///   - rating: Their rating in half stars, if that was noted; only a high one is sent.
  public func marked(_ tracks: [Track], isLiked: Bool? = nil, rating: Int? = nil) {
    let isRatedHigh = rating.flatMap { rating in settings.lovedRating.map { rating >= $0 } } == true
    guard settings.sendsLoves, let isLoved = isLiked ?? (isRatedHigh ? true : nil),
      let services = try? services, !services.isEmpty
    else { return }
    for track in tracks where hasTitle(track) {
      guard let love = Love(track, isLoved: isLoved) else { continue }
      // ListenBrainz knows recordings only by their IDs.
      try? outbox.add(
        .love(love), for: services.filter { $0 != .listenBrainz || love.recordingID != nil }, at: now())
    }
  }

  // MARK: What is sent

  func listenBrainz(_ token: String) -> ListenBrainzClient {
    ListenBrainzClient(address: settings.listenBrainzAddress, token: token, version: settings.version)
  }

  func sender(_ client: any ScrobbleClient) -> ScrobbleSender {
    ScrobbleSender(client: client, outbox: outbox, transport: transport, now: now)
  }

  /// Locks the outbox for sending: two processes must not send the same. Returns `nil` if another process is sending
  /// until `deadline`.
  func lock(until deadline: MonotonicInstant) throws(ScrobbleProblem) -> FileLock? {
    let path = directory.appending(Self.lockName)
    do throws(Errno) { return try FileLock(path, until: deadline) } catch {
      if error == .wouldBlock { return nil }
      throw ScrobbleProblem("cannot lock \(path.shown): \(error)")
    }
  }
}

/// The user's program that prints a token. It runs once.
private final class TokenCommand: Sendable {
  private let words: [String]
  private let result = Mutex<Result<String, ScrobbleProblem>?>(nil)

  init(_ words: [String]) { self.words = words }

  func token(_ milliseconds: UInt64) throws(ScrobbleProblem) -> String {
    try result.withLock { result throws(ScrobbleProblem) in
      let present = result ?? Result { () throws(ScrobbleProblem) in try run(milliseconds) }
      result = present
      return try present.get()
    }
  }

  private func run(_ milliseconds: UInt64) throws(ScrobbleProblem) -> String {
    let name = words.first ?? ""
    do throws(ProgramOutput.Failure) {
      let text = try ProgramOutput.text(of: words, milliseconds: milliseconds)
      if let line = text.split(whereSeparator: \.isNewline).first.map(String.init) { return line }
    } catch {
      throw ScrobbleProblem("scrobble.token-command: \(name): \(error.description)")
    }
    throw ScrobbleProblem("scrobble.token-command: \(name) prints no token")
  }
}
