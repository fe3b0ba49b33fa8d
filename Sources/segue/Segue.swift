import AOPlayback
import AudioCore
import CSQLite
import Commands
import LibraryIndex
import LibraryScanning
import Logging
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerFlow
import QueueStorage
import Resampling
import Screens
import SndfileDecoding
import SystemPackage
import Tagging
import UnicodeText

/// The composition root: the one place that knows every room, and names the shared dispatchers.
@main
enum Segue {
  static func main() {
    AOSystem.prepareEnvironment()
    // Two databases are opened at once while the first sound is waited for.
    _ = SQLiteStopCountingMemory()
    let log = actionLog()
    let status = withExtendedLifetime(log) { SegueProgram.run { services(AOSystem()) } }
    endProcess(status: status)
  }

  /// A log of every action in the file that `$SEGUE_LOG` names, if it names one.
  private static func actionLog() -> ActionLog? {
    guard let path = Environment.value("SEGUE_LOG") else { return nil }
    guard let handler = try? FileLogHandler(path: FilePath(path)) else {
      try? StandardStream.error.write("segue: the log \(path.safeForTerminal) cannot be written\n")
      return nil
    }
    return ActionLog(
      Logger(label: "segue") { _ in handler }, dispatcher: .shared,
      libraryDispatcher: .shared, searchDispatcher: .shared)
  }

  private static func services(_ system: AOSystem) -> Services {
    let store = PlayerStore(dispatcher: .shared)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    return Services(
      scanner: LibraryScanner(probe: probe),
      openIndex: { request throws(CommandError) in try openIndex(request) },
      openPresentIndex: { request in
        LibraryIndex(presentIn: request.dataDirectory)
          .map { library(request, in: $0) }
      }, makeFlow: { try makeFlow($0) },
      language: language,
      measurer: LoudnessMeasurer(decoders: decode),
      queue: queue, playback: playback,
      actions: PlayerActionCreator(dispatcher: .shared),
      makePlayer: { request in
        let choice = try outputChoice(request.output)
        if let mistake = choice.mistake(isServing: request.isServing) { throw CommandError(.usage, mistake) }
        let opener = OutputOpener(choice, system: system, buffer: request.buffer)
        let loudness = LoudnessSource(directory: request.dataDirectory)
        let controller = try EnQueueController(
          store: store, queue: queue, playback: playback, dispatcher: .shared,
          settings: request.engine, library: .shared, loudness: { loudness.replayGain(of: $0) },
          isFile: { FileStatus.isFile(at: $0) },
          decoders: decode,
          resamplers: SoxrResampler.make,
          outputs: { format throws(OutputError) in try opener.open(format) })
        let sleep = try SleepController(queue: queue, playback: playback, dispatcher: .shared)
        let file: FilePath? = if case .file(_, let path) = choice { path } else { nil }
        return MadePlayer(
          controller: controller, sleep: sleep, file: file, prepareOutput: opener.prepare)
      },
      makeKeeper: { request in
        try QueuePersister(
          KeeperFlow(queue: queue, playback: playback, dispatcher: .shared),
          StateDatabase(directory: request.directory), in: request.directory,
          takesVolume: request.takesVolume, newModes: request.newModes,
          isRendering: try isRendering(request.use))
      },
      rendersFile: { output in
        guard case .file(_, let path) = try? OutputChoice(parsing: output) else { return false }
        return path == OutputChoice.standardOutput || (try? FileStatus(of: path))?.kind != .fifo
      },
      repository: { StateDatabase(directory: $0) }, covers: CoverCache(in: Environment.cacheDirectory),
      listOutputs: { listOutputs(system) })
  }

  /// What is put into a regular file is rendered; a device, or a pipe to one, is played to.
  @Sendable private static func isRendering(_ use: KeeperRequest.Use) throws(CommandError) -> Bool {
    guard case .play(let output) = use, case .file(_, let path) = try outputChoice(output),
      path != OutputChoice.standardOutput
    else { return false }
    return (try? FileStatus(of: path)).map { $0.kind == .regular } ?? true
  }

  @Sendable private static func openIndex(_ request: LibraryRequest) throws(CommandError) -> IndexedLibrary {
    do throws(LibraryIndexError) {
      return library(request, in: try LibraryIndex(directory: request.dataDirectory))
    } catch {
      throw CommandError(.failure, error.description)
    }
  }

  @Sendable private static func library(_ request: LibraryRequest, in index: LibraryIndex) -> IndexedLibrary {
    IndexedLibrary(
      index: index, roots: request.roots, probe: probe, ignoredPatterns: request.ignoredPatterns)
  }

  private static func makeFlow(_ index: IndexedLibrary) throws -> LibraryFlow {
    let library = LibraryStore(dispatcher: .shared)
    let search = SearchStore(dispatcher: .shared)
    return LibraryFlow(
      index, library: library, libraryActions: LibraryActionCreator(dispatcher: .shared),
      libraryController: try LibraryController(index, store: library, dispatcher: .shared),
      search: search, searchActions: SearchActionCreator(dispatcher: .shared),
      searchController: try SearchController(
        index, language: language, store: search, library: library, dispatcher: .shared))
  }

  /// The query language, for the day on which the program was started or asked.
  private static var language: QueryLanguage {
    QueryLanguage(
      parse: { text throws(LibraryQueryError) in
        guard let today else { throw LibraryQueryError(column: 1, message: "the system's clock tells no day") }
        return try LibraryQueryParser(today: today).parse(text)
      }, narrow: \.query)
  }

  private static var today: ReleaseDate? {
    let day = CalendarDay.today
    return ReleaseDate(year: day.year, month: day.month, day: day.day)
  }

  private static func outputChoice(_ text: String?) throws(CommandError) -> OutputChoice {
    guard let text else { return .automatic }
    do {
      return try OutputChoice(parsing: text)
    } catch {
      throw CommandError(.usage, error.description)
    }
  }

  private static func listOutputs(_ system: AOSystem) -> [OutputListing] {
    let drivers = system.drivers.map { driver in
      OutputListing(
        usage: driver.kind == .file ? "\(driver.name):FILE" : "\(driver.name)[:DEVICE]", title: driver.title,
        isDefault: driver.isDefault)
    }
    return drivers + [
      OutputListing(usage: "fifo:PATH", title: "The reader of a FIFO, which is waited for", isDefault: false),
      OutputListing(usage: "silent", title: "No sound, in time", isDefault: false),
    ]
  }

  /// Opens a file for decoding.
  @Sendable private static func decode(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
    try SndfileDecoder(path: path, resamplers: SoxrResampler.make)
  }

  /// Opens a file as sound, for the formats whose tags TagLib does not read.
  @Sendable private static func probe(_ path: FilePath) -> ProbedAudio? {
    guard let decoder = try? decode(path) else { return nil }
    let format = decoder.format
    return ProbedAudio(
      summary: AudioSummary(
        sampleRate: format.sampleRate, channels: format.channels, bitDepth: format.coding.bits),
      duration: decoder.frameCount.map { format.duration(ofFrames: $0) })
  }
}
