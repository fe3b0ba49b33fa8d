// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Synchronization
import SystemPackage
import UserSettings

/// Measuring files that are played for the first time.
extension Session {
  /// Returns the measurer of files without ReplayGain values that `port` plays. It stores what it measures in the index
  /// in `dataDirectory`. Returns `nil` if the user does not want it.
  ///
  /// - Throws: `Errno` if the system cannot create its thread.
  func firstPlayMeasurer(_ port: LocalPlayer, dataDirectory: FilePath) throws -> FirstPlayMeasurer? {
    guard settings.flag(.measureLoudness) == true else { return nil }
    let measuring = FirstPlayMeasuring(
      port, services.library, dataDirectory: dataDirectory, threshold: settings.silenceThreshold,
      skipsSilence: settings.silenceSkipping != nil)
    return try FirstPlayMeasurer(queue: services.queue, playback: services.playback) { track, shouldContinue in
      measuring.measure(track, shouldContinue: shouldContinue)
    }
  }
}

/// Measures files that have no ReplayGain values, and stores the results.
final class FirstPlayMeasuring: Sendable {
  private struct State {
    var index: (any LoudnessRepository)?
    /// The last problem that was reported.
    var problem: String?
  }

  private let port: LocalPlayer
  private let library: LibraryServices
  private let dataDirectory: FilePath
  private let threshold: Double
  private let skipsSilence: Bool
  private let state = Mutex(State())

  init(
    _ port: LocalPlayer, _ library: LibraryServices, dataDirectory: FilePath, threshold: Double, skipsSilence: Bool
  ) {
    (self.port, self.library, self.dataDirectory) = (port, library, dataDirectory)
    (self.threshold, self.skipsSilence) = (threshold, skipsSilence)
  }

  /// Measures the file of `track`, unless it has ReplayGain values already. Blocks while the file is read.
  func measure(_ track: Track, shouldContinue: () -> Bool) {
    do {
      // Its tags must keep their precedence.
      guard track.replayGain.trackGain == nil else { return }
      let index = try openIndex()
      let status = try FileStatus(of: track.path)
      guard try !isComplete(stored(track, status, index)) else { return }
      let measured = try library.measurer.measure(track.path, silenceBelow: threshold) { _ in shouldContinue() }
      // What was written meanwhile was measured only in part, and `segue gain` may have measured the whole album.
      let latest = try stored(track, status, index)
      guard try FileStatus(of: track.path) == status, !isComplete(latest) else { return }
      try index.store([StoredLoudness(measured, of: track, status: status, album: latest?.album)])
      if let failure = measured.failure { report("\(failure); only the part before that was measured") }
    } catch LoudnessError.cancelled {
      return
    } catch {
      report("not measured: \(error)")
    }
  }

  private func stored(
    _ track: Track, _ status: FileStatus, _ index: any LoudnessRepository
  ) throws(LibraryError) -> StoredLoudness? {
    try index.loudness(of: [track.path])[track.path].flatMap { $0.isCurrent(for: status) ? $0 : nil }
  }

  private func isComplete(_ stored: StoredLoudness?) -> Bool {
    stored.map { !skipsSilence || $0.sound?.threshold == threshold } ?? false
  }

  private func openIndex() throws(PlayerError) -> any LoudnessRepository {
    if let index = state.withLock({ $0.index }) { return index }
    let index = try library.openLoudness(dataDirectory)
    if let warning = index.warning { report(warning) }
    state.withLock { $0.index = index }
    return index
  }

  /// Reports a problem, unless it is the one that was reported last.
  private func report(_ problem: String) {
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    if isNew { port.report(problem) }
  }
}

extension StoredLoudness {
  /// Creates the measurement of a track whose file had this `status` before it was measured.
  init(_ measured: MeasuredTrack, of track: Track, status: FileStatus, album: AlbumPart?) {
    let loudness = measured.loudness
    self.init(
      path: track.path, status: status, integrated: loudness.integrated, range: loudness.range,
      truePeak: loudness.truePeak, album: album, sound: measured.sound)
  }
}
