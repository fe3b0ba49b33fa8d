// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// The descriptors of the programs that this process starts.
  @Suite struct ProgramStartTests {
    /// A program that writes the numbers of its open descriptors to `output`.
    private static func lister(to output: FilePath) -> String {
      """
      import os, sys
      names = [n for n in os.listdir("/dev/fd") if os.path.exists("/dev/fd/" + n)]
      open("\(output)", "w").write(" ".join(sorted(names)))
      sys.stdin.read()
      """
    }

    /// Returns the text that is written to a FIFO.
    private func read(_ fifo: FilePath) throws -> String? {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo.string))
      return try file.readToEnd().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `A helper has no descriptors but its standard streams`() throws {
      let directory = try TemporaryDirectory()
      try directory.makeFIFO("list")
      let program = try directory.writeProgram(
        "#!/usr/bin/env python3\n" + Self.lister(to: directory["list"]), to: "helper")
      // As a library would open them.
      let file = try FileDescriptor.open("/dev/null", .readOnly)
      let pipe = try FileDescriptor.pipe()
      defer { for descriptor in [file, pipe.readEnd, pipe.writeEnd] { try? descriptor.close() } }
      let helper = try HelperProcess(program)
      #expect(try read(directory["list"]) == "0 1 2")
      withExtendedLifetime(helper) {}
    }

    @Test func `A pager has no descriptors but its standard streams`() throws {
      let directory = try TemporaryDirectory()
      try directory.makeFIFO("list")
      let program = try directory.writeProgram(Self.lister(to: directory["list"]), to: "lister")
      let file = try FileDescriptor.open("/dev/null", .readOnly)
      defer { try? file.close() }
      let pager = try Pager("exec python3 '\(program)'")
      let list = try read(directory["list"])
      pager.finish()
      #expect(list == "0 1 2")
    }

    @Test func `Own pipes and duplicates are closed when another program starts`() throws {
      let pipe = try FileDescriptor.ownPipe(byteCount: 8_192)
      let copy = try pipe.readEnd.ownDuplicate()
      let descriptors = [pipe.readEnd, pipe.writeEnd, copy]
      defer { for descriptor in descriptors { try? descriptor.close() } }
      for descriptor in descriptors { #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0) }
      try pipe.writeEnd.writeAll([1])
      #expect(
        try unsafe withUnsafeTemporaryAllocation(byteCount: 2, alignment: 1) { try unsafe copy.read(into: $0) } == 1)
      #expect(throws: Errno.badFileDescriptor) { try FileDescriptor(rawValue: -1).ownDuplicate() }
    }
  }
}
