// SPDX-License-Identifier: GPL-3.0-or-later

import AOPlayback
import AudioCore
import CSQLite
import Commands
import CueSheets
import Flux
import HelperDecoding
import Logging
import Platform
import PlayerFlow
import Resampling
import Scrobbling
import SndfileDecoding
import SystemPackage
import Tagging
import UnicodeText

/// The composition root: the only code that knows all rooms, and that uses the shared dispatchers.
@main
enum Segue {
  static func main() {
    ProcessSignal.endAtOnceOnCrash()
    AOSystem.prepareEnvironment()
    // Without this, SQLite would count memory under a lock, and two databases are opened in parallel before the first
    // sound.
    _ = SQLiteStopCountingMemory()
    let log = actionLog()
    let status = withExtendedLifetime(log) { SegueProgram.run { services(AOSystem()) } }
    endProcess(status: status)
  }

  /// Creates a log of all actions in the file named by `$SEGUE_LOG`. Returns `nil` if that is not set, or if the file
  /// cannot be written.
  private static func actionLog() -> ActionLog? {
    guard let path = Environment.value("SEGUE_LOG") else { return nil }
    guard let handler = try? FileLogHandler(path: FilePath(path)) else {
      try? StandardStream.error.write("segue: cannot write the log \(path.safeForTerminal)\n")
      return nil
    }
    return ActionLog(
      Logger(label: "segue") { _ in handler }, dispatcher: .shared,
      libraryDispatcher: .shared, filterDispatcher: .shared)
  }

  private static func services(_ system: AOSystem) -> Services {
    let stores = PlayerStores()
    return Services(
      queue: stores.queue, playback: stores.playback, actions: stores.actions, library: libraryServices(covers),
      player: playerServices(stores, system), remote: remoteServices(stores, covers), storage: storageServices(stores),
      diagnosis: diagnosisServices(),
      makeScrobbling: { ScrobbleContext(directory: $0, settings: $1, probe: probe) })
  }

  /// Opens a file for decoding: with libsndfile if possible, otherwise with FFmpeg, in a process of its own, as for a
  /// stream.
  @Sendable static func decode(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
    if let address = StreamAddress(path) { return try helpers.open(address) }
    return try ChangingFileDecoder(path, chapters: chapters, open: decodeFile)
  }

  /// Returns the chapters that the tags of a file list, or those that its cue sheet makes of it.
  @Sendable static func chapters(of path: FilePath, _ decoder: any AudioDecoder) -> [SourceChapter] {
    // Where TagLib knows neither the length nor the tags, the decoder does.
    let known = audio(of: decoder)
    return TagReader { _ in known }.chapters(at: path).map { SourceChapter(start: $0.start, title: $0.title) }
  }

  /// Opens a file for decoding that does not change meanwhile.
  @Sendable static func decodeFile(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
    do throws(DecodingError) {
      return try SndfileDecoder(path: path)
    } catch {
      guard error.kind == .otherDecoder else { throw error }
      return try helpers.open(path, insteadOf: error)
    }
  }

  /// Provides the covers of tracks.
  private static let covers: CoverCache = CoverCache(
    in: Environment.cacheDirectory, source: CoverSource { helpers.picture(in: $0, limit: $1) })

  /// Starts the programs that decode with FFmpeg.
  static let helpers: DecodingHelpers = DecodingHelpers(
    program: ProgramFile.neighbour("segue-decode"),
    onPicture: { address, picture in
      // The thread that decodes must not wait for the disk.
      _ = try? WorkerThread(name: "segue-cover") { covers.store(picture, of: address) }
    },
    onRetry: { address, reason in QueueDispatcher.shared.dispatch(.connection(address.path, failure: reason)) }
  ) {
    try? StandardStream.error.write("segue: this system does not let segue-decode give up its rights\n")
  }
}

/// The stores of the player in this process, and the action creator for it.
struct PlayerStores: Sendable {
  let store: PlayerStore
  let queue: QueueListener
  let playback: PlaybackStore
  let actions = PlayerActionCreator(dispatcher: .shared)

  init() {
    store = PlayerStore(dispatcher: .shared)
    queue = QueueListener(store)
    playback = PlaybackStore(store)
  }
}
