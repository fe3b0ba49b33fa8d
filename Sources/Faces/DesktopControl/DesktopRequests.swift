// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import SystemPackage

/// Sends the requests of the bus to a player in order, on a thread of its own. Safe to use from any thread.
final class DesktopRequests: Sendable {
  /// The maximum number of waiting requests. Further ones are dropped.
  private static let limit = 1_000
  /// The time in milliseconds for which the bus waits, so that a program that reads a property after it has changed it
  /// gets the new value.
  private static let waitLimit: UInt64 = 100

  private struct Job: Sendable {
    let request: PlayerRequest
    let isDone: Latch
  }

  private let player: any PlayerPort
  private let worker = Worker<[Job]>(named: "segue-mpris", [])

  init(_ player: any PlayerPort) { self.player = player }

  deinit { worker.closeWhenIdle() }

  /// Sends `request`. Returns when it has been performed, but does not wait long, nor for what may take long. Errors
  /// cannot be reported: the programs on the bus expect none.
  func send(_ request: PlayerRequest) {
    let job = Job(request: request, isDone: Latch())
    worker.post { if $0.count < Self.limit { $0.append(job) } }
    do throws(Errno) {
      try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [player] job in
        _ = try? player.send(job.request)
        job.isDone.open()
      }
    } catch {
      worker.withPending { $0 = [] }
    }
    if !request.mayTakeLong { _ = job.isDone.wait(until: .now.advanced(byMilliseconds: Self.waitLimit)) }
  }
}
