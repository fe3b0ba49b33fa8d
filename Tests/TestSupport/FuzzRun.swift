import Platform

/// Runs many cases on a thread of its own, and notices where one does not end.
public enum FuzzRun {
  /// How many cases to run: `$SEGUE_FUZZ_CASES`, or else `standard`.
  public static func count(standard: Int) -> Int {
    Environment.value("SEGUE_FUZZ_CASES").flatMap(Int.init) ?? standard
  }

  /// The first case: `$SEGUE_FUZZ_SEED`, or else 0.
  public static var firstSeed: UInt64 { Environment.value("SEGUE_FUZZ_SEED").flatMap(UInt64.init) ?? 0 }

  /// Runs `body` with `count` seeds, and gives what it found wrong, or which case did not end within `seconds`; `nil`
  /// where all went well.
  ///
  /// A case that does not end goes on in its thread: a call into a library cannot be stopped.
  public static func firstFault(
    count: Int, seconds: Double = 20, _ body: @escaping @Sendable (UInt64) -> String?
  ) throws -> String? {
    let progress = Watched((seed: firstSeed, fault: String?.none, isOver: false))
    let worker = try WorkerThread(name: "fuzz") {
      for seed in firstSeed..<(firstSeed + UInt64(count)) {
        progress.change { $0.seed = seed }
        if let fault = body(seed) {
          progress.change { $0.fault = "seed \(seed): \(fault)" }
          break
        }
      }
      progress.change { $0.isOver = true }
    }
    while true {
      let seed = progress.value.seed
      guard progress.wait(seconds: seconds, until: { $0.isOver || $0.seed != seed }) else {
        return "seed \(seed) does not end within \(seconds) s"
      }
      if progress.value.isOver { return withExtendedLifetime(worker) { progress.value.fault } }
    }
  }
}
