// SPDX-License-Identifier: GPL-3.0-or-later

public import Platform

/// An audio device or file, opened in one format. Only one thread at a time may use it.
public protocol AudioOutput: AnyObject {
  /// The format of the samples that the output accepts; never changes.
  var format: DeviceFormat { get }

  /// The name of the output for the user, such as "pulse" or "out.wav".
  var name: String { get }

  /// Whether the output accepts samples only at the speed at which they are played. A file accepts them as fast as they
  /// come.
  var isRealTime: Bool { get }

  /// The maximum number of frames that the output buffers, accepted but not yet played; 0 if it is not real-time.
  var bufferFrames: Int { get }

  /// The best number of frames to write at once: at least 1, and at most ``bufferFrames`` unless that is 0.
  var periodFrames: Int { get }

  /// Whether the writing thread needs real-time priority. It does not if a sound server or a thread of the driver's
  /// library takes over the samples.
  var needsRealTime: Bool { get }

  /// Whether the output stays open during a pause, however long: no other program waits for it, and its reader would
  /// take closing it for the end.
  var staysOpenInPause: Bool { get }

  /// A one-line warning for the user about how the output was opened; `nil` if there is nothing to report.
  var warning: String? { get }

  /// Writes `bytes`, which are whole frames in ``format``; blocks until all are accepted. After an error, the output
  /// must be closed.
  ///
  /// - Throws: `OutputError` if the device is lost or the file cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)

  /// Plays or stores everything that was accepted, and closes the output. No call may follow.
  ///
  /// - Throws: `OutputError` if not everything could be stored.
  func close() throws(OutputError)
}

extension AudioOutput {
  /// The default: `false`.
  public var needsRealTime: Bool { false }

  /// The default: `false`.
  public var staysOpenInPause: Bool { false }
}

/// An output whose frames can be taken back until shortly before they are audible, so that its buffer can be deep.
///
/// ``AudioOutput/write(_:)`` does not block, since it is called only for as many frames as there is room for:
/// ``AudioOutput/bufferFrames`` less ``unplayedFrames``. ``AudioOutput/periodFrames`` is the room to wait for. What was
/// written need not reach the device before ``synchronize(isComplete:)`` is called.
public protocol RewindableOutput: AudioOutput {
  /// The number of frames that were written, and neither taken back nor audible yet. Does not block.
  var unplayedFrames: Int { get }

  /// Whether the device plays nothing for now, although it is not stopped.
  var isSuspended: Bool { get }

  /// Whether the device has dropped frames that it has not played, so that they should be taken back and written again.
  var hasDropped: Bool { get }

  /// Sends what was written to the device, and learns from it what has changed. Returns the time after which to
  /// call this again, even if no more frames are written.
  ///
  /// - Parameter isComplete: Whether no more frames follow for now, so that what was written must be played to its end.
  /// - Throws: `OutputError` if the device is lost.
  func synchronize(isComplete: Bool) throws(OutputError) -> Duration

  /// Calls `notify` from now on when the device was lost or has changed, so that ``synchronize(isComplete:)`` should be
  /// called. The calls come from another thread.
  func onChange(_ notify: @escaping @Sendable () -> Void)

  /// Takes back the last frames that were written, but not more than `limit`, and none that will be audible within the
  /// next few milliseconds. Silence takes their place until others are written. If the device has dropped frames, they
  /// are taken back as well. Returns their number.
  ///
  /// - Throws: `OutputError` if the device is lost.
  func takeBack(atMost limit: Int) throws(OutputError) -> Int

  /// Stops the device at the frame that is audible now, or lets it continue from there.
  ///
  /// - Throws: `OutputError` if the device is lost.
  func setPaused(_ isPaused: Bool) throws(OutputError)

  /// Whether the output applies the volume, so that other programs can show and change it too.
  var appliesVolume: Bool { get }

  /// Sets the volume as a gain, from 0 to 1, if the output applies it. Takes effect when ``synchronize(isComplete:)``
  /// is called, or at once while the device is stopped.
  ///
  /// - Throws: `OutputError` if the device is lost.
  func setVolume(_ gain: Float) throws(OutputError)
}

extension RewindableOutput {
  /// The default: `false`.
  public var hasDropped: Bool { false }

  /// The default: `false`.
  public var appliesVolume: Bool { false }

  /// Does nothing.
  public func setVolume(_ gain: Float) throws(OutputError) {}
}

/// A function that opens an output in the requested format, or in the nearest that its device accepts; see the output's
/// ``AudioOutput/format``.
public typealias OutputFactory = @Sendable (DeviceFormat) throws(OutputError) -> any AudioOutput

/// The error that is thrown when an output cannot be opened or written.
public struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Sendable, Hashable {
    /// The driver does not exist.
    case unknownDriver
    /// The device or the file could not be opened.
    case cannotOpen
    /// The device was lost while it was open; it may come back.
    case lost
    /// Not everything could be written to the file.
    case incomplete
    /// The output does not support this format.
    case unsupportedFormat
  }

  /// The kind of error.
  public let kind: Kind
  /// The name of the output, and a description of the error for the user.
  public let description: String

  /// Creates an error with a description for the user.
  public init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }
}

/// Estimates how many frames a device still has to play, since libao does not report that.
///
/// A device plays in real time, and never holds more than its buffer. So the number of unplayed frames is the earlier
/// number, less the time that has passed, plus the frames that were written, and at most the buffer. The estimate is
/// exact whenever the buffer is full after a write, which happens again and again while writes have to wait.
public struct DeviceClock: Sendable {
  /// The assumed speed of the device. It is slightly too low, so that the estimate rises to the limit, which corrects
  /// it.
  private static let slownessFactor = 0.9995

  private let framesPerNanosecond: Double
  /// The maximum number of frames that the device buffers; 0 if it is not real-time.
  public let bufferFrames: Int
  private var unplayed = 0.0
  private var instant = MonotonicInstant(nanoseconds: 0)
  /// Whether the device had run out of audio when the last write began.
  public private(set) var hasRunDry = false

  /// Creates the clock of a device to which nothing has been written.
  public init(sampleRate: Int, bufferFrames: Int) {
    self.bufferFrames = max(0, bufferFrames)
    framesPerNanosecond = Double(max(1, sampleRate)) / 1e9
  }

  /// Returns the number of frames that have not been played yet at `now`.
  public func unplayedFrames(at now: MonotonicInstant) -> Int {
    guard bufferFrames > 0, unplayed > 0 else { return 0 }
    let elapsed = now > instant ? Double(now.nanoseconds - instant.nanoseconds) : 0
    return max(0, Int(unplayed - elapsed * framesPerNanosecond * Self.slownessFactor))
  }

  /// Returns whether something was written, and all of it has been played at `now`.
  public func hasPlayedAll(at now: MonotonicInstant) -> Bool { unplayed > 0 && unplayedFrames(at: now) == 0 }

  /// Returns how long it takes to play the frames that are left at `now`, in nanoseconds.
  public func lag(at now: MonotonicInstant) -> UInt64 {
    UInt64(Double(unplayedFrames(at: now)) / framesPerNanosecond)
  }

  /// Records that `frames` frames were written between `start` and `end`.
  public mutating func recordWrite(of frames: Int, from start: MonotonicInstant, to end: MonotonicInstant) {
    guard bufferFrames > 0 else { return }
    hasRunDry = hasPlayedAll(at: start)
    unplayed = Double(min(unplayedFrames(at: end) + frames, bufferFrames))
    instant = end
  }
}

/// The levels of the left and right channels over a short time; 1 is full scale, and levels may exceed it.
public struct SoundLevels: Sendable, Hashable {
  /// A level for each of the two channels.
  public struct Pair: Sendable, Hashable, BitwiseCopyable {
    /// The left channel.
    public var left: Float
    /// The right channel.
    public var right: Float

    public init(left: Float, right: Float) {
      self.left = left
      self.right = right
    }
  }

  /// The largest magnitude of a sample.
  public var peak: Pair
  /// The root mean square of the samples.
  public var rms: Pair

  /// Creates levels from their peak and their root mean square.
  public init(peak: Pair, rms: Pair) {
    self.peak = peak
    self.rms = rms
  }
}
