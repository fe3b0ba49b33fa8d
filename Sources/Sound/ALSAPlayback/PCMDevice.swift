// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Why a call to a device failed.
enum PCMError: Error, Hashable {
  /// The device has played everything, and has stopped.
  case underrun
  /// The device was lost, or the system was asleep; with a description for the user.
  case lost(String)
}

/// What a device has to play.
struct PCMState: Hashable {
  /// The number of frames for which the buffer has room.
  var room: Int
  /// The number of frames in the buffer that can still be replaced.
  var replaceable: Int
  /// The number of frames that were written but are not audible yet, including those on their way behind the buffer.
  var unplayed: Int
}

/// A sound card's buffer in memory, from which the card plays by itself: one of ALSA, or a substitute in tests.
protocol PCMDevice: AnyObject {
  var bufferFrames: Int { get }

  /// The number of frames between two reports of the card.
  var periodFrames: Int { get }

  /// The maximum number of frames that the card reads ahead of those that are replaceable according to ``PCMState``.
  var readAheadFrames: Int { get }

  /// Returns what the device has to play now. Does not block.
  func state() throws(PCMError) -> PCMState

  /// Copies whole frames to the buffer, which has room for them.
  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError)

  /// Moves the position of the next frame back by up to `frames` frames; returns by how many.
  func rewind(_ frames: Int) throws(PCMError) -> Int

  /// Starts to play what the buffer contains. Does nothing if the device is playing.
  func start() throws(PCMError)

  /// Stops at once, drops what the buffer contains, and makes the device ready to start again.
  func reset() throws(PCMError)

  /// Stops at once, and releases the device.
  func close()
}
