// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to a server over HTTP or HTTPS.
public struct HTTPRequest: Sendable, Hashable {
  /// The absolute address, with escapes where needed.
  public var url: String
  /// The lines of the header, besides those that libcurl adds.
  public var headers: [String] = []
  /// The contents of a POST; `nil` for a GET.
  public var body: [UInt8]?
  public var timeouts = Timeouts()
  /// The maximum size of an answer, in bytes.
  public var answerLimit = 1 << 20

  /// How long a request may take.
  public struct Timeouts: Sendable, Hashable {
    /// Until there is a connection.
    public var connecting: Duration
    /// Until the answer is complete.
    public var answering: Duration

    public init(connecting: Duration = .seconds(10), answering: Duration = .seconds(30)) {
      self.connecting = connecting
      self.answering = answering
    }
  }

  public init(url: String) { self.url = url }

  /// Creates a POST of `body`, which has the media type `type`.
  public init(url: String, type: String, body: [UInt8]) {
    self.url = url
    self.body = body
    headers = ["Content-Type: \(type)"]
  }
}

/// The answer of a server, whatever its status.
public struct HTTPAnswer: Sendable, Hashable {
  /// The status, such as 200.
  public var status: Int
  /// The value of the header `Retry-After`, if there is one.
  public var retryAfter: String?
  public var body: [UInt8]

  public init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// Why there is no answer.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// libcurl is not installed.
    case noLibrary
    /// The address is not one of HTTP or HTTPS.
    case invalidAddress
    /// The server cannot be found or reached.
    case unreachable
    case timeout
    /// The server cannot prove to be the one that was asked for.
    case certificate
    /// The answer exceeds ``HTTPRequest/answerLimit``.
    case tooLarge
    /// The connection failed later, such as in the middle of the answer.
    case failed
  }

  public let kind: Kind
  /// The message of libcurl; may be empty.
  public let reason: String

  public init(_ kind: Kind, _ reason: String = "") {
    self.kind = kind
    self.reason = reason
  }

  /// The error in a few words, not yet escaped for a terminal.
  public var description: String {
    let words =
      switch kind {
      case .noLibrary: "libcurl is not installed"
      case .invalidAddress: "the address is not valid"
      case .unreachable: "the server cannot be reached"
      case .timeout: "the server does not answer in time"
      case .certificate: "the server's certificate is not valid"
      case .tooLarge: "the answer of the server is too long"
      case .failed: "the connection failed"
      }
    return reason.isEmpty ? words : "\(words) (\(reason))"
  }
}

/// Sends a request, and blocks until there is an answer. Can be called from any thread.
public typealias HTTPTransport = @Sendable (HTTPRequest) throws(HTTPError) -> HTTPAnswer
