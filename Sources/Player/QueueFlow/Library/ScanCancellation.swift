import Synchronization

/// Asks one reading of the library to end early.
final class ScanCancellation: Sendable {
  private let isAsked = Atomic(false)
  private let isTold = Atomic(false)

  /// Asks it to end. From any thread.
  func cancel() { isAsked.store(true, ordering: .relaxed) }

  /// Whether who reads was told to end: who ends without asking again has read all.
  var wasHeeded: Bool { isTold.load(ordering: .relaxed) }

  /// Answers who reads. From any thread.
  func check() -> Bool {
    guard isAsked.load(ordering: .relaxed) else { return false }
    isTold.store(true, ordering: .relaxed)
    return true
  }
}
