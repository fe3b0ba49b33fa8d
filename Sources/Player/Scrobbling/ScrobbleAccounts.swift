// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import Platform
import SystemPackage

/// The accounts to which listens are sent.
struct ScrobbleAccounts: Sendable, Hashable, Codable {
  struct ListenBrainz: Sendable, Hashable, Codable {
    var token: String
    var user: String
  }

  struct LastFM: Sendable, Hashable, Codable {
    /// The user's own API key, and its secret.
    var key: String
    var secret: String
    /// The key of the session that the user has allowed.
    var session: String
    var user: String
  }

  var listenBrainz: ListenBrainz?
  var lastFM: LastFM?

  var isEmpty: Bool { listenBrainz == nil && lastFM == nil }

  /// Removes the account of a service; returns whether there was one.
  mutating func remove(_ service: ScrobbleService) -> Bool {
    defer {
      switch service {
      case .listenBrainz: listenBrainz = nil
      case .lastFM: lastFM = nil
      }
    }
    switch service {
    case .listenBrainz: return listenBrainz != nil
    case .lastFM: return lastFM != nil
    }
  }
}

/// The file with the accounts and their tokens, which only its owner may read. Safe to use from any thread.
struct ScrobbleAccountsFile: Sendable {
  private static let sizeLimit = 1 << 16

  let path: FilePath

  /// Creates access to the file in `directory`.
  init(in directory: FilePath) { path = directory.appending("scrobble-accounts.json") }

  /// Returns the accounts; none if there is no file.
  ///
  /// - Throws: ``ScrobbleProblem`` if the file cannot be read, or if others can read it.
  func read() throws(ScrobbleProblem) -> ScrobbleAccounts {
    let bytes: [UInt8]?
    do throws(Errno) { bytes = try AtomicFile.read(path, limit: Self.sizeLimit) } catch {
      throw ScrobbleProblem("cannot read \(path.shown): \(error)")
    }
    guard let bytes else { return ScrobbleAccounts() }
    if let ownership = try? FileOwnership(of: path), ownership.isOpenToOthers {
      throw ScrobbleProblem(
        "other users can read the tokens in \(path.shown): run `chmod 600` on it, and log in with new ones")
    }
    guard let accounts = try? JSONDecoder().decode(ScrobbleAccounts.self, from: Data(bytes)) else {
      throw ScrobbleProblem("\(path.shown) is damaged: remove it, and run `segue scrobble login`")
    }
    return accounts
  }

  /// Replaces the accounts; removes the file if there are none.
  func write(_ accounts: ScrobbleAccounts) throws(ScrobbleProblem) {
    do throws(Errno) {
      if accounts.isEmpty {
        do throws(Errno) { try AtomicFile.remove(path) } catch { if error != .noSuchFileOrDirectory { throw error } }
      } else {
        try AtomicFile.write(ScrobbleJSON.bytes(accounts), to: path)
      }
    } catch {
      throw ScrobbleProblem("cannot write \(path.shown): \(error)")
    }
  }
}

/// What is wrong with scrobbling, in one line, not yet escaped for a terminal.
public struct ScrobbleProblem: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
