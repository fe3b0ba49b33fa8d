// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct RuntimeDirectoryTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("run")
    try directory.setPermissions(0o700, of: "run")
  }

  private var problem: String? { RuntimeDirectory.problem(with: directory["run/segue"]) }

  @Test func `A directory in one that only its owner can write to is accepted, whether it exists or not`() throws {
    #expect(problem == nil && RuntimeDirectory.problem(with: directory["none/segue"]) == nil)
    try directory.setPermissions(0o755, of: "run")
    try directory.makeDirectory("run/segue")
    #expect(problem == nil)
  }

  @Test(arguments: [0o770, 0o702, 0o1777] as [UInt32])
  func `A runtime directory that others can write to is refused`(permissions: UInt32) throws {
    try directory.setPermissions(permissions, of: "run")
    #expect(problem?.contains("other users can write to") == true)
  }

  @Test func `A link in place of the directory is refused, wherever it leads`() throws {
    try directory.makeDirectory("run/other")
    try directory.link("run/segue", to: "other")
    #expect(problem?.contains("is a link") == true)
    directory.remove("run/segue")
    try directory.link("run/segue", to: "none")
    #expect(problem?.contains("is a link") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["run", "run/segue"])
  func `A directory of another user is refused`(name: String) throws {
    try directory.makeDirectory("run/segue")
    try directory.setOwner(12_345, of: name)
    #expect(problem?.contains("belongs to another user") == true)
  }

  @Test func `A new listener's file has mode 600, and an existing file is not replaced`() throws {
    let number = try LocalSocket.makeListener(at: directory["run/socket"])
    defer { close(number) }
    #expect(try directory.permissions(of: "run/socket") & 0o777 == 0o600)
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(throws: Errno.addressInUse) { _ = try LocalSocket.makeListener(at: directory["run/socket"]) }
  }
}
