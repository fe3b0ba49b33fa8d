// SPDX-License-Identifier: GPL-3.0-or-later

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

  /// The address as a path.
  public var path: FilePath { FilePath(description.replacing("%", with: "%25").replacing("/", with: "%2F")) }

  /// Whether a URL may not contain this character, although it is in ASCII (RFC 3986, appendix A).
  private static func isForbidden(_ character: Character) -> Bool { " \"<>\\^`{|}".contains(character) }

  private static func encoded(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
