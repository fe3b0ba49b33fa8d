// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// The connections of streams: to stations and files, losses and pauses.
  @Suite(
    .enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"),
    .enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)))
  struct HelperStreamTests: StreamedRecordingTests {
    let recording: StreamedRecording

    init() throws { recording = try StreamedRecording(frames: Self.frames) }

    @Test func `A loss of the connection in a file costs no sample`() throws {
      let server = try StreamServer { [flac] request, connection in
        connection.send(file: flac, for: request, limit: request.earlierCount < 3 ? 60_000 : .max)
      }
      let decoder = try open(server)
      #expect(PCM.firstDifference(read(decoder).samples, expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `A station is connected to again after each loss, and given up after several in vain`() throws {
      let server = try StreamServer { [flac] request, connection in
        guard request.earlierCount < 3 else { return }
        connection.send(["Content-Type: audio/flac", "icy-name: Radio"])
        connection.send(flac)
      }
      let decoder = try open(server)
      #expect(!decoder.isSeekable)
      let samples = read(decoder).samples
      #expect(PCM.firstDifference(samples, expected + expected + expected, channels: 2) == nil)
      #expect(decoder.failure != nil)
      #expect(server.requests.count == 5)
    }

    @Test(arguments: [
      ("libmp3lame", "mp3", 64, "audio/mpeg"), ("libmp3lame", "mp3", 128, "audio/mpeg"),
      ("libmp3lame", "mp3", 320, "audio/mpeg"), ("aac", "adts", 128, "audio/aacp"),
      // The types of some servers are wrong.
      ("libmp3lame", "mp3", 320, "audio/aac"), ("aac", "adts", 128, "audio/mpeg"), ("aac", "adts", 128, "text/html"),
    ])
    func `A station that sends no more than is played starts with its first second, wherever in a frame it begins`(
      codec: String, container: String, kilobits: Int, type: String
    ) throws {
      let path = directory.file("station")
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", directory.file("a.wav").string, "-c:a", codec, "-b:a", "\(kilobits)k",
          "-write_xing", "0", "-id3v2_version", "0", "-f", container, path.string,
        ])
      let music = try contents(of: path).dropFirst(1_000).prefix(kilobits * 125 * 5 / 4)
      let (isHeard, wasInTime) = (Watched(false), Watched(false))
      let server = try StreamServer { request, connection in
        guard request.earlierCount == 0 else { return }
        connection.send(["Content-Type: \(type)", "icy-name: Radio"])
        connection.send(Array(music))
        let isInTime = isHeard.wait(seconds: 10) { $0 }
        wasInTime.change { $0 = isInTime }
      }
      let decoder = try open(server)
      #expect(read(decoder, 44_100).samples.count == 88_200)
      isHeard.change { $0 = true }
      _ = read(decoder)
      #expect(wasInTime.value)
    }

    @Test(arguments: [true, false])
    func `A file whose length the server does not state has ended when the connection is closed`(
      isChunked: Bool
    ) throws {
      let server = try StreamServer { [flac] _, connection in
        connection.send(isChunked ? ["Transfer-Encoding: chunked"] : [])
        guard isChunked else { return _ = connection.send(flac) }
        connection.send(Array("\(String(flac.count, radix: 16))\r\n".utf8) + flac + Array("\r\n0\r\n\r\n".utf8))
      }
      let decoder = try open(server)
      #expect(PCM.firstDifference(read(decoder).samples, expected, channels: 2) == nil)
      #expect(decoder.failure == nil && server.requests.count == 1)
    }

    @Test func `A file of which the server sends no parts ends with the connection, and does not begin again`() throws {
      let server = try StreamServer { [flac] _, connection in
        connection.send(["Content-Length: \(flac.count)"])
        connection.send(Array(flac[..<(flac.count / 2)]))
      }
      let decoder = try open(server)
      let samples = read(decoder).samples
      #expect(samples.count < expected.count && decoder.failure?.reason == "the connection was lost")
      #expect(PCM.firstDifference(samples, Array(expected[..<samples.count]), channels: 2) == nil)
      #expect(server.requests.count == 1)
    }

    @Test func `Without a network, a stream is tried again at its start, and the reason is passed on`() throws {
      var settings = Self.settings
      settings.startDelays = [0, 10, 20]
      let reasons = Watched<[String?]>([])
      let helpers = DecodingHelpers(
        program: ProgramFile.neighbour("segue-decode"), streaming: settings,
        onRetry: { _, reason in reasons.change { $0.append(reason) } })
      let address = try #require(StreamAddress("http://nowhere.invalid/"))
      let error = #expect(throws: DecodingError.self) { try helpers.open(address) }
      let reason = "cannot be reached (no such host, or no network)"
      #expect(error?.reason == reason && reasons.value == [reason, reason, reason, nil])
      // A server that refuses is there.
      reasons.change { $0 = [] }
      #expect(throws: DecodingError.self) { try helpers.open(try #require(StreamAddress("http://127.0.0.1:1/"))) }
      #expect(reasons.value.isEmpty)
    }

    @Test func `During a long pause the connection is given up, and made again afterwards`() throws {
      var settings = Self.settings
      // Longer than the interval at which the program is interrupted.
      settings.pauseLimit = 2_500
      let isClosed = Watched(false)
      let server = try StreamServer { [flac] request, connection in
        connection.send(["icy-name: Radio"])
        // More than all buffers on the way hold.
        for _ in 0..<1_000 where !connection.send(flac) { break }
        isClosed.change { $0 = true }
      }
      let decoder = try open(server, "/a", settings)
      #expect(!read(decoder, 1_000).samples.isEmpty)
      #expect(isClosed.wait { $0 })
      #expect(server.requests.count == 1)
      _ = read(decoder, 500_000)
      #expect(server.requests.count > 1 && decoder.failure == nil)
    }

    @Test func `Waiting for a server ends when the listener does not want it any more`() throws {
      var settings = Self.settings
      settings.delays = [100_000]
      let server = try StreamServer { [flac] request, connection in
        connection.send(["icy-name: Radio"])
        connection.send(flac)
      }
      let decoder = try open(server, "/a", settings)
      let isUnwanted = Atomic(false)
      decoder.setInterruption { isUnwanted.load(ordering: .relaxed) }
      #expect(!read(decoder, Self.frames).samples.isEmpty)
      isUnwanted.store(true, ordering: .relaxed)
      #expect(read(decoder, 1_000).samples.isEmpty && decoder.failure == nil)
      #expect(server.requests.count == 1)
    }

    @Test func `A listener who leaves ends the program and its connection`() throws {
      let isClosed = Watched(false)
      let server = try StreamServer { [flac] _, connection in
        connection.send()
        while connection.send(flac) {}
        isClosed.change { $0 = true }
      }
      do {
        let decoder = try open(server)
        #expect(!read(decoder, 1_000).samples.isEmpty)
        #expect(!isClosed.value)
      }
      #expect(isClosed.wait { $0 })
    }
  }
}
