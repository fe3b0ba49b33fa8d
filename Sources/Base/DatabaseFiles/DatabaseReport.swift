// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB
import Platform

/// The state of a database file, for a report about problems.
public struct DatabaseReport: Sendable, Hashable {
  /// The size of the file in bytes, without its companion files.
  public let byteCount: Int64
  /// The version of its schema; `nil` if it cannot be read.
  public let version: Int64?
  /// What is wrong with the file, in one line; `nil` if nothing is.
  public let problem: String?

  /// The version of SQLite, such as "3.40.1"; `nil` if it does not work.
  public static var libraryVersion: String? {
    try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }
}

extension DatabaseFile {
  /// Checks the whole database, and changes nothing. Returns `nil` if there is no file.
  ///
  /// - Parameters:
  ///   - currentVersion: The version of the schema that this program writes.
  ///   - prepare: Called with each new connection before it is used.
  ///   - check: Returns what is wrong with the contents of a well-formed database of this version; `nil` if nothing is.
  public func report(
    currentVersion: Int64, prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
    check: (Database) throws -> String? = { _ in nil }
  ) -> DatabaseReport? {
    guard let status = try? FileStatus(of: path) else { return nil }
    guard status.kind == .regular else {
      return DatabaseReport(byteCount: 0, version: nil, problem: "it is not a file")
    }
    do {
      let database = try connect(.reading, label: "report", prepare: prepare)
      defer { try? database.close() }
      let version = try database.userVersion
      let messages = try database.unsafeRead { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
      let damage = messages == ["ok"] ? nil : messages.first.map { "it is damaged: \($0)" }
      let isTooNew = version > currentVersion && version & ~0xFF == currentVersion & ~0xFF
      let isForeign = version != 0 && version & ~0xFF != currentVersion & ~0xFF
      let difference =
        isTooNew
        ? "a later version of Segue wrote it; update Segue, or move the file away"
        : isForeign ? "another program wrote it" : nil
      let content = damage == nil && version == currentVersion ? try database.read(check) : nil
      return DatabaseReport(byteCount: status.size, version: version, problem: damage ?? difference ?? content)
    } catch {
      let reason = (error as? DatabaseError)?.reason ?? "\(error)"
      return DatabaseReport(byteCount: status.size, version: nil, problem: "it cannot be read: \(reason)")
    }
  }
}
