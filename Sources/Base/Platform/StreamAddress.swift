// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

/// The address of a stream: a URL with the scheme `http` or `https`.
///
/// It has no passwords and no other secrets: they are taken out when it is created, and put back only for the server;
/// see ``StreamSecrets``.
///
/// Where tracks are named by paths, an address is stored as a path: percent-encoded, so that it has one component. It
/// cannot be mistaken for a file, since paths of files are absolute there.
public struct StreamAddress: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of an address, in bytes, with its secrets.
  public static let lengthLimit = 2_048

  /// The address as text, in ASCII, without secrets.
  public let description: String

  /// Creates an address from its text; returns `nil` if it is not one. Characters that are not allowed in a URL are
  /// encoded, and a fragment, which servers do not get, is left out. The name of the host must be in ASCII.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    let isControl = { (byte: UInt8) in byte < 0x20 || byte == 0x7F }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard ["http", "https"].contains(scheme), rest.hasPrefix("//"), !rest.utf8.contains(where: isControl),
      !host.isEmpty, !host.hasPrefix(":"), host.allSatisfy({ $0.isASCII && !Self.isForbidden($0) })
    else { return nil }
    let encoded = rest.prefix { $0 != "#" }.utf8.reduce(into: scheme + ":") { address, byte in
      let isAllowed = (0x21...0x7E).contains(byte) && !Self.isForbidden(Character(UnicodeScalar(byte)))
      address += isAllowed ? String(UnicodeScalar(byte)) : Self.encoded(byte)
    }
    guard encoded.utf8.count <= Self.lengthLimit else { return nil }
    description = AddressSecrets.removed(from: encoded)
    if description != encoded { StreamSecrets.shared.add(encoded, for: description) }
  }

  /// The address with its secrets, for the server alone. May block on the disk.
  public var withSecrets: String { StreamSecrets.shared.address(for: description) }

  /// Creates the address that is stored as `path`; returns `nil` for the path of a file.
  public init?(_ path: FilePath) {
    guard !path.isAbsolute, path.components.count == 1, path.string.hasPrefix("http") else { return nil }
    self.init(path.string.replacing("%2F", with: "/").replacing("%25", with: "%"))
  }

  public var path: FilePath { FilePath(description.replacing("%", with: "%25").replacing("/", with: "%2F")) }

  /// Whether a URL may not contain this character, although it is in ASCII (RFC 3986, appendix A).
  private static func isForbidden(_ character: Character) -> Bool { " \"<>\\^`{|}".contains(character) }

  private static func encoded(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// Recognises the secrets in addresses: passwords before the host, and parameters such as tokens.
public enum AddressSecrets {
  /// Parameters that are secret, in lower case and without hyphens and underscores.
  private static let names: Set = [
    "accesskey", "apikey", "auth", "authkey", "credential", "credentials", "hmac", "jwt", "listenkey", "pass",
    "passphrase", "passwd", "password", "pw", "pwd", "secretkey", "sessionid", "sig", "streamkey",
  ]
  /// Endings of further such names.
  private static let endings = ["apikey", "password", "secret", "signature", "token"]
  /// Parameters that are secret beside the name of a user, as in the protocol of Subsonic: the password, or its hash
  /// and the salt.
  private static let namesBesideUsers: Set = ["p", "s", "t"]
  private static let userNames: Set = ["u", "user", "username"]

  /// Returns `text` without the secrets in the addresses that it contains. An address ends at a space, a quotation mark
  /// or an angle bracket. With one slash instead of two, as in a path, it counts as well.
  public static func removed(from text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")), text.contains(":/") else { return text }
    var result = ""
    var rest = text[...]
    while let separator = rest.firstRange(of: ":/") {
      let start = rest[separator.upperBound...].drop { $0 == "/" }.startIndex
      result += rest[..<start]
      rest = rest[start...]
      let address = rest.prefix { !$0.isWhitespace && !"\"<>".contains($0) }
      result += removed(fromAddress: address)
      rest = rest[address.endIndex...]
    }
    return result + rest
  }

  /// Returns an address without its secrets; `address` is what follows the scheme and two slashes.
  private static func removed(fromAddress address: Substring) -> String {
    let authority = address.prefix { !"/?#".contains($0) }
    var result = String(authority)
    if let end = authority.lastIndex(of: "@"), let start = authority[..<end].firstIndex(of: ":") {
      result = String(authority[..<start] + authority[end...])
    }
    let path = address[authority.endIndex...].prefix { $0 != "?" }
    result += path
    guard path.endIndex < address.endIndex else { return result }
    let parameters = address[path.endIndex...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let hasUser = parameters.contains { userNames.contains(name(of: $0)) }
    let shown = parameters.filter { parameter in
      let name = name(of: parameter)
      return
        !(names.contains(name) || endings.contains { name.hasSuffix($0) }
        || hasUser && namesBesideUsers.contains(name))
    }
    // An address may be the value of a parameter.
    let query = shown.map { removed(from: String($0)) }.joined(separator: "&")
    return shown.isEmpty ? result : "\(result)?\(query)"
  }

  private static func name(of parameter: Substring) -> String {
    parameter.prefix { $0 != "=" }.lowercased().filter { !"-_".contains($0) }
  }
}

/// The secrets of addresses of streams, which no ``StreamAddress`` holds.
///
/// They are stored in a file in the state directory that only its owner can read. Each line has an address without its
/// secrets, a space, and the address with them. Safe to use from any thread.
public final class StreamSecrets: Sendable {
  /// The secrets of this process.
  public static let shared = StreamSecrets()

  static let fileName = "stream-passwords"
  /// The number of addresses above which the oldest ones are forgotten.
  fileprivate static let limit = 50_000
  fileprivate static let sizeLimit = limit * 2 * (StreamAddress.lengthLimit + 1)

  fileprivate struct Entry {
    let address: String
    /// The number of the entry: the higher, the newer.
    let number: UInt64
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var lastNumber: UInt64 = 0
    var file: FilePath?
    var isOwner = false
    /// Whether an entry has not been stored yet.
    var isChanged = false
    /// What the file was when it was read or written last; `nil` if there was none.
    var status: FileStatus?
  }

  private let state = Mutex(State())

  /// Creates an empty store, which is not in a file.
  init() {}

  /// Uses the file in this state directory from now on, which is read when it is needed. Only the owner of the
  /// directory writes it.
  public func use(_ directory: FilePath, isOwner: Bool) {
    state.withLock { state in
      state.file = directory.appending(Self.fileName)
      state.isOwner = isOwner
      state.status = nil
      state.isChanged = !state.entries.isEmpty
    }
  }

  /// Remembers the secrets of `address`, which is `shown` without them.
  func add(_ address: String, for shown: String) {
    state.withLock { state in
      guard state.entries[shown]?.address != address else { return }
      state.add(address, for: shown)
      state.isChanged = true
    }
  }

  /// Returns the address that is `shown` without its secrets; `shown` itself if it has none.
  func address(for shown: String) -> String {
    state.withLock { state in
      // Another process may have stored it.
      try? state.read()
      return state.entries[shown]?.address ?? shown
    }
  }

  /// Writes new secrets to the file, if this process is the owner of its directory. Blocks until the disk has been
  /// written. What refers to the addresses is stored only then.
  ///
  /// - Throws: `Errno`.
  public func flush() throws(Errno) {
    let result = state.withLock { state in Result { () throws(Errno) in try state.write() } }
    try result.get()
  }
}

extension StreamSecrets.State {
  mutating func add(_ address: String, for shown: String) {
    lastNumber += 1
    entries[shown] = .init(address: address, number: lastNumber)
    guard entries.count > StreamSecrets.limit else { return }
    let oldest = entries.sorted { $0.value.number < $1.value.number }.prefix(StreamSecrets.limit / 10)
    for entry in oldest { entries[entry.key] = nil }
  }

  /// Reads what the file has that is not known, if it has changed.
  mutating func read() throws(Errno) {
    guard let file else { return }
    let found = try? FileStatus(of: file, followingLinks: false)
    guard found?.identity != status?.identity || found?.modificationTime != status?.modificationTime else { return }
    guard found?.kind == .regular, let bytes = try AtomicFile.read(file, limit: StreamSecrets.sizeLimit) else {
      return
    }
    status = found
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      // What was typed since is newer.
      if parts.count == 2, entries[parts[0]] == nil { add(parts[1], for: parts[0]) }
    }
  }

  mutating func write() throws(Errno) {
    guard isChanged, isOwner, let file else { return }
    try read()
    let lines = entries.sorted { $0.value.number < $1.value.number }.map { "\($0.key) \($0.value.address)\n" }
    try AtomicFile.write(lines.joined().utf8, to: file)
    status = try? FileStatus(of: file, followingLinks: false)
    isChanged = false
  }
}
