// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct LocalSocketTests {
  @Test func `A refused connection closes its descriptor once`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeSocket("socket")
    // If a descriptor were closed twice, the second time would sometimes close one that was opened here meanwhile.
    let isDone = Watched(false)
    let worker = try WorkerThread(name: "connect") {
      for _ in 0..<2_000 { _ = try? LocalSocket(connectingTo: directory["socket"]) }
      isDone.change { $0 = true }
    }
    while !isDone.value {
      let descriptor = try FileDescriptor.open("/dev/null", .readOnly)
      try descriptor.close()
    }
    #expect(throws: Errno.connectionRefused) { try LocalSocket(connectingTo: directory["socket"]) }
    withExtendedLifetime(worker) {}
  }
}
