// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import TestSupport
import Testing

@testable import RemoteControl

/// Clients that guess passwords.
@Suite struct PasswordTests {
  private let clock = ManualClock()
  private let guesses: PasswordGuesses

  init() { guesses = PasswordGuesses(clock: clock) }

  private static func address(_ text: String) -> ClientAddress {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET6, text, &bytes) == 1 { return ClientAddress(bytes) }
    _ = inet_pton(AF_INET, text, &bytes)
    return ClientAddress(bytes.prefix(4))
  }

  /// Returns the error for a password from `text`, if any.
  private func guess(_ text: String, isRight: Bool = false) -> String? {
    do throws(ProtocolError) {
      _ = try guesses.attempt(from: Self.address(text)) { isRight ? true : nil }
      return nil
    } catch {
      return error.message
    }
  }

  private static func refusal(_ seconds: Int) -> String {
    "too many wrong passwords from your address: try again in \(seconds) s"
  }

  @Test func `After a few wrong passwords, none from the address is compared for a time that doubles`() {
    for _ in 0..<PasswordGuesses.freeCount { #expect(guess("10.0.0.1") == "incorrect password") }
    #expect(guess("10.0.0.1", isRight: true) == nil)
    for seconds in [2, 4, 8, 16, 32, 32, 32] {
      #expect(guess("10.0.0.1") == "incorrect password")
      #expect(guess("10.0.0.1") == Self.refusal(seconds))
      // A right password is refused, too, and those that are refused do not count.
      #expect(guess("10.0.0.1", isRight: true) == Self.refusal(seconds))
      clock.advance(byMilliseconds: UInt64(1_000 * seconds - 1))
      #expect(guess("10.0.0.1") == Self.refusal(1))
      clock.advance(byMilliseconds: 1)
      #expect(guess("10.0.0.1", isRight: true) == nil)
    }
    // Other addresses are not affected.
    #expect(guess("10.0.0.2") == "incorrect password")
    clock.advance(byMilliseconds: 1_000 * PasswordGuesses.memory)
    for _ in 0..<PasswordGuesses.freeCount { #expect(guess("10.0.0.1") == "incorrect password") }
    #expect(guess("10.0.0.1") == "incorrect password")
  }

  @Test func `An address is an IPv4 address, however it is written, or the network of an IPv6 address`() {
    #expect(Self.address("::ffff:10.0.0.1") == Self.address("10.0.0.1"))
    #expect(Self.address("::ffff:10.0.0.1") != Self.address("::ffff:10.0.0.2"))
    #expect(Self.address("2001:db8:1:2::1") == Self.address("2001:db8:1:2:ffff::2"))
    #expect(Self.address("2001:db8:1:2::1") != Self.address("2001:db8:1:3::1"))
    #expect(ClientAddress([]) == ClientAddress([]) && (ClientAddress([]) != Self.address("10.0.0.1")))
  }

  @Test func `The number of addresses that are remembered is limited, and the first are forgotten`() {
    for _ in 0...PasswordGuesses.freeCount { #expect(guess("10.0.0.1") == "incorrect password") }
    #expect(guess("10.0.0.1") == Self.refusal(2))
    for number in 0..<PasswordGuesses.addressLimit {
      clock.advance(byMilliseconds: 1)
      #expect(guess("11.0.\(number / 256).\(number % 256)") == "incorrect password")
    }
    for _ in 0..<PasswordGuesses.freeCount { #expect(guess("10.0.0.1") == "incorrect password") }
  }

  @Test func `Guesses are counted over connections, and the owner's socket is not affected`() throws {
    let rig = try RemoteRig(
      addresses: [ListenAddress(host: "127.0.0.1", port: 0)],
      access: try NetworkAccess(parsing: "right@read\n@read"), clock: clock)
    let port = try #require(rig.server.addresses.first?.port)
    let respond = { (password: String) in
      try NetworkClient.response(to: "password \(password)\nclose\n", port: port).split(separator: "\n")
        .dropFirst().map(String.init)
    }
    for _ in 0...PasswordGuesses.freeCount {
      #expect(try respond("wrong") == ["ACK [3@0] {password} incorrect password"])
    }
    let refused = ["ACK [3@0] {password} \(Self.refusal(2))"]
    #expect(try respond("wrong") == refused && respond("right") == refused)
    // In a command list, too.
    let list = try NetworkClient.response(
      to: "command_list_begin\npassword a\npassword b\ncommand_list_end\nclose\n", port: port)
    #expect(list.hasSuffix(refused[0] + "\n"))
    var owner = try LineClient(rig)
    #expect(try owner.request("password right") == [] && owner.request("password x") == ["ACK 3 incorrect password"])
    clock.advance(byMilliseconds: 2_000)
    #expect(try respond("right") == ["OK"])
  }
}
