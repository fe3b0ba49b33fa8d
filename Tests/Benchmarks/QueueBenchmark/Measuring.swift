// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage

/// An edit of an array of IDs, with which the same edit of a queue is compared.
struct ArrayBaseline {
  let ids: [UInt64]
  let edit: (inout [UInt64]) -> Void

  init(_ ids: [UInt64], _ edit: @escaping (inout [UInt64]) -> Void) {
    self.ids = ids
    self.edit = edit
  }
}

extension QueueBenchmark {
  /// The prefix of the names of the benchmarks to run; empty to run all.
  private static let namePrefix = CommandLine.arguments.dropFirst(3).first ?? ""

  /// Prints a line without buffering, even if the output is a file.
  static func printLine(_ line: String) {
    _ = try? FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
  }

  /// Returns the processor time that `body` takes on this thread.
  private static func processorTime(_ body: () -> Void) -> Duration {
    let start = ProcessorTime.ofThisThread
    body()
    return ProcessorTime.ofThisThread - start
  }

  /// Prints the median time of `action` on a copy of `queue` that shares its storage, and that of the same edit of an
  /// array of IDs.
  static func measure(
    _ name: String, _ queue: PlayQueue, _ action: QueueAction,
    baseline: ArrayBaseline?, runs: Int = 5
  ) {
    guard name.hasPrefix(namePrefix) else { return }
    let queueTime = median(runs) {
      var copy = queue
      let time = processorTime { copy.reduce(action) }
      precondition(copy.version > queue.version, "\(name) did nothing")
      return time
    }
    let arrayTime = baseline.map { baseline in
      median(runs) {
        var copy = baseline.ids
        copy.append(0)
        copy.removeLast()
        return processorTime { baseline.edit(&copy) }
      }
    }
    printLine("\(name): \(text(queueTime))\(arrayTime.map { ", an array of ids \(text($0))" } ?? "")")
  }

  /// Prints the median time of a query.
  static func time(_ name: String, _ body: () -> Void) {
    guard name.hasPrefix(namePrefix) else { return }
    printLine("\(name): \(text(median(5) { processorTime(body) }))")
  }

  /// Prints how long `action` takes in the player's store, and how long a reader of the state waits meanwhile.
  static func measureReaders(_ name: String, _ queue: PlayQueue, _ action: QueueAction) throws {
    guard "readers".hasPrefix(namePrefix) else { return }
    let results = try (0..<5).map { _ in try ReaderBenchmark(queue).measure(action) }
    let (reads, times) = (results.map(\.read), results.map(\.action).sorted())
    printLine("readers during \(name), \(text(times[2])): at most \(text(reads.max() ?? .zero))")
  }

  private static func median(_ runs: Int, _ body: () -> Duration) -> Duration {
    (0..<runs).map { _ in body() }.sorted()[runs / 2]
  }

  private static func text(_ duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    return "\((microseconds / 10).rounded() / 100) ms"
  }
}

/// The resident memory of this process.
enum ResidentMemory {
  /// Returns the size in bytes.
  static func bytes() throws -> Int {
    let file = try FileDescriptor.open("/proc/self/statm", .readOnly)
    let text = try file.closeAfter {
      try String(unsafeUninitializedCapacity: 256) { try file.read(into: UnsafeMutableRawBufferPointer($0)) }
    }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}

/// Creates tracks like those of a real library: albums of twelve tracks, with common tags.
enum SampleTracks {
  private static let words = [
    "Night", "River", "Blue", "Golden", "Silent", "Morning", "Fire", "Winter", "Garden", "Shadow", "Light",
    "Stone",
  ]

  /// Returns the track with this number.
  static func track(_ number: Int) -> Track {
    let album = number / 12
    let artist = "The \(words[album / 5 % 12]) \(words[album / 60 % 12]) Band \(album / 50)"
    let title = "\(words[number % 12]) of \(words[number / 7 % 12]) \(number % 997)"
    let name = "\(words[album % 12]) and \(words[album / 12 % 12]) \(album)"
    let file = "\(number % 12 + 1) - \(title).flac"
    var track = Track(path: FilePath("/home/somebody/Music/\(artist)/\(name)/\(file)"), title: title)
    track.artists = [artist]
    track.album = name
    track.albumArtists = [artist]
    track.genres = ["Jazz"]
    track.number = Ordinal(number % 12 + 1, of: 12)
    track.disc = Ordinal(1, of: 1)
    track.date = ReleaseDate(year: 1950 + album % 70)
    track.duration = .milliseconds(120_000 + number &* 7_919 % 300_000)
    track.replayGain = ReplayGainTags(
      trackGain: Double(-number % 1_200) / 100, trackPeak: Double(number % 1_000_000) / 1_000_000,
      albumGain: -7.5,
      albumPeak: 0.98)
    track.audio = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: 16)
    return track
  }
}
