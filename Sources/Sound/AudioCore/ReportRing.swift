import Synchronization

/// Carries small values from one producing thread to one consuming thread, without locks or allocation.
@safe
public final class ReportRing<Report: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // The two indices decide which thread owns which place.
  private let capacity: Int
  private let places: UnsafeMutablePointer<Report?>
  private let written = Atomic(0)
  private let read = Atomic(0)

  /// An empty ring with room for `capacity` reports; at least 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    unsafe places = .allocate(capacity: self.capacity)
    unsafe places.initialize(repeating: nil, count: self.capacity)
  }

  deinit { unsafe places.deallocate() }

  /// Adds `report`, or gives `false` where the ring is full. Producer only.
  public func push(_ report: Report) -> Bool {
    let index = written.load(ordering: .relaxed)
    guard index - read.load(ordering: .acquiring) < capacity else { return false }
    unsafe places[index % capacity] = report
    written.store(index + 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest report, or gives `nil` where there is none. Consumer only.
  public func pop() -> Report? {
    let index = read.load(ordering: .relaxed)
    guard index < written.load(ordering: .acquiring) else { return nil }
    let report = unsafe places[index % capacity]
    read.store(index + 1, ordering: .releasing)
    return report
  }
}
