// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Testing

@testable import RemoteControl

/// The requests that commands send to the player.
@Suite struct RequestTests {
  /// Commands in the order in which they are sent to a player whose queue has the items 1 to 4, of which the first one
  /// is playing, and their requests.
  private static let commands: [(String, PlayerRequest)] = [
    ("pause 1", .transport(.pause)), ("pause", .transport(.toggle)), ("pause 0", .resume(PlaybackOptions())),
    ("next", .transport(.next)), ("previous", .transport(.back)),
    ("seekcur 3", .transport(.seekTo(.seconds(3)))), ("seekcur -2", .transport(.seekBy(.seconds(-2)))),
    ("seek 1 5", .transport(.seekItem(2, to: .seconds(5)))), ("seekid 3 7", .transport(.seekItem(3, to: .seconds(7)))),
    ("play 1", .playItem(.ids([2]), PlaybackOptions())), ("playid 3", .playItem(.ids([3]), PlaybackOptions())),
    ("stop", .transport(.rewind)), ("play", .resume(PlaybackOptions())), ("playid -1", .resume(PlaybackOptions())),
    ("setvol 30", .settings(.volume(percent: 30))), ("volume -5", .settings(.volumeStep(-5))),
    ("clearerror", .dismissError),
    ("repeat 1", .settings(.mode(.repeat(.all)))), ("random 1", .settings(.mode(.random(.tracks)))),
    ("random 0", .settings(.mode(.random(.off)))), ("single oneshot", .settings(.mode(.single(.once)))),
    ("single 0", .settings(.mode(.single(.off)))), ("consume oneshot", .settings(.mode(.consumeOnce))),
    ("consume 0", .settings(.mode(.consume(false)))),
    ("crossfade 4", .settings(.crossfade(seconds: 4, withinAlbums: false))),
    ("mixrampdb -17", .settings(.mixRampDecibels(-17))), ("mixrampdelay 2", .settings(.mixRampDelay(seconds: 2))),
    ("mixrampdelay nan", .settings(.mixRampDelay(seconds: nil))),
    ("replay_gain_mode album", .settings(.replayGain(.album))),
    ("disableoutput 0", .settings(.enableOutput(false))), ("toggleoutput 0", .settings(.enableOutput(true))),
    ("rangeid 4 1:2", .edit(.setRange(4, from: .seconds(1), to: .seconds(2)))),
    ("prio 5 0:2", .edit(.prioritise(.ids([1, 2]), 5))), ("prioid 6 4 3", .edit(.prioritise(.ids([4, 3]), 6))),
    ("move 0:2 2", .edit(.move(.ids([1, 2]), to: .position(2)))),
    ("moveid 1 0", .edit(.move(.ids([1]), to: .position(0)))),
    ("swap 0 1", .edit(.swap(.ids([1]), .ids([3])))), ("swapid 4 2", .edit(.swap(.ids([4]), .ids([2])))),
    ("shuffle", .edit(.shuffle(nil, .tracks, startsWithCurrent: true))),
    ("deleteid 4", .edit(.remove(.ids([4])))), ("delete 0:3", .edit(.remove(.ids([1, 2, 3])))),
    ("clear", .edit(.clear)),
  ]

  @Test func `Every command that changes the player is a request, which names items by ID`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(4), item: 0)
    var client = try LineClient(rig)
    var count = 0
    for (command, request) in Self.commands {
      #expect(try client.request(command) == [], "\(command)")
      var sent = Array(rig.requests.dropFirst(count))
      count += sent.count
      // An edit is stored at the end.
      if sent.count > 1, sent.last == .unstored(.store) { sent.removeLast() }
      // What was shuffled has no fixed order.
      if case .unstored(.edit(.remove(.ids(let ids)))) = sent.first {
        sent = [.unstored(.edit(.remove(.ids(ids.sorted()))))]
      }
      #expect(sent == [.unstored(request)], "\(command)")
    }
    // The player closes the connection.
    _ = try? client.request("kill")
    #expect(rig.requests.last == .unstored(.quit))
  }

  @Test func `A command list is stored once, at its end`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(4), item: nil)
    var client = try rig.client()
    try client.socket.write("command_list_begin\ndeleteid 1\ndeleteid 2\nrepeat 1\ncommand_list_end\n".utf8)
    #expect(try client.nextLine() == "OK")
    #expect(
      rig.requests == [
        .unstored(.edit(.remove(.ids([1])))), .unstored(.edit(.remove(.ids([2])))),
        .unstored(.settings(.mode(.repeat(.all)))), .unstored(.store),
      ])
  }
}
