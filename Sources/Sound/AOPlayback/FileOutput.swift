// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs
import Platform
import SystemPackage

/// An output that writes a file through libao. libao reports neither a full disk nor any other failed write, so the
/// size of the file is checked at the end.
final class FileOutput: AudioOutput {
  let format: DeviceFormat
  /// Whether the file is a pipe, whose reader may be playing it.
  let isRealTime: Bool
  let warning: String?
  private let path: FilePath
  /// The path at which the size of the file can be read.
  private let file: FilePath
  private let standardOutput: FileDescriptor?
  private var device: AODevice?
  private var byteCount: Int64 = 0

  let bufferFrames = 0
  let periodFrames = 8192

  var name: String { "\(path.shown)" }

  /// Creates or overwrites the file at `path`. If it is a FIFO, waits for its reader.
  init(driver: String, path: FilePath, format: DeviceFormat, warning: String?) throws(OutputError) {
    self.path = path
    self.format = format
    self.warning = warning
    let isStandardOutput = path == OutputChoice.standardOutput
    file = isStandardOutput ? FilePath("/dev/stdout") : path
    standardOutput = isStandardOutput ? try? FileDescriptor.standardOutput.ownDuplicate() : nil
    let kind = (try? FileStatus(of: file))?.kind
    isRealTime = kind == .fifo
    if kind == nil || kind == .regular || kind == .directory { try Self.checkWritable(file) }
    do throws(AOError) {
      device = try AODevice(fileDriver: driver, path: path, format: format)
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown): \(error.message)")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let isAccepted = unsafe device?.play(bytes), isAccepted else { throw incomplete }
    byteCount += Int64(bytes.count)
  }

  func close() throws(OutputError) {
    device.take()?.close()
    // libao closes standard output, and the next file to be opened would get its descriptor.
    if let standardOutput {
      _ = try? standardOutput.duplicate(as: .standardOutput)
      try? standardOutput.close()
    }
    guard let status = try? FileStatus(of: file), status.kind == .regular else { return }
    if status.size < byteCount { throw incomplete }
  }

  private var incomplete: OutputError {
    OutputError(
      kind: .incomplete,
      description: "\(path.shown): incomplete write; is the disk full, or did the reader close it?")
  }

  private static func checkWritable(_ path: FilePath) throws(OutputError) {
    do {
      try FileDescriptor.open(
        path, .writeOnly, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead]
      ).close()
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
    }
  }
}
