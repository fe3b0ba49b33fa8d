extension WorkerThread {
  /// Runs `body` on the calling thread and, one a processor and `count` in all at most, on further ones named `name`;
  /// returns when it has ended on each.
  ///
  /// Where the system grants fewer threads, those that there are do it: so each has to take its share of the work by
  /// itself. Blocks: call it on any thread outside of the cooperative pool.
  public static func runTogether(name: String, atMost count: Int, _ body: @escaping @Sendable () -> Void) {
    var others: [WorkerThread] = []
    for _ in 1..<max(1, min(ProcessorCount.available, count)) {
      guard let other = try? WorkerThread(name: name, body) else { break }
      others.append(other)
    }
    body()
    for other in others { _ = other.join(until: MonotonicInstant(nanoseconds: .max)) }
  }
}
