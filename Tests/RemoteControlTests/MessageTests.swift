// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import RemoteControl

/// Messages between clients.
@Suite struct MessageTests {
  @Test func `A subscriber of a channel is notified, and reads its messages`() throws {
    let rig = try RemoteRig()
    var listener = try LineClient(rig)
    var speaker = try LineClient(rig)
    #expect(try listener.request("subscribe lights").isEmpty)
    #expect(try speaker.request("idle subscription") == ["changed: subscription"])
    #expect(try speaker.request("channels") == ["channel: lights"])
    #expect(try speaker.request("sendmessage lights \"on, please\"").isEmpty)
    #expect(try speaker.request("sendmessage lights off").isEmpty)
    #expect(try listener.request("idle message") == ["changed: message"])
    #expect(
      try listener.request("readmessages") == [
        "channel: lights", "message: on, please", "channel: lights", "message: off",
      ])
    #expect(try listener.request("readmessages").isEmpty && speaker.request("readmessages").isEmpty)
  }

  @Test func `A closed connection has no subscriptions`() throws {
    let rig = try RemoteRig()
    var speaker = try LineClient(rig)
    do {
      var listener = try LineClient(rig)
      #expect(try listener.request("subscribe lights").isEmpty)
      #expect(try speaker.request("idle subscription") == ["changed: subscription"])
    }
    #expect(try speaker.request("idle subscription") == ["changed: subscription"])
    #expect(try speaker.request("channels").isEmpty)
    #expect(try speaker.request("sendmessage lights on") == ["ACK 50 nobody is subscribed to this channel"])
  }

  @Test func `The number and size of unread messages are limited`() throws {
    let board = MessageBoard { _, _ in }
    let (first, second) = (Marker(), Marker())
    let (slow, other) = (ClientID(first), ClientID(second))
    try board.subscribe(slow, to: "a")
    for number in 0..<MessageBoard.messageLimit { try board.send("\(number)", to: "a") }
    #expect(throws: ProtocolError(.noExist, "nobody is subscribed to this channel")) {
      try board.send("one more", to: "a")
    }
    try board.subscribe(other, to: "a")
    try board.send("for the other", to: "a")
    #expect(board.takeMessages(of: other).map(\.text) == ["for the other"])
    #expect(board.takeMessages(of: slow).map(\.text) == (0..<MessageBoard.messageLimit).map(String.init))
    let long = String(repeating: "x", count: MessageBoard.sizeLimit)
    #expect(throws: ProtocolError.self) { try board.send(long, to: "a") }
    try board.send(String(long.dropLast()), to: "a")
  }
}

/// An object whose identity serves as a client id.
private final class Marker {}
