// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Commands
import LibraryIndex
import LibraryScanning
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import SystemPackage
import Tagging

extension Segue {
  /// Returns the services for the library.
  ///
  /// - Parameter covers: Provides the covers of tracks.
  static func libraryServices(_ covers: CoverCache) -> LibraryServices {
    LibraryServices(
      access: LibraryAccess(
        scanner: LibraryScanner(probe: probe),
        open: { request throws(PlayerError) in library(request, in: try openIndex(request.dataDirectory)) },
        openPresent: { request in LibraryIndex(presentIn: request.dataDirectory).map { library(request, in: $0) } },
        language: language, covers: covers.source),
      isPresent: { LibraryIndex.isPresent(in: $0) }, makeFlow: { try makeFlow($0) }, covers: covers,
      measurer: LoudnessMeasurer(decoders: decode),
      openLoudness: { directory throws(PlayerError) in try openIndex(directory) })
  }

  /// Opens the index in a data directory, creating it if needed.
  @Sendable private static func openIndex(_ directory: FilePath) throws(PlayerError) -> LibraryIndex {
    do throws(LibraryIndexError) {
      return try LibraryIndex(directory: directory)
    } catch {
      throw PlayerError(.failure, error.description)
    }
  }

  @Sendable private static func library(_ request: LibraryRequest, in index: LibraryIndex) -> IndexedLibrary {
    IndexedLibrary(
      index: index, roots: request.roots, probe: probe, ignoredPatterns: request.ignoredPatterns,
      playlists: request.playlists)
  }

  private static func makeFlow(_ index: any MusicLibrary) throws -> LibraryFlow {
    let library = LibraryStore(dispatcher: .shared)
    return LibraryFlow(
      index, library: library, libraryActions: LibraryActionCreator(dispatcher: .shared),
      libraryController: try LibraryController(index, store: library, dispatcher: .shared),
      filters: FilterStore(dispatcher: .shared), filterActions: FilterActionCreator(dispatcher: .shared))
  }

  /// The query language; queries may refer to the current date.
  private static var language: QueryLanguage {
    QueryLanguage(
      parse: { text throws(LibraryQueryError) in
        guard let today else { throw LibraryQueryError(column: 1, message: "the system clock has no valid date") }
        return try LibraryQueryParser(today: today).parse(text)
      }, makeQuery: \.query)
  }

  private static var today: ReleaseDate? {
    let day = CalendarDay.today
    return ReleaseDate(year: day.year, month: day.month, day: day.day)
  }

  /// Opens an audio file whose tags TagLib cannot read. Returns `nil` if the file cannot be decoded.
  @Sendable static func probe(_ path: FilePath) -> ProbedAudio? {
    (try? decode(path)).map { audio(of: $0) }
  }

  /// Returns what a decoder says of its file.
  static func audio(of decoder: any AudioDecoder) -> ProbedAudio {
    let format = decoder.format
    return ProbedAudio(
      summary: AudioSummary(
        sampleRate: format.sampleRate, channels: format.channels, bitDepth: format.coding.bits),
      duration: decoder.frameCount.map { format.duration(ofFrames: $0) },
      tags: decoder.tags.map { ProbedAudio.Tag(name: $0.name, value: $0.value) },
      chapters: decoder.chapters.map { TagChapter(start: $0.start, title: $0.title) })
  }
}

/// Provides measurements from the index, which is opened on first use, or otherwise ReplayGain values from the tags of
/// the files.
final class LoudnessSource: Sendable {
  private enum Index {
    case unopened
    case none
    case open(LibraryIndex)
  }

  private let directory: FilePath
  private let index = Mutex(Index.unopened)

  /// Creates a source that uses the index in `directory`.
  init(directory: FilePath) { self.directory = directory }

  /// Returns what was measured of `tracks`. Blocks while the index is read and the files are checked for changes.
  func measurements(of tracks: [Track]) -> [AudioMeasurement] {
    opened?.measurements(for: tracks) ?? tracks.map { AudioMeasurement(replayGain: $0.replayGain) }
  }

  private var opened: LibraryIndex? {
    index.withLock { index in
      if case .unopened = index {
        // If the index cannot be opened, the tags are used.
        index = (try? LibraryIndex(directory: directory)).map(Index.open) ?? .none
      }
      if case .open(let open) = index { return open }
      return nil
    }
  }
}
