// SPDX-License-Identifier: GPL-3.0-or-later

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
