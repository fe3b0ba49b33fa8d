// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerPort
import Screens
import Synchronization
import SystemPackage
import Tagging

/// Measures the loudness of albums with one thread per processor. Each album is stored in the index as soon as all its
/// tracks are measured.
final class GainRun: Sendable {
  /// A track to be measured, given by the index of its album and its index in that album.
  private struct Job {
    let album: Int
    let track: Int
  }

  /// The measurement of a track, and the status of its file before the measurement.
  private struct TrackMeasurement {
    let status: FileStatus
    let track: MeasuredTrack
  }

  /// The state that the measuring threads share.
  private struct State {
    var jobs: [Job] = []
    var next = 0
    var measured: [Int: [Int: TrackMeasurement]] = [:]
    var unfinishedCounts: [Int: Int] = [:]
    var progress = GainProgress()
    var lastReport = MonotonicInstant.now
    var hasMeasured = false
    var hasFailed = false
  }

  /// The minimum time in milliseconds between two progress reports.
  private static let reportInterval: UInt64 = 100

  private let albums: [GainAlbum]
  private let index: any LoudnessRepository
  private let measurer: LoudnessMeasurer
  private let remeasures: Bool
  private let writes: Bool
  /// The level below which everything counts as silence, in dB.
  private let threshold: Double
  /// Whether a measurement with another threshold does not count.
  private let requiresSameThreshold: Bool
  private let cancellation: GainCancellation
  private let events: EventQueue<GainEvent>
  private let start = MonotonicInstant.now
  private let state = Mutex(State())

  init(
    _ albums: [GainAlbum], index: any LoudnessRepository, measurer: LoudnessMeasurer, remeasures: Bool, writes: Bool,
    threshold: Double, requiresSameThreshold: Bool, cancellation: GainCancellation, events: EventQueue<GainEvent>
  ) {
    self.albums = albums
    self.index = index
    self.measurer = measurer
    self.remeasures = remeasures
    self.writes = writes
    self.threshold = threshold
    self.requiresSameThreshold = requiresSameThreshold
    self.cancellation = cancellation
    self.events = events
  }

  /// Measures all albums, and reports to `events`. Blocks until everything is measured, or measuring is cancelled.
  ///
  /// - Returns: The exit status.
  func perform() throws(PlayerError) -> ExitStatus {
    for number in albums.indices where !cancellation.isCancelled { plan(number) }
    let count = state.withLock { $0.jobs.count }
    WorkerThread.runTogether(name: "segue-measure", atMost: count) { self.work() }
    let (hasMeasured, hasFailed) = state.withLock { ($0.hasMeasured, $0.hasFailed) }
    guard hasMeasured || cancellation.isCancelled else {
      throw PlayerError(
        .nothingPlayable, "nothing could be measured; use `segue albums` to list the albums in the library")
    }
    return hasFailed ? .failure : .success
  }

  /// Reports the stored loudness of an album, or queues its tracks to be measured.
  private func plan(_ number: Int) {
    let album = albums[number]
    if !remeasures, let values = storedLoudness(of: album) {
      state.withLock { $0.hasMeasured = true }
      finish(number, values)
      return
    }
    state.withLock { state in
      state.jobs += album.tracks.indices.map { Job(album: number, track: $0) }
      state.unfinishedCounts[number] = album.tracks.count
      state.progress.tracks += album.tracks.count
      state.progress.length += album.tracks.reduce(.zero) { $0 + ($1.duration ?? .zero) }
    }
  }

  /// Returns the stored measurements of all tracks of an album. Returns `nil` if one is missing, or if a file has
  /// changed since it was measured.
  private func storedLoudness(of album: GainAlbum) -> [(Int, StoredLoudness)]? {
    guard let stored = try? index.loudness(of: album.tracks.map(\.path)) else { return nil }
    var values: [(Int, StoredLoudness)] = []
    for (number, track) in album.tracks.enumerated() {
      guard let value = stored[track.path], let status = try? FileStatus(of: track.path), value.isCurrent(for: status),
        !album.isWhole || value.album?.key == album.key, !requiresSameThreshold || value.sound?.threshold == threshold
      else { return nil }
      values.append((number, value))
    }
    return values
  }

  /// Measures queued tracks until none is left.
  private func work() {
    while !cancellation.isCancelled {
      let job = state.withLock { state -> Job? in
        guard state.next < state.jobs.count else { return nil }
        state.next += 1
        return state.jobs[state.next - 1]
      }
      guard let job else { return }
      measure(job)
    }
  }

  private func measure(_ job: Job) {
    let track = albums[job.album].tracks[job.track]
    do {
      let status = try FileStatus(of: track.path)
      let measured = try measurer.measure(track.path, silenceBelow: threshold) { duration in
        reportProgress(duration)
        return !cancellation.isCancelled
      }
      if let failure = measured.failure {
        events.post(.problem("\(failure); only the part before that was measured"))
      }
      finish(job, TrackMeasurement(status: status, track: measured))
    } catch LoudnessError.cancelled {
      return
    } catch let error as Errno {
      events.post(.problem("skipped \(track.path.shown): \(error)"))
      finish(job, nil)
    } catch {
      events.post(.problem("skipped \(error)"))
      finish(job, nil)
    }
  }

  /// Adds to the duration measured so far, and reports the progress from time to time.
  private func reportProgress(_ duration: Duration) {
    let progress = state.withLock { state -> GainProgress? in
      state.progress.measured += duration
      let now = MonotonicInstant.now
      guard state.lastReport.advanced(byMilliseconds: Self.reportInterval) < now else { return nil }
      state.lastReport = now
      state.progress.elapsed = .nanoseconds(Int64(clamping: now.nanoseconds - start.nanoseconds))
      return state.progress
    }
    if let progress { events.post(.progress(progress)) }
  }

  /// Stores the measurement of a track. If it is the last of its album, completes the album.
  private func finish(_ job: Job, _ measured: TrackMeasurement?) {
    if let measured { store([(job.track, stored(measured, albums[job.album].tracks[job.track], nil))]) }
    let (tracks, progress) = state.withLock { state -> ([Int: TrackMeasurement]?, GainProgress) in
      state.progress.finishedTracks += 1
      if let measured {
        state.hasMeasured = true
        state.measured[job.album, default: [:]][job.track] = measured
      }
      let rest = (state.unfinishedCounts[job.album] ?? 1) - 1
      state.unfinishedCounts[job.album] = rest
      return (rest == 0 ? state.measured.removeValue(forKey: job.album) ?? [:] : nil, state.progress)
    }
    events.post(.progress(progress))
    guard let tracks else { return }
    let album = albums[job.album]
    let part = album.isWhole ? albumPart(album, tracks) : nil
    let values = tracks.sorted { $0.key < $1.key }.map { number, measured in
      (number, stored(measured, album.tracks[number], part))
    }
    if part != nil { store(values) }
    finish(job.album, values)
  }

  private func albumPart(_ album: GainAlbum, _ tracks: [Int: TrackMeasurement]) -> StoredLoudness.AlbumPart? {
    do {
      let loudness = try AlbumLoudness(of: tracks.values.map(\.track))
      return .init(key: album.key, integrated: loudness.integrated, truePeak: loudness.truePeak)
    } catch {
      fail("\(album.title) could not be measured as a whole: \(error)")
      return nil
    }
  }

  private func stored(
    _ measured: TrackMeasurement, _ track: Track, _ part: StoredLoudness.AlbumPart?
  ) -> StoredLoudness {
    StoredLoudness(measured.track, of: track, status: measured.status, album: part)
  }

  private func store(_ values: [(Int, StoredLoudness)]) {
    do throws(LibraryError) { try index.store(values.map(\.1)) } catch { fail(error.description) }
  }

  /// Writes the tags of an album if that is requested, and reports the album.
  private func finish(_ number: Int, _ values: [(Int, StoredLoudness)]) {
    let album = albums[number]
    if writes, !cancellation.isCancelled {
      for (track, value) in values { write(value, album.tracks[track]) }
    }
    let lines = values.map { GainReport.Line(track: album.tracks[$0.0], loudness: $0.1) }
    events.post(.album(number, GainReport(album: album, lines: lines)))
  }

  private func write(_ value: StoredLoudness, _ track: Track) {
    let tags = value.replayGain
    guard tags.trackGain != nil || tags.albumGain != nil else { return }
    // Read the tags from the file, because those in the index may be outdated.
    let fileTags = try? TagReader().track(at: track.path).replayGain
    if fileTags?.isWritten(as: tags) == true { return }
    do {
      guard value.isCurrent(for: try FileStatus(of: track.path)) else {
        return fail("\(track.path.shown): changed since it was measured, so no tags were written")
      }
      try TagWriter.write(tags, to: track.path)
      var written = value
      let status = try FileStatus(of: track.path)
      (written.size, written.modificationTime) = (status.size, status.modificationTime)
      store([(0, written)])
    } catch {
      fail("\(track.path.shown): \(error)")
    }
  }

  private func fail(_ problem: String) {
    state.withLock { $0.hasFailed = true }
    events.post(.problem(problem))
  }
}

extension GainAlbum {
  /// The key of the album's loudness in the index.
  fileprivate var key: Int64 { StoredLoudness.key(ofAlbum: tracks.map(\.path)) }
}

extension ReplayGainTags {
  /// Whether these tags, read from a file, equal `tags` after rounding. Opus files contain no peaks.
  fileprivate func isWritten(as tags: ReplayGainTags) -> Bool {
    func isClose(_ left: Double?, _ right: Double?, within distance: Double) -> Bool {
      guard let right else { return true }
      return left.map { abs($0 - right) <= distance } ?? false
    }
    return isClose(trackGain, tags.trackGain, within: 0.006)
      && isClose(albumGain, tags.albumGain, within: 0.006)
      && (trackPeak == nil || isClose(trackPeak, tags.trackPeak, within: 1e-5))
      && (albumPeak == nil || isClose(albumPeak, tags.albumPeak, within: 1e-5))
  }
}
