// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Platform
public import SystemPackage

/// A reader of DSF and DFF files that returns their bits unchanged, for an output that plays DSD.
public final class DSDFileDecoder: AudioDecoder {
  /// DSD, with a sixteenth of the rate of the bits.
  public let format: AudioFormat
  /// The number of frames that the file claims to contain.
  public let frameCount: Int64?
  /// The number of bits in a second of all channels.
  public let bitRate: Int?
  /// The error that ended the file before the end that it states; `nil` if there was none.
  public private(set) var failure: DecodingError?

  private let path: FilePath
  private let descriptor: FileDescriptor
  private let layout: DSDLayout
  private let openPCM: DecoderFactory
  private var position: Int64 = 0
  /// The error of the last attempt to read the file; `nil` if there was none.
  private var readError: Errno?
  /// A block of each channel, and its number; `nil` if none was read yet.
  private var group: (number: Int64, bytes: [UInt8])?

  /// Opens the file at `path`; returns `nil` if it is not a DSD file whose bits can be returned. Blocks as long as the
  /// file system does.
  ///
  /// - Parameter openPCM: Opens a file to be converted to PCM.
  public init?(path: FilePath, openPCM: @escaping DecoderFactory) {
    guard (try? FileStatus(of: path))?.kind == .regular,
      let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    guard let layout = DSDLayout({ descriptor.bytes(at: $0, count: $1) }), let format = layout.format else {
      try? descriptor.close()
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    self.layout = layout
    self.openPCM = openPCM
    self.format = format
    frameCount = layout.frameCount
    bitRate = layout.bitRate * layout.channels
  }

  deinit { try? descriptor.close() }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let wanted = min(Int64(buffer.count / layout.channels), layout.frameCount - position)
    var count = 0
    while count < wanted {
      loadGroup()
      for channel in 0..<layout.channels {
        let (first, second) = (byte(at: 2 * position, channel), byte(at: 2 * position + 1, channel))
        guard let first else { return end(after: count) }
        unsafe buffer[count * layout.channels + channel] = DirectStreamDigital.sample(
          first: first, second: second ?? DirectStreamDigital.silentByte)
      }
      position += 1
      count += 1
    }
    return count > 0 ? count : end(after: 0)
  }

  /// Records that the file has ended, and returns `count`.
  private func end(after count: Int) -> Int {
    if count == 0, position < layout.frameCount, failure == nil {
      let time = format.positionText(position, of: layout.frameCount)
      let reason = readError.map { ": \($0)" } ?? ""
      failure = DecodingError(
        path: path, kind: readError == nil ? .malformed : .unreadable, reason: "ends at \(time)\(reason)")
    }
    return count
  }

  /// Reads the block of each channel that contains the next frame, unless it was read.
  private func loadGroup() {
    let number = 2 * position / Int64(layout.blockSize)
    guard group?.number != number else { return }
    let size = layout.blockSize * layout.channels
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      filled = unsafe descriptor.readFully(
        at: layout.start + number * Int64(size), into: UnsafeMutableRawBufferPointer(buffer), failure: &readError)
    }
    group = (number, bytes)
  }

  /// Returns a byte of a channel, with its earliest bit highest; `nil` if it is behind the end.
  private func byte(at index: Int64, _ channel: Int) -> UInt8? {
    guard index < layout.byteCount, let bytes = group?.bytes else { return nil }
    let offset = Int(index % Int64(layout.blockSize))
    let isReversed: Bool
    let place: Int
    switch layout.order {
    case .interleaved: (place, isReversed) = (offset * layout.channels + channel, false)
    case .blocks(let lowestBitFirst): (place, isReversed) = (channel * layout.blockSize + offset, lowestBitFirst)
    }
    guard place < bytes.count else { return nil }
    return isReversed ? bytes[place].bitReversed : bytes[place]
  }

  /// Seeks to `frame`, counted from 0, or to the end of the file if that is earlier.
  public func seek(toFrame frame: Int64) {
    position = max(0, min(frame, layout.frameCount))
    if readError != nil { group = nil }
    (failure, readError) = (nil, nil)
  }

  /// Returns a decoder that converts the file to PCM.
  ///
  /// - Throws: `DecodingError` if it cannot be converted.
  public func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)? { try openPCM(path) }
}

extension UInt8 {
  fileprivate var bitReversed: UInt8 {
    var byte = self
    byte = byte >> 4 | byte << 4
    byte = (byte & 0xCC) >> 2 | (byte & 0x33) << 2
    return (byte & 0xAA) >> 1 | (byte & 0x55) << 1
  }
}
