// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Synchronization

/// Measures how many actions per second can be dispatched to ten subscribers, compared with ten direct calls of the
/// same closures.
@main
enum DispatchBenchmark {
  private static let subscriberCount = 10
  private static let actionCount = 2_000_000
  private static let rounds = 5

  static func main() { measure() }

  /// Measures and prints the results. It is not isolated to the main actor, which would check every call.
  private nonisolated static func measure() {
    let sums = (0..<subscriberCount).map { _ in Sum() }
    let receivers = sums.map { sum in { @Sendable (action: Int) in sum.add(action) } }
    let dispatcher = Dispatcher<Int>()
    let subscriptions = receivers.map { dispatcher.subscribe($0) }
    var ratios: [Double] = []
    var rates: [Double] = []
    withExtendedLifetime(subscriptions) {
      for _ in 0..<rounds {
        let direct = seconds { for action in 0..<actionCount { receivers.forEach { $0(action) } } }
        let dispatched = seconds { for action in 0..<actionCount { dispatcher.dispatch(action) } }
        rates.append(Double(actionCount) / dispatched)
        ratios.append(dispatched / direct)
      }
    }
    print("dispatch to \(subscriberCount) subscribers: \(Int(median(rates))) actions/s,", terminator: " ")
    print("\((median(ratios) * 100).rounded() / 100) times the plain calls (median of \(rounds))")
    precondition(Set(sums.map(\.value)).count == 1, "every subscriber has received every action")
  }

  private static func seconds(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .seconds(1)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

/// A subscriber that does the least work that still has an effect.
private final class Sum: Sendable {
  private let total = Atomic(0)

  var value: Int { total.load(ordering: .relaxed) }

  func add(_ number: Int) {
    total.store(total.load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }
}
