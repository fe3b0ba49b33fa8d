import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a thread waits for when it waits for keys and for others at once.
public final class EventQueue<Event: Sendable>: Sendable {
  /// What came.
  public enum Arrival: Sendable {
    /// Somebody posted this.
    case event(Event)
    /// These bytes were typed.
    case input([UInt8])
    /// There is no more input.
    case inputEnded
    /// A signal handler ran.
    case interrupted
  }

  private let events = Mutex<[Event]>([])
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  /// An empty queue.
  ///
  /// - Throws: `Errno` where the system has no descriptors left.
  public init() throws(Errno) {
    do {
      (reader, writer) = try FileDescriptor.pipe()
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// Adds an event, and wakes who waits. From any thread.
  public func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      events.append(event)
      return events.count == 1
    }
    // Not all of a collection: that would be generic, and this goes on each second.
    if wasEmpty { _ = try? unsafe withUnsafeBytes(of: 0 as UInt8) { unsafe try writer.write($0) } }
  }

  /// Waits for what comes next: an event, or at most `limit` bytes of input from `input`, where one is given. For one
  /// thread.
  public func next(orInputFrom input: FileDescriptor? = nil, limit: Int = 256) -> Arrival {
    while true {
      if let arrival = next(orInputFrom: input, limit: limit, until: nil) { return arrival }
    }
  }

  /// The same, but `nil` where nothing comes until `deadline`, if that is one.
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

  /// Takes all events that came and were not waited for.
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
