// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import RealTimeHooks

/// An output that watches the thread that writes to it, from the end of one write to the start of the next.
final class WatchedOutput: AudioOutput {
  /// The number of frames by which decoding must be ahead, so that the ring never becomes empty.
  private static let leadFrames = 32_768

  let format: DeviceFormat
  let name = "watched"
  let warning: String? = nil
  let isRealTime: Bool
  var bufferFrames: Int { isRealTime ? format.sampleRate / 10 : 0 }
  var periodFrames: Int { format.sampleRate / 50 }
  private let scenario: Scenario
  private let progress: Progress
  private let volume: (Float) -> Void
  private let violation: realtime_kind?
  private var takenFrames = 0
  private var writeCount = 0

  init(
    format: DeviceFormat, scenario: Scenario, progress: Progress, violation: realtime_kind?,
    volume: @escaping (Float) -> Void
  ) {
    self.format = format
    self.scenario = scenario
    self.progress = progress
    self.violation = violation
    self.volume = volume
    isRealTime = scenario.isDevice
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    realtime_unwatch(true)
    writeCount += 1
    let frames = bytes.count / format.frameByteCount
    takenFrames += frames
    progress.addTaken(frames)
    // The writes between two changes take place during a fade.
    if scenario.changesVolume, writeCount.isMultiple(of: 2) { volume(Float(writeCount % 7) / 6) }
    // At the end, the ring becomes empty. A file is written by the decode thread, unless that thread started late.
    let isWatched =
      isRealTime ? progress.awaitFrames(takenFrames + Self.leadFrames) : progress.isOnDecodingThread
    guard isWatched else { return }
    realtime_watch()
    if let violation { realtime_commit(violation, Unmanaged.passUnretained(self).toOpaque()) }
  }

  func close() { realtime_unwatch(false) }
}
