// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Platform
import Synchronization
public import SystemPackage

/// A FIFO that gets what the outputs play, when it is audible: raw samples of 16 bits, stereo, 44.1 kHz.
///
/// Without a reader, or with one that does not keep up, frames are dropped: nothing waits for a reader. Can be used
/// from any thread.
public final class OutputTap: Sendable {
  /// How often frames are written, in milliseconds.
  private static let interval: UInt64 = 20
  /// How often to look for a reader while something plays, in milliseconds.
  private static let searchInterval: UInt64 = 500
  /// The maximum time to wait for the last frames when an output is closed, in milliseconds.
  private static let finishingLimit: UInt64 = 100
  /// The capacity of the pipe in bytes, about 90 ms: a reader that is late does not stay late.
  private static let capacity = 1 << 14

  /// The state that the thread shares.
  private final class Shared: Sendable {
    let queue = Mutex(TapQueue())
    let signal = ThreadSignal()
    /// Whether there is a reader for what is written to the outputs.
    let hasReader = Atomic(false)
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
    shared.isEnabled.store(isEnabled, ordering: .relaxed)
    shared.signal.wake()
  }

  /// Returns an output that behaves like `output`, and passes what is audible on to this tap. An output that is not
  /// real-time is returned unchanged.
  public func tapped(_ output: any AudioOutput) -> any AudioOutput {
    guard output.isRealTime else { return output }
    if let rewindable = output as? any RewindableOutput { return TappedRewindableOutput(rewindable, self) }
    return TappedOutput(output, self)
  }

  // MARK: What is written to an output

  /// Adds frames that are audible from `start` on.
  func add(_ bytes: UnsafeRawBufferPointer, _ format: DeviceFormat, from start: MonotonicInstant) {
    guard shared.isEnabled.load(ordering: .relaxed) else { return }
    if shared.hasReader.load(ordering: .relaxed) {
      shared.queue.withLock { unsafe $0.append(bytes, format, from: start) }
    }
    shared.signal.wake()
  }

  /// Removes the last `count` frames: they will not be audible.
  func removeLast(_ count: Int) { shared.queue.withLock { $0.removeLast(count) } }

  /// Waits briefly until the frames that are audible by now have been written.
  func finish() {
    let limit = MonotonicInstant.now.advanced(byMilliseconds: Self.finishingLimit)
    while !shared.queue.withLock({ $0.isEmpty }), MonotonicInstant.now < limit {
      shared.signal.wake()
      MonotonicInstant.now.advanced(byMilliseconds: 5).sleep()
    }
    removeAll()
  }

  /// Removes all frames that are not audible yet.
  func removeAll() { shared.queue.withLock { $0.removeAll() } }

  // MARK: The thread

  private static func run(_ shared: Shared, _ path: FilePath, _ converter: TapConverter) {
    var writer: FIFOWriter?
    var nextSearch = MonotonicInstant.now
    /// The rest of a frame of which the beginning was written.
    var rest: [UInt8] = []
    while !shared.isClosed.load(ordering: .relaxed) {
      let now = MonotonicInstant.now
      if !shared.isEnabled.load(ordering: .relaxed) { writer = nil }
      if writer == nil, shared.isEnabled.load(ordering: .relaxed), now >= nextSearch {
        writer = try? FIFOWriter(path, holding: capacity, arrivalMilliseconds: 0)
        nextSearch = now.advanced(byMilliseconds: searchInterval)
        rest = []
      }
      shared.hasReader.store(writer != nil, ordering: .relaxed)
      guard let open = writer else {
        shared.queue.withLock { $0.removeAll() }
        shared.signal.wait()
        continue
      }
      let due = shared.queue.withLock { $0.removeFrames(before: now.advanced(byMilliseconds: interval / 2)) }
      do throws(Errno) {
        for piece in due {
          rest = try write(rest + converter.convert(piece.bytes, piece.format), to: open, mayDropFrom: rest.count)
        }
        try open.wait(milliseconds: 0)
      } catch {
        writer = nil
        continue
      }
      if shared.queue.withLock({ $0.isEmpty }) {
        shared.signal.wait()
      } else {
        now.advanced(byMilliseconds: interval).sleep()
      }
    }
  }

  /// Writes as many frames as there is room for, and drops the others. Returns the rest of a frame of which the
  /// beginning was written.
  private static func write(
    _ bytes: [UInt8], to writer: FIFOWriter, mayDropFrom restCount: Int
  ) throws(Errno) -> [UInt8] {
    let size = TapConverter.format.frameByteCount
    let room = max(0, writer.capacity - writer.unreadCount)
    let offered = room < bytes.count ? restCount + max(0, room - restCount) / size * size : bytes.count
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try unsafe writer.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(offered))) }
    }
    let written = try result.get()
    let partial = (written - restCount) % size
    if written < restCount { return Array(bytes[written..<restCount]) }
    return partial == 0 ? [] : Array(bytes[written..<written + size - partial])
  }
}
