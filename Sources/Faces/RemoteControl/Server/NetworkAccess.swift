// SPDX-License-Identifier: GPL-3.0-or-later

/// The permissions of network clients, with and without a password.
public struct NetworkAccess: Sendable, Equatable {
  /// A password, and the permissions that it grants.
  struct Password: Sendable, Equatable {
    let text: String
    let permission: Permission
  }

  let passwords: [Password]
  /// The permissions of clients that have not sent a password.
  let permission: Permission

  /// Creates a value that grants all network permissions to every client.
  public init() { self.init(permission: .network) }

  /// The access of every client if anyone on the network may connect without a password: all network permissions but
  /// the one to add addresses, with which a client could reach what only this machine can.
  public static let open = NetworkAccess(permission: .network.subtracting(.addresses))

  private init(permission: Permission) {
    passwords = []
    self.permission = permission
  }

  /// Parses lines of the form `PASSWORD@PERMISSION,PERMISSION...`, where a permission is `read`, `add`, `control`,
  /// `admin` or `addresses`. A line with an empty password states the permissions of clients that have not sent one;
  /// they have none by default. Empty lines and lines that begin with `#` are ignored.
  ///
  /// - Throws: `passwords` if a line is invalid, or if there is neither a password nor a permission.
  public init(parsing text: String) throws(RemoteServerError) {
    var passwords: [Password] = []
    var defaultPermission: Permission = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if line.isEmpty || line.hasPrefix("#") { continue }
      // The password itself may contain an @.
      guard let separator = line.lastIndex(of: "@") else {
        throw .passwords("line \(number + 1): use PASSWORD@PERMISSION,PERMISSION...")
      }
      var permission: Permission = []
      for name in line[line.index(after: separator)...].split(separator: ",") {
        guard let known = Permission(name: name.trimmingSpaces) else {
          throw .passwords("line \(number + 1): unknown permission; use read, add, control, admin or addresses")
        }
        permission.formUnion(known)
      }
      let password = String(line[..<separator])
      if password.isEmpty {
        defaultPermission = permission
      } else {
        passwords.append(Password(text: password, permission: permission))
      }
    }
    guard !passwords.isEmpty || !defaultPermission.isEmpty else { throw .passwords("it contains no passwords") }
    self.passwords = passwords
    permission = defaultPermission
  }

  /// Returns the permissions that the password `word` grants; `nil` if it is wrong. The time that this takes does not
  /// depend on whether the password is right.
  func permission(for word: String) -> Permission? {
    var found: Permission?
    for password in passwords {
      let (given, known) = (Array(word.utf8), Array(password.text.utf8))
      var difference = given.count ^ known.count
      for index in known.indices {
        difference |= Int(known[index] ^ (index < given.count ? given[index] : 0))
      }
      if difference == 0 { found = password.permission }
    }
    return found
  }
}

extension Substring {
  /// The text without white space at both ends.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// A set of permissions of a client.
struct Permission: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  /// Reading the state of the player and the library.
  static let read = Permission(rawValue: 1 << 0)
  /// Adding to the queue.
  static let add = Permission(rawValue: 1 << 1)
  /// Controlling playback, the queue and the playlists.
  static let control = Permission(rawValue: 1 << 2)
  /// Updating the library, configuring outputs, and ending the player.
  static let admin = Permission(rawValue: 1 << 3)
  /// Executing command lines, which can access files outside the library. Available through the owner's socket only.
  static let owner = Permission(rawValue: 1 << 4)

  /// Adding addresses of streams, to which this machine then connects.
  static let addresses = Permission(rawValue: 1 << 5)

  /// All permissions that a network client can be granted.
  static let network: Permission = [.read, .add, .control, .admin, .addresses]
  /// All permissions, which the owner of the player has.
  static let everything: Permission = [.network, .owner]

  init?(name: String) {
    switch name {
    case "read": self = .read
    case "add": self = .add
    // MPD distinguishes `player` from `control` since version 0.23.
    case "control", "player": self = .control
    case "admin": self = .admin
    case "addresses": self = .addresses
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
