// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import TestSupport
import Testing

#if os(Linux)
  @Suite struct ThreadPriorityTests {
    /// The scheduling of a thread, from proc(5).
    private struct Scheduling: Equatable {
      let niceness: Int
      let policy: Int

      /// The scheduling of the calling thread.
      static var current: Scheduling? {
        let text = try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
        let fields = text?.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
        // The first remaining fields are the state, which is not a number, and the fourth field.
        guard fields.count > 37 else { return nil }
        return Scheduling(niceness: fields[15], policy: fields[37])
      }

      /// Returns the scheduling of a thread that the calling thread starts.
      static func ofNewThread() throws -> Scheduling? {
        let scheduling = Watched<Scheduling?>(nil)
        let thread = try WorkerThread(name: "child") { scheduling.change { $0 = current } }
        #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000)))
        return scheduling.value
      }
    }

    @Test func `urgent priority is inherited, real-time is not, and a thread can switch between them`() throws {
      let normal = try #require(Scheduling.current)
      let thread = try WorkerThread(name: "urgent", priority: .urgent) {
        let urgent = Scheduling.current
        #expect((try? Scheduling.ofNewThread()) == urgent)
        ThreadPriority.realTime.request()
        let realTime = Scheduling.current
        #expect((try? Scheduling.ofNewThread())?.policy == normal.policy)
        ThreadPriority.urgent.request()
        // If the priorities are granted only by a resource limit, switching back is not possible.
        if realTime?.policy != 2 || getuid() == 0 { #expect(Scheduling.current == urgent) }
        if getuid() == 0 {
          #expect([urgent?.niceness, urgent?.policy] == [-10, 0] || urgent == normal)
        }
      }
      #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000)))
    }
  }
#endif
