// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Resampling
import SystemPackage

/// Resamples raw interleaved 32-bit float stereo from standard input to standard output, like `sox -t raw ... rate -v`.
///
/// usage: ResampleBenchmark FROM TO, in Hz
@main
enum ResampleBenchmark {
  private static let channels = 2
  private static let framesPerBlock = 8192

  static func main() throws {
    let rates = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard rates.count == 2,
      let resampler = SoxrResampler(from: rates[0], to: rates[1], channels: channels)
    else { fatalError("usage: ResampleBenchmark FROM TO") }
    let input = UnsafeMutableBufferPointer<Float>.allocate(capacity: framesPerBlock * channels)
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: framesPerBlock * channels)
    while true {
      let count = try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(input))
      var remaining = UnsafeBufferPointer(rebasing: input[..<(count / 4)])
      if remaining.isEmpty { break }
      while !remaining.isEmpty {
        let (consumed, produced) = resampler.process(remaining, into: output)
        remaining = UnsafeBufferPointer(rebasing: remaining[(consumed * channels)...])
        try write(produced, of: output)
      }
    }
    while case let produced = resampler.finish(into: output), produced > 0 { try write(produced, of: output) }
  }

  private static func write(_ frames: Int, of output: UnsafeMutableBufferPointer<Float>) throws {
    try FileDescriptor.standardOutput.writeAll(
      UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: output[..<(frames * channels)])))
  }
}
