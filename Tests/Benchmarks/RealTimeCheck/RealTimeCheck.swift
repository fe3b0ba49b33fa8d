// SPDX-License-Identifier: GPL-3.0-or-later

import RealTimeHooks

/// Plays audio, watches the render loop, and prints the numbers of its operations that may block.
///
/// usage: RealTimeCheck [allocations|references|locks|files]
///
/// Exits with status 1 if there are any. With a kind as its argument, the output performs such an operation on purpose.
/// Build this program for release: without optimisation, every access counts references.
@main
enum RealTimeCheck {
  static func main() throws {
    let kind = CommandLine.arguments.dropFirst().first
    let violation = Counts.forbidden.first { $0.name == kind }?.kind
    guard kind == nil || violation != nil else { fatalError("unknown kind of operation \(kind ?? "")") }
    guard realtime_install() else {
      print("operations cannot be counted on this system")
      return
    }
    var isClean = true
    for scenario in Scenario.all() {
      let before = Counts.current
      try ScenarioRun(scenario, violation).run()
      let counts = Counts.current.since(before)
      let words = Counts.printed.map { "\(counts[$0.kind]) \($0.name)" }
      print("\(scenario.name): \(words.joined(separator: ", "))")
      if !counts.isClean || counts[REALTIME_WATCH] == 0 { isClean = false }
    }
    if !isClean { realtime_fail() }
  }
}
