/// What clients from the network may do, with a password and without.
public struct NetworkAccess: Sendable, Equatable {
  /// A password, and what it opens.
  struct Password: Sendable, Equatable {
    let text: String
    let permission: Permission
  }

  let passwords: [Password]
  /// What whoever gave none may do.
  let permission: Permission

  /// All may do everything.
  public init() {
    passwords = []
    permission = .network
  }

  /// What the lines of `text` say: `PASSWORD@PERMISSION,PERMISSION...`, of `read`, `add`, `control` and `admin`. A line
  /// without a password says what whoever gave none may do, which is nothing otherwise. Empty lines, and those that
  /// begin with `#`, say nothing.
  ///
  /// - Throws: `passwords` where a line makes no sense, or none says anything.
  public init(parsing text: String) throws(RemoteServerError) {
    var passwords: [Password] = []
    var open: Permission = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if line.isEmpty || line.hasPrefix("#") { continue }
      // A password may have the sign, too.
      guard let sign = line.lastIndex(of: "@") else {
        throw .passwords("line \(number + 1): write PASSWORD@PERMISSION,PERMISSION...")
      }
      var permission: Permission = []
      for name in line[line.index(after: sign)...].split(separator: ",") {
        guard let known = Permission(name: name.trimmingSpaces) else {
          throw .passwords("line \(number + 1): permissions are read, add, control and admin")
        }
        permission.formUnion(known)
      }
      let word = String(line[..<sign])
      if word.isEmpty {
        open = permission
      } else {
        passwords.append(Password(text: word, permission: permission))
      }
    }
    guard !passwords.isEmpty || !open.isEmpty else { throw .passwords("there is no password in it") }
    self.passwords = passwords
    permission = open
  }

  /// What `word` opens; `nil` where it is no password. Takes as long for a wrong one as for a right one.
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
  /// Without spaces around it.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// What a client may do.
struct Permission: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  /// Look at the player and the library.
  static let read = Permission(rawValue: 1 << 0)
  /// Add to the queue.
  static let add = Permission(rawValue: 1 << 1)
  /// Control playing, the queue and the playlists.
  static let control = Permission(rawValue: 1 << 2)
  /// Update the library, and end the player.
  static let admin = Permission(rawValue: 1 << 3)
  /// Run commands of the command line, which reach files beyond the library: the owner's own socket alone.
  static let owner = Permission(rawValue: 1 << 4)

  /// What whoever may do everything through the network may do.
  static let network: Permission = [.read, .add, .control, .admin]
  /// What the owner of the player may do.
  static let everything: Permission = [.network, .owner]

  /// The permission of this name.
  init?(name: String) {
    switch name {
    case "read": self = .read
    case "add": self = .add
    // MPD tells playing apart since 0.23.
    case "control", "player": self = .control
    case "admin": self = .admin
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
