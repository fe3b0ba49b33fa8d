// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Flux
import NIOCore
import Platform
import PlayerFlow
import PlayerPort
import Synchronization
import SystemPackage

@testable import MusicModel
@testable import RemoteControl

/// A session of a client with a player in memory, which has a queue but neither an engine nor a library.
enum CommandCheck {
  /// An object whose identity serves as a client id.
  private final class Client {}

  /// Returns the problem in the responses to a client that sends these bytes.
  static func problem(in bytes: [UInt8]) -> String? {
    if pieces(of: [bytes[...]]) != pieces(of: [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)]) {
      return "split in two, the input has other lines"
    }
    let client = Client()
    let (player, table) = player()
    var state = ConnectionState()
    var context = CommandContext(
      player: player, announce: { _ in },
      client: ClientState(id: ClientID(client), permission: .network, isLocal: false))
    for piece in pieces(of: [bytes[...]]).prefix(64) {
      guard case .line(let line) = piece else { return nil }
      if line.contains(0x0A) || line.count > LineFramer.lineLimit { return "an invalid line" }
      if let problem = quotingProblem(of: line) { return problem }
      var action = state.receive(line)
      while case .run(let isList, let confirms, let lines)? = action {
        var batch = CommandBatch(isList ? .list(confirms: confirms) : .single, lines, context, table: table)
        var response = ByteBuffer()
        var isLast = false
        while !isLast {
          var step = batch.step()
          response.writeBuffer(&step.bytes)
          isLast = step.isLast
        }
        let isClosing = batch.context.isClosing
        if let problem = problem(ofResponse: Array(response.readableBytesView), isClosing: isClosing) { return problem }
        context.client = batch.context.client
        if isClosing { return nil }
        action = state.batchEnded()
      }
      if case .close = action { return nil }
    }
    return nil
  }

  private static func pieces(of parts: [ArraySlice<UInt8>]) -> [LineFramer.Piece] {
    var framer = LineFramer()
    var pieces: [LineFramer.Piece] = []
    for part in parts {
      var buffer = ByteBuffer(bytes: part)
      framer.append(&buffer)
      while let piece = framer.next() {
        pieces.append(piece)
        if piece == .tooLong { return pieces }
      }
    }
    return pieces
  }

  /// Returns the problem in the words of a line after quoting and parsing them again.
  private static func quotingProblem(of line: [UInt8]) -> String? {
    guard let words = try? ProtocolWords(line) else { return nil }
    let quoted = ([words.command] + words.arguments.map(\.protocolQuoted)).joined(separator: " ")
    return (try? ProtocolWords(Array(quoted.utf8))) == words ? nil : "quoted again, the line has other words"
  }

  /// Returns the problem in the form of a response.
  private static func problem(ofResponse response: [UInt8], isClosing: Bool) -> String? {
    if isClosing, response.isEmpty { return nil }
    guard response.last == 0x0A else { return "a response without a line end" }
    let lines = response.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    guard let last = lines.last, last.elementsEqual("OK".utf8) || last.starts(with: "ACK [".utf8) else {
      return isClosing ? nil : "a response that ends with neither OK nor ACK"
    }
    let isMixed = lines.dropLast().contains { $0.elementsEqual("OK".utf8) || $0.starts(with: "ACK [".utf8) }
    return isMixed ? "a response that ends twice" : nil
  }

  private static func player() -> (ControlledPlayer, CommandTable) {
    let dispatcher = QueueDispatcher()
    var queue = PlayQueue()
    let tracks = (1...4).map { number in
      var track = Track(path: FilePath("/music/a/\(number).flac"), title: "Title \(number)")
      track.artists = ["Artist"]
      track.album = "Album"
      track.duration = .seconds(60)
      return track
    }
    queue.reduce(.enqueue(TrackCollection(title: "Album", tracks: tracks), item: 0))
    let store = PlayerStore(PlayerState(queue), dispatcher: dispatcher)
    let (listener, playback) = (QueueListener(store), PlaybackStore(store))
    let player = ControlledPlayer(
      queue: listener, playback: playback, library: nil, queueLimit: 64,
      port: LocalPlayer(.withoutEngine(listener, playback, PlayerActionCreator(dispatcher: dispatcher))))
    return (player, CommandTable.all(NetworkAccess(), MessageBoard { _, _ in }))
  }
}
