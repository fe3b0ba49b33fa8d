import Testing

@testable import RemoteControl

@Suite struct AccessTests {
  @Test(arguments: [
    ("localhost", "localhost", 6600), ("10.0.0.1:6601", "10.0.0.1", 6601), (":6602", "127.0.0.1", 6602),
    ("[::1]:6603", "::1", 6603), ("::", "::", 6600), ("[::1]", "::1", 6600),
    ("*:6604", "::", 6604), ("*", "::", 6600), ("6605", "127.0.0.1", 6605),
  ])
  func `An address has a host and a port, or the usual ones`(text: String, host: String, port: Int) {
    #expect(ListenAddress(parsing: text) == ListenAddress(host: host, port: port))
  }

  @Test(arguments: [
    ("localhost", true), ("127.0.0.1", true), ("[::1]", true), (":6600", true), ("*", false), ("0.0.0.0", false),
    ("192.168.0.2:6600", false), ("music.example", false),
  ])
  func `Only addresses of this machine alone are safe without passwords`(text: String, isLoopback: Bool) {
    #expect(ListenAddress(parsing: text)?.isLoopback == isLoopback)
  }

  @Test(arguments: ["host:", "host:x", "host:70000", "70000", "[::1", "[::1]x", "host:-1"])
  func `What is no address is refused`(text: String) { #expect(ListenAddress(parsing: text) == nil) }

  @Test func `Without passwords everything is open to the network, but what is the owner's`() {
    #expect(NetworkAccess().permission == .network && !Permission.network.contains(.owner))
  }

  @Test func `A password opens what its line says, and nothing is open without one`() throws {
    let access = try NetworkAccess(parsing: "# mine\nse@cret@read,add\r\nroot@admin , control\n")
    #expect(access.permission == [])
    #expect(access.permission(for: "se@cret") == [.read, .add])
    #expect(access.permission(for: "root") == [.admin, .control])
    #expect(access.permission(for: "") == nil && access.permission(for: "se@cre") == nil)
    #expect(access.permission(for: "se@cret ") == nil)
    #expect(try NetworkAccess(parsing: "x@admin\n@read").permission == .read)
  }

  @Test(arguments: ["", "no sign", "x@fly", "#\n"])
  func `A password file that makes no sense is refused`(text: String) {
    #expect(throws: NetworkAccess.Failure.self) { try NetworkAccess(parsing: text) }
  }
}
