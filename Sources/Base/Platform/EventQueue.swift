// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Synchronization
public import SystemPackage

/// A queue of events for a thread that waits for keyboard input and for events from other threads at the same time.
public final class EventQueue<Event: Sendable>: Sendable {
  /// The result of waiting for an event or for input.
  public enum Arrival: Sendable {
    case event(Event)
    case input([UInt8])
    case inputEnded
    /// A signal handler ran.
    case interrupted
  }

  private let events = Mutex<[Event]>([])
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  /// Creates an empty queue.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
  public init() throws(Errno) { (reader, writer) = try FileDescriptor.ownPipe() }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// Adds an event and wakes the waiting thread. Can be called from any thread.
  public func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      events.append(event)
      return events.count == 1
    }
    // Not `writeAll`, which is generic: this code runs every second.
    if wasEmpty { _ = try? unsafe withUnsafeBytes(of: 0 as UInt8) { unsafe try writer.write($0) } }
  }

  /// Waits for an event, or for at most `limit` bytes from `input` if it is given. Only one thread may wait.
  public func next(orInputFrom input: FileDescriptor? = nil, limit: Int = 256) -> Arrival {
    while true {
      if let arrival = next(orInputFrom: input, limit: limit, until: nil) { return arrival }
    }
  }

  /// Waits for an event, or for at most `limit` bytes from `input` if it is given. Returns `nil` if nothing arrives
  /// before `deadline`; if `deadline` is `nil`, waits without limit. Only one thread may wait.
  public func next(
    orInputFrom input: FileDescriptor? = nil, limit: Int = 256, until deadline: MonotonicInstant?
  ) -> Arrival? {
    while true {
      if let event = takeEvent() { return .event(event) }
      var polled = [pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)]
      if let input { polled.append(pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)) }
      let count = unsafe poll(&polled, nfds_t(polled.count), deadline?.pollTimeout ?? -1)
      if count == 0 {
        if let deadline, deadline <= .now { return nil }
        continue
      }
      guard count > 0 else { return .interrupted }
      if let input, polled[polled.count - 1].fd == input.rawValue, polled[polled.count - 1].revents != 0 {
        return Self.read(input, limit: limit)
      }
    }
  }

  /// Removes and returns all queued events, without waiting.
  public func takeAll() -> [Event] {
    var taken: [Event] = []
    while let event = takeEvent() { taken.append(event) }
    return taken
  }

  private func takeEvent() -> Event? {
    let (event, isLast) = events.withLock { events -> (Event?, Bool) in
      guard !events.isEmpty else { return (nil, false) }
      return (events.removeFirst(), events.isEmpty)
    }
    if isLast {
      _ = try? unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
        unsafe try reader.read(into: $0)
      }
    }
    return event
  }

  private static func read(_ input: FileDescriptor, limit: Int) -> Arrival {
    let bytes = try? unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = unsafe try input.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    guard let bytes, !bytes.isEmpty else { return .inputEnded }
    return .input(bytes)
  }
}
