import AudioCore
import TestSupport

/// Sound in which every frame tells its place, and stays far from silence.
enum Ruler {
  /// Sound that was heard as it is: `count` frames from `place` on, recorded from `index` on.
  struct Run {
    var index: Int
    var place: Int
    var count: Int
    /// The index after its last frame; there may be silence before it.
    var end: Int
    /// The place after its last frame.
    var next: Int { place + count }
  }

  private static let base = 16_384

  /// A WAV file of the places in `places`.
  static func file(_ places: Range<Int>, rate: Int) -> [UInt8] {
    var samples = [Int32](repeating: 0, count: 2 * places.count)
    var index = 0
    for place in places {
      samples[index] = Int32(base / 2 + place % base)
      samples[index + 1] = -Int32(base / 2 + place / base)
      index += 2
    }
    return WaveFile.bytes(samples, rate: rate, channels: 2, depth: .bits16)
  }

  /// The sound in `frames` that was not faded, in runs without a break.
  static func runs(_ frames: [(left: Int16, right: Int16)]) -> [Run] {
    var runs: [Run] = []
    for (index, frame) in frames.enumerated() {
      let low = Int(frame.left) - base / 2
      let high = -Int(frame.right) - base / 2
      guard (0..<base).contains(low), high >= 0 else { continue }
      let place = high * base + low
      if let last = runs.last, last.end == index, last.next == place {
        runs[runs.count - 1].count += 1
        runs[runs.count - 1].end += 1
      } else {
        runs.append(Run(index: index, place: place, count: 1, end: index + 1))
      }
    }
    // Between two frames of a fade there is no such chain.
    return runs.filter { $0.count > 32 }
  }

  /// The same runs, where one that goes on with the very next place is part of the one before.
  static func joined(_ runs: [Run]) -> [Run] {
    runs.reduce(into: []) { joined, run in
      if let last = joined.last, last.next == run.place {
        joined[joined.count - 1].count += run.count
        joined[joined.count - 1].end = run.end
      } else {
        joined.append(run)
      }
    }
  }
}
