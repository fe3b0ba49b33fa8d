// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import ALSAPlayback

/// Tests of the real library, on its devices that need no sound card.
@Suite struct ALSADeviceTests {
  @Test(arguments: [SampleDepth.bits16, .bits24, .bits32])
  func `ALSA receives every byte that was written`(depth: SampleDepth) throws {
    let directory = try TemporaryDirectory()
    let format = DeviceFormat(sampleRate: 96_000, channels: 2, depth: depth)
    let path = directory.file("captured")
    let output = try SoundCard.open(format, device: "file:\(path.string),raw", buffer: nil)
    #expect(output.format == format)
    #expect(output.bufferFrames == 96_000)
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<format.frameByteCount * 200_001).map { _ in UInt8.random(in: 0...255, using: &random) }
    try write(bytes, to: output)
    try output.close()
    #expect(try contents(of: path) == bytes)
  }

  @Test(arguments: ["", "dop:"])
  func `ALSA receives every bit of DSD`(prefix: String) throws {
    let directory = try TemporaryDirectory()
    let format = DeviceFormat(sampleRate: 176_400, channels: 2, depth: .bits16, isDSD: true)
    let path = directory.file("captured")
    let output = try SoundCard.open(format, device: "\(prefix)file:\(path.string),raw", buffer: nil)
    #expect(output.format == format)
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<4 * 200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try write(bytes, to: output)
    try output.close()
    var expected: [UInt8] = []
    for pair in stride(from: 0, to: bytes.count, by: 8) {
      let frames = [Array(bytes[pair..<pair + 4]), Array(bytes[pair + 4..<pair + 8])]
      if prefix.isEmpty {
        // Of each channel, four bytes, the earliest first.
        for channel in [0, 2] {
          for frame in frames { expected += [frame[channel + 1], frame[channel]] }
        }
      } else {
        for (frame, marker) in zip(frames, [0x05, 0xFA] as [UInt8]) {
          expected += [0, frame[0], frame[1], marker, 0, frame[2], frame[3], marker]
        }
      }
    }
    #expect(try contents(of: path) == expected)
  }

  @Test func `Surround channels keep their order where the device does not say which it has`() throws {
    let directory = try TemporaryDirectory()
    let format = DeviceFormat(sampleRate: 48_000, channels: 6, depth: .bits16)
    let output = try SoundCard.open(format, device: "file:\(directory.file("captured").string),raw", buffer: nil)
    let bytes = (0..<1_200).map { UInt8($0 % 251) }
    try write(bytes, to: output)
    try output.close()
    #expect(try contents(of: directory.file("captured")) == bytes)
  }

  @Test func `A device that is missing is named`() {
    let error = #expect(throws: OutputError.self) {
      _ = try SoundCard.open(.init(sampleRate: 44_100, channels: 2, depth: .bits16), device: "nonesuch", buffer: nil)
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.hasPrefix(#"alsa-exclusive "nonesuch": "#) == true)
  }

  @Test func `A device of ALSA that converts is refused`() {
    let error = #expect(throws: OutputError.self) {
      _ = try SoundCard.open(
        .init(sampleRate: 44_100, channels: 2, depth: .bits16), device: "plug:null", buffer: nil)
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains("this is not a sound card's own device") == true)
  }

  // MARK: The order of channels

  @Test func `Channels are played by the speakers for which they are meant`() throws {
    let device = [
      ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerRearLeft, ALSASpeakerRearRight, ALSASpeakerFrontCenter,
      ALSASpeakerLowFrequency,
    ].map { Int($0) }
    #expect(SpeakerOrder.order(device) == [0, 1, 4, 5, 2, 3])
  }

  @Test func `Channels keep their order on a device with the same, other or unknown speakers`() {
    #expect(SpeakerOrder.order([3, 4, 7, 8, 5, 6]) == nil)
    #expect(SpeakerOrder.order([3, 4, 7, 8, 9, 10]) == nil)
    #expect(SpeakerOrder.order([3, 4, 5, 5]) == nil)
    #expect(SpeakerOrder.order([4, 3]) == nil)
    #expect(SpeakerOrder.order([]) == nil)
    #expect(SpeakerOrder.order(Array(repeating: 0, count: 20)) == nil)
  }

  // MARK: Who uses a device

  @Test func `The program that uses a device is named, with what makes it release that`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("closed\n".utf8, to: "asound/card1/pcm3p/sub0/status")
    try directory.write(
      "state: RUNNING\nowner_pid   : 812\ntrigger_time: 1.0\n".utf8, to: "asound/card1/pcm3p/sub1/status")
    try directory.write("alsa-sink-ALC25\n".utf8, to: "812/comm")
    try directory.write("Name:\talsa-sink-ALC25\nTgid:\t700\nPid:\t812\n".utf8, to: "812/status")
    try directory.write("pulseaudio\n".utf8, to: "700/comm")
    let user = try #require(DeviceUse.user(of: .init(card: 1, number: 3), in: directory.path))
    #expect(user.program == "pulseaudio" && user.process == 700)
    let text = DeviceUse.explanation(user: user)
    #expect(text.hasPrefix("pulseaudio (process 700) uses the device; `pactl suspend-sink"))
    #expect(DeviceUse.user(of: .init(card: 0, number: 0), in: directory.path) == nil)
    #expect(DeviceUse.explanation(user: ("mpd", 9)) == "mpd (process 9) uses the device; end that program first")
    #expect(DeviceUse.explanation(user: nil) == "another program uses the device")
  }

  @Test(
    arguments: [
      ("hw:1", DeviceUse.Device(card: 1, number: 0)), ("hw:1,3", .init(card: 1, number: 3)),
      ("hw:CARD=PCH,DEV=2", .init(card: 4, number: 2)), ("hdmi:CARD=PCH", .init(card: 4, number: 0)),
      ("default", nil), ("hw:", nil), ("hw:Other", nil),
    ] as [(String, DeviceUse.Device?)])
  func `The card is found by its number or name`(name: String, device: DeviceUse.Device?) {
    #expect(DeviceUse.parse(name, cardNumber: { Int($0) ?? ($0 == "PCH" ? 4 : nil) }) == device)
  }

  @Test func `The devices of the cards are listed as Linux reports them`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      """
      00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
      01-03: HDMI 0 : HDMI 0 : playback 1
      02-00: USB Microphone : USB Audio : capture 1
      nonsense

      """.utf8, to: "pcm")
    #expect(
      SoundCard.devices(in: path) == [
        .init(name: "hw:0,0", title: "ALC257 Analog"), .init(name: "hw:1,3", title: "HDMI 0"),
      ])
    #expect(SoundCard.devices(in: directory.file("none")).isEmpty)
  }

  private func write(_ bytes: [UInt8], to output: any AudioOutput) throws {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(OutputError) in try output.write(bytes) }
    }
    try result.get()
  }
}
