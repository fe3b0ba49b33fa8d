// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Platform
import Synchronization
public import SystemPackage

/// A FIFO that gets what the outputs play, when it is audible: signed 16-bit samples, little-endian, stereo, 44.1 kHz.
///
/// Without a reader, or with one that does not keep up, frames are dropped: nothing waits for a reader. Can be used
/// from any thread. Writing to a tapped output takes a lock and allocates memory.
public final class OutputTap: Sendable {
  /// How often frames are written, in milliseconds.
  private static let interval: UInt64 = 20
  /// How often to look for a reader, or whether it has left, in milliseconds.
  private static let searchInterval: UInt64 = 500
  /// The maximum time to wait for the last frames when an output is closed, in milliseconds.
  private static let finishingLimit: UInt64 = 200
  /// The maximum number of bytes that the reader has not read, 200 ms: a reader that is late does not stay late.
  private static let unreadLimit = TapConverter.format.sampleRate / 5 * TapConverter.format.frameByteCount

  /// What was written to the outputs.
  private struct State: Sendable {
    var queue = TapQueue()
    /// The number of the newest output: only that one is audible.
    var output: UInt64 = 0
    /// Whether the thread is writing frames that it has removed from the queue.
    var isWriting = false
  }

  /// What the thread shares.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let signal = ThreadSignal()
    let isEnabled = Atomic(true)
    let isClosed = Atomic(false)
  }

  private let shared = Shared()

  /// Creates a tap that writes to the FIFO at `path`, which is created if it is missing.
  ///
  /// - Throws: `OutputError` if there is something else at `path`, or the FIFO or a thread cannot be created.
  public init(path: FilePath, makeResampler: @escaping ResamplerFactory) throws(OutputError) {
    do throws(Errno) {
      try FIFOWriter.create(path)
      let shared = shared
      _ = try WorkerThread(name: "segue-tap") {
        Self.run(shared, path, TapConverter(makeResampler: makeResampler))
      }
    } catch {
      let reason = error == .invalidArgument ? "is not a FIFO" : "cannot be used as a tap: \(error)"
      throw OutputError(kind: .cannotOpen, description: "\(path.shown) \(reason)")
    }
  }

  deinit {
    shared.isClosed.store(true, ordering: .relaxed)
    shared.signal.wake()
  }

  /// Enables or disables the tap.
  public func enable(_ isEnabled: Bool) {
    if shared.isEnabled.exchange(isEnabled, ordering: .relaxed) != isEnabled { shared.signal.wake() }
  }

  /// Returns an output that behaves like `output`, and passes what is audible on to this tap. An output that is not
  /// real-time is returned unchanged. What an earlier output still does is ignored.
  public func tapped(_ output: any AudioOutput) -> any AudioOutput {
    guard output.isRealTime else { return output }
    let number = shared.state.withLock {
      $0.output += 1
      $0.queue.removeAll()
      return $0.output
    }
    if let rewindable = output as? any RewindableOutput { return TappedRewindableOutput(rewindable, self, number) }
    return TappedOutput(output, self, number)
  }

  // MARK: What is written to an output

  /// Changes the queue for output `number`, unless there is a newer one.
  func change(for number: UInt64, _ body: (inout TapQueue) -> Void) {
    guard shared.isEnabled.load(ordering: .relaxed) else { return }
    shared.state.withLock { state in
      if state.output == number { body(&state.queue) }
    }
    shared.signal.wake()
  }

  /// Waits briefly until the frames that are audible by now have been written, and removes the others.
  func finish(_ number: UInt64) {
    let limit = MonotonicInstant.now.advanced(byMilliseconds: Self.finishingLimit)
    while shared.state.withLock({ $0.output == number && ($0.isWriting || !$0.queue.isEmpty) }),
      MonotonicInstant.now < limit
    {
      shared.signal.wake()
      MonotonicInstant.now.advanced(byMilliseconds: 5).sleep()
    }
    change(for: number) { $0.removeAll() }
  }

  // MARK: The thread

  private static func findReader(_ path: FilePath) -> Result<FIFOWriter, Errno> {
    Result { () throws(Errno) in try FIFOWriter(path, holding: nil, arrivalMilliseconds: 0) }
  }

  private static func run(_ shared: Shared, _ path: FilePath, _ converter: TapConverter) {
    var writer: FIFOWriter?
    var nextSearch = MonotonicInstant.now
    /// The rest of a frame of which the beginning was written.
    var rest: [UInt8] = []
    while !shared.isClosed.load(ordering: .relaxed) {
      let now = MonotonicInstant.now
      let isEnabled = shared.isEnabled.load(ordering: .relaxed)
      if !isEnabled { writer = nil }
      if writer == nil, isEnabled, now >= nextSearch {
        writer = try? findReader(path).get()
        nextSearch = now.advanced(byMilliseconds: searchInterval)
        rest = []
      }
      let due = shared.state.withLock { state in
        if !isEnabled { state.queue.removeAll() }
        state.isWriting = true
        return state.queue.removeFrames(before: now.advanced(byMilliseconds: interval / 2))
      }
      do throws(Errno) {
        for piece in due {
          guard let writer else { break }
          rest = try write(rest + converter.convert(piece.bytes, piece.format), to: writer, restCount: rest.count)
        }
        try writer?.wait(milliseconds: 0)
      } catch {
        writer = nil
      }
      let isEmpty = shared.state.withLock { state in
        state.isWriting = false
        return state.queue.isEmpty
      }
      switch (isEmpty, writer == nil) {
      case (true, true): shared.signal.wait()
      case (true, false): _ = shared.signal.wait(until: now.advanced(byMilliseconds: searchInterval))
      case (false, true): _ = shared.signal.wait(until: nextSearch)
      case (false, false): now.advanced(byMilliseconds: interval).sleep()
      }
    }
  }

  /// Writes as many frames as there is room for, and drops the others. `bytes` begins with `restCount` bytes of a frame
  /// of which the beginning was written. Returns the new rest of a frame.
  private static func write(_ bytes: [UInt8], to writer: FIFOWriter, restCount: Int) throws(Errno) -> [UInt8] {
    let size = TapConverter.format.frameByteCount
    let room = max(0, min(unreadLimit, writer.capacity) - writer.unreadCount)
    let offered = room < bytes.count ? restCount + max(0, room - restCount) / size * size : bytes.count
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try unsafe writer.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(offered))) }
    }
    let written = try result.get()
    if written < restCount { return Array(bytes[written..<restCount]) }
    let partial = (written - restCount) % size
    return partial == 0 ? [] : Array(bytes[written..<written + size - partial])
  }
}
