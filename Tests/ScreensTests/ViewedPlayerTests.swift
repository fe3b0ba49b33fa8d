// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Platform
import PlayerPort
import Synchronization
import Testing

@testable import Screens

/// The requests that a view sends to its player.
@Suite struct ViewedPlayerTests {
  @Test func `A request for which there is no room fails, and those before it are performed`() throws {
    let (mayFinish, isDone) = (Latch(), Latch())
    let port = FakePlayer(PlayerContract.tracks) { _ in mayFinish.wait() }
    let player = try ViewedPlayer(port, ViewedPlayer.Role())
    let count = 200
    let outcomes = Mutex<[PlayerError?]>([])
    for _ in 0..<count {
      player.send(.history) { result in
        let outcome: PlayerError? = if case .failure(let error) = result { error } else { nil }
        let number = outcomes.withLock { outcomes in
          outcomes.append(outcome)
          return outcomes.count
        }
        if number == count { isDone.open() }
      }
    }
    let refused = outcomes.withLock { $0 }
    #expect(refused.count > 100 && refused.allSatisfy { $0 == .tooManyRequests })
    mayFinish.open()
    isDone.wait()
    #expect(port.requests.count == count - refused.count)
    #expect(outcomes.withLock { $0.count { $0 == nil } } == port.requests.count)
  }
}
