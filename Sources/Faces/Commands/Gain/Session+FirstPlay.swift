// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import UserSettings

/// Measuring what is played for the first time.
extension Session {
  /// Returns the measurer of files without ReplayGain values that `port` plays. It stores what it measures in the index
  /// in `dataDirectory`. Returns `nil` if the user does not want it.
  ///
  /// - Throws: `Errno` if the system cannot create its thread.
  func firstPlayMeasurer(_ port: LocalPlayer, dataDirectory: FilePath) throws -> FirstPlayMeasurer? {
    guard settings.flag(.measureLoudness) == true else { return nil }
    let (library, playback) = (services.library, services.playback)
    let (threshold, skipsSilence) = (settings.silenceThreshold, settings.silenceSkipping != nil)
    return try FirstPlayMeasurer(queue: services.queue, playback: playback) { track, shouldContinue in
      do {
        let index = try library.openLoudness(dataDirectory)
        let status = try FileStatus(of: track.path)
        let stored = try index.loudness(of: [track.path])[track.path].flatMap { $0.isCurrent(for: status) ? $0 : nil }
        let hasGain = stored != nil || track.replayGain.trackGain != nil
        let hasSound = !skipsSilence || stored?.sound?.threshold == threshold
        if hasGain, hasSound { return }
        let measured = try library.measurer.measure(track.path, silenceBelow: threshold) { _ in shouldContinue() }
        // What was written meanwhile was measured only in part.
        guard try FileStatus(of: track.path) == status else { return }
        try index.store([StoredLoudness(measured, of: track, status: status, album: stored?.album)])
      } catch LoudnessError.cancelled {
        return
      } catch {
        port.report("the loudness of \(track.path.shown) was not measured: \(error)")
      }
    }
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
