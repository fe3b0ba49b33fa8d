// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import Flux
import MusicModel
import Platform
import PlayerFlow
import Synchronization
import TestSupport
import Testing

@testable import PlayerPort

/// The frames of the level meter and the spectrum, on a clock that stands still until the test advances it.
@Suite struct SoundPublisherTests {
  private final class Rig: Sendable {
    let clock = ManualClock()
    let actions: PlayerActionCreator
    let playback: PlaybackStore
    let publisher: SoundPublisher
    let sound = Mutex<AudibleSound?>(nil)
    let isRecording = Mutex(false)
    let frames = Mutex<[SoundFrame]>([])

    init() {
      let dispatcher = QueueDispatcher()
      let store = PlayerStore(dispatcher: dispatcher)
      actions = PlayerActionCreator(dispatcher: dispatcher)
      playback = PlaybackStore(store)
      publisher = SoundPublisher(playback, makeTransform: { NaiveTransform(size: $0) }, clock: clock)
      clock.setBusyCount { 1 }
      playback.readSound(record: { [weak self] isOn in self?.isRecording.withLock { $0 = isOn } }) { [weak self] in
        self?.sound.withLock(\.self)
      }
    }

    func observe(bands: Int) -> Subscription {
      publisher.observe(bands: bands) { [weak self] frame in self?.frames.withLock { $0.append(frame) } }
    }

    func play() {
      actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
      actions.awaitDelivery()
      let samples = (0..<64).map { Float($0.isMultiple(of: 4) ? 0.5 : 0) }
      sound.withLock { $0 = AudibleSound(left: samples, right: samples, sampleRate: 44_100, position: 32) }
    }

    var count: Int { frames.withLock(\.count) }
    var last: SoundFrame? { frames.withLock(\.last) }
  }

  @Test func `While nothing plays, no timer runs, and one frame shows silence`() {
    let rig = Rig()
    let subscription = rig.observe(bands: 8)
    #expect(rig.clock.comesToRest(withinMilliseconds: 100))
    #expect(rig.count == 1 && rig.last?.isSilent == true && rig.last?.spectrum?.bands.count == 8)
    subscription.cancel()
  }

  @Test func `There are thirty frames a second, until those after a pause are silent`() {
    let rig = Rig()
    rig.play()
    let subscription = rig.observe(bands: 8)
    #expect(!rig.clock.comesToRest(withinMilliseconds: 1_000))
    #expect((29...32).contains(rig.count))
    #expect(rig.last?.levels?.peak.left == 0.5 && rig.last?.isSilent == false)

    rig.actions.pause()
    rig.actions.awaitDelivery()
    rig.sound.withLock { $0 = nil }
    #expect(rig.clock.comesToRest(withinMilliseconds: 5_000))
    let count = rig.count
    #expect(rig.last?.isSilent == true && count > 40 && count < 150)

    rig.play()
    rig.actions.resume()
    rig.actions.awaitDelivery()
    #expect(rig.clock.run { rig.count > count + 3 })
    subscription.cancel()
  }

  @Test func `Sound is recorded only while someone observes it`() {
    let rig = Rig()
    let (first, second) = (rig.observe(bands: 0), rig.observe(bands: 9))
    #expect(rig.isRecording.withLock { $0 })
    first.cancel()
    #expect(rig.isRecording.withLock { $0 })
    second.cancel()
    second.cancel()
    #expect(!rig.isRecording.withLock { $0 })
  }

  @Test func `A face that does not ask for frames is sent none, and their analysis ends`() throws {
    let rig = Rig()
    rig.play()
    let lines = Mutex<[String]>([])
    let port = PublishedSound(rig.publisher)
    let feeds = SoundFeeds(port) { line, _ in lines.withLock { $0.append(line) } }
    #expect(feeds.send(bands: 8, id: 7))
    #expect(rig.clock.run { !rig.isRecording.withLock { $0 } })
    #expect(lines.withLock(\.count) == 1)
    // Asking again begins again.
    #expect(feeds.send(bands: 8, id: 7))
    #expect(rig.clock.run { lines.withLock(\.count) == 2 } && rig.isRecording.withLock { $0 })
    let message: PlayerMessage? = JSONLine.value(lines.withLock { $0[1] })
    guard case .sound(let frame, id: 7)? = message else { throw PlayerError(.failure, "\(message.debugDescription)") }
    #expect(frame.spectrum?.bands.count == 8)
    feeds.end(7)
    #expect(!rig.isRecording.withLock { $0 })
    for id in 0..<4 { #expect(feeds.send(bands: 0, id: UInt64(id))) }
    #expect(!feeds.send(bands: 0, id: 4))
    feeds.endAll()
    #expect(!rig.isRecording.withLock { $0 })
  }

  @Test func `A frame is nearly the same after it was sent to another process, and damaged ones are refused`() throws {
    let levels = SoundLevels(peak: .init(left: 1.5, right: .infinity), rms: .init(left: 0.25, right: 0))
    let values: [Float] = [0, 0.5, 1, .nan, -3, 7]
    let line = JSONLine.text(SoundFrame(levels: levels, spectrum: Spectrum(bands: values, peaks: values)))
    let frame: SoundFrame = try #require(JSONLine.value(line))
    #expect(frame.levels?.peak == .init(left: 1.5, right: 0) && frame.levels?.rms == levels.rms)
    let bands = try #require(frame.spectrum?.bands)
    #expect(zip(bands, [0, 0.5, 1, 0, 0, 1]).allSatisfy { abs($0 - $1) <= 0.002 } && bands.count == 6)
    #expect(JSONLine.value(JSONLine.text(SoundFrame())) == SoundFrame())
    for text in [
      #"{"levels":[1,2,3]}"#, #"{"bands":"AAAA"}"#, #"{"bands":"AAAA","peaks":"AAA="}"#, #"{"bands":"","peaks":""}"#,
    ] {
      #expect((JSONLine.value(text) as SoundFrame?) == nil, "\(text)")
    }
  }
}

/// A port that has only sound.
private final class PublishedSound: PlayerPort {
  private let publisher: SoundPublisher

  init(_ publisher: SoundPublisher) { self.publisher = publisher }

  var snapshot: PlayerSnapshot { .unknown }

  func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply { throw .playerEnded }

  func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows { throw .playerEnded }

  func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer { throw .playerEnded }

  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription { Subscription {} }

  func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    publisher.observe(bands: bands, receive)
  }
}
