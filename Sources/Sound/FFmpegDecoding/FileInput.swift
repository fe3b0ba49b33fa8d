// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import SystemPackage

/// The file that FFmpeg reads, through functions that read an open descriptor at explicit offsets. FFmpeg itself opens
/// nothing. Only one thread may use it.
@safe final class FileInput {
  private static let bufferByteCount: Int32 = 1 << 16

  private let descriptor: FileDescriptor
  private let size: Int64
  private var position: Int64 = 0
  /// The error with which reading the file failed last; `nil` if it did not.
  private(set) var failure: Errno?
  /// FFmpeg's view of the file; `nil` only during initialisation.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// Creates an input that reads `descriptor`, which still belongs to the caller.
  ///
  /// - Throws: `DecodingRefusal` if there is not enough memory, or if the size of the file cannot be determined.
  init(_ descriptor: FileDescriptor) throws(DecodingRefusal) {
    self.descriptor = descriptor
    do {
      size = try descriptor.seek(offset: 0, from: .end)
    } catch {
      throw DecodingRefusal(.unreadable, (error as? Errno ?? .ioError).description)
    }
    guard let buffer = unsafe av_malloc(Int(Self.bufferByteCount)) else { throw .noMemory }
    let context = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Self.bufferByteCount, 0, Unmanaged.passUnretained(self).toOpaque(),
      { input, buffer, count in unsafe FileInput.from(input)?.read(buffer, count) ?? SegueAVErrorEnd }, nil,
      { input, offset, origin in unsafe FileInput.from(input)?.seek(offset, origin) ?? -1 })
    guard let context = unsafe context else {
      unsafe av_free(buffer)
      throw .noMemory
    }
    unsafe self.context = context
  }

  deinit {
    // FFmpeg may have replaced the buffer.
    if let context = unsafe context { unsafe av_freep(&context.pointee.buffer) }
    unsafe avio_context_free(&context)
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> FileInput? {
    unsafe pointer.map { unsafe Unmanaged<FileInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    guard let buffer = unsafe buffer, count > 0, position < size else { return SegueAVErrorEnd }
    do {
      let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
      let read = try unsafe descriptor.read(fromAbsoluteOffset: position, into: room)
      position += Int64(read)
      failure = nil
      return read > 0 ? Int32(read) : SegueAVErrorEnd
    } catch {
      failure = error as? Errno ?? .ioError
      return SegueAVErrorEnd
    }
  }

  private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
    let base: Int64
    switch origin & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = size
    default: return -1
    }
    let (target, overflows) = base.addingReportingOverflow(offset)
    guard !overflows, target >= 0 else { return -1 }
    position = target
    return target
  }
}

extension DecodingRefusal {
  /// Creates a refusal for FFmpeg's error number.
  init(_ kind: Kind, code: Int32) {
    self = code == SegueAVErrorNoMemory ? .noMemory : DecodingRefusal(kind, "is damaged (\(Self.message(code)))")
  }

  /// Returns FFmpeg's message for an error number, as part of a sentence.
  static func message(_ code: Int32) -> String {
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) {
      buffer in
      unsafe buffer.initialize(repeating: 0)
      _ = unsafe av_strerror(code, buffer.baseAddress, buffer.count)
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
