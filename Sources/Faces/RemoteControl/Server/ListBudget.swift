import Synchronization

/// How many bytes all clients together may have in command lists that they have not finished.
final class ListBudget: Sendable {
  private static let limit = 64 << 20

  private let used = Atomic(0)

  /// Takes so many bytes more, or gives some back where negative; says whether that is within the limit.
  func take(_ count: Int) -> Bool {
    used.wrappingAdd(count, ordering: .relaxed).newValue <= Self.limit || count <= 0
  }

  /// Gives so many back.
  func give(back count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
