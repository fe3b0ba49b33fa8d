// SPDX-License-Identifier: GPL-3.0-or-later

import RealTimeHooks

/// Plays audio while the render loop is watched, and prints the numbers of its operations that may block.
///
/// usage: RealTimeCheck [allocations|references|locks|files]
///
/// Exits with status 1 if there are any. With a kind as its argument, the output performs such an operation on purpose.
/// Build this program for release: without optimisation, every access counts references.
@main
enum RealTimeCheck {
  static func main() throws {
    let wanted = CommandLine.arguments.dropFirst().first
    let violation = Counts.forbidden.first { $0.name == wanted }?.kind
    guard wanted == nil || violation != nil else { fatalError("there is no \(wanted ?? "")") }
    guard realtime_install() else {
      print("this system has no hooks")
      return
    }
    var isClean = true
    for scenario in Scenario.all() {
      let before = Counts.present
      try ScenarioRun(scenario, violation).run()
      let counts = Counts.present.since(before)
      let words = Counts.shown.map { "\(counts[$0.kind]) \($0.name)" }
      print("\(scenario.name): \(words.joined(separator: ", "))")
      if !counts.isClean || counts[REALTIME_WATCH] == 0 { isClean = false }
    }
    if !isClean { realtime_fail() }
  }
}
