import AudioCore
import Platform
import SystemPackage

/// Sound to a file through libao, which reports neither that the disk is full nor that anything was not stored: so the
/// size is looked at in the end.
final class FileOutput: AudioOutput {
  let format: DeviceFormat
  let keepsTime = false
  let warning: String?
  private let path: FilePath
  private var device: AODevice?
  private var byteCount: Int64 = 0

  var name: String { "\(path)" }

  /// Makes or overwrites the file at `path`; a FIFO waits for its reader.
  init(driver: String, path: FilePath, format: DeviceFormat, warning: String?) throws(OutputError) {
    self.path = path
    self.format = format
    self.warning = warning
    if path != FilePath("-") { try Self.checkThatItCanBeWritten(path) }
    do throws(AOError) {
      device = try AODevice(fileDriver: driver, path: path, format: format)
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path): \(error.message)")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let isTaken = unsafe device?.play(bytes), isTaken else { throw incomplete }
    byteCount += Int64(bytes.count)
  }

  func close() throws(OutputError) {
    device.take()?.close()
    guard let status = try? FileStatus(of: path), status.kind == .regular else { return }
    if status.size < byteCount { throw incomplete }
  }

  private var incomplete: OutputError {
    OutputError(
      kind: .lost,
      description: "\(path): not everything could be written; is the disk full, or the reader gone?")
  }

  private static func checkThatItCanBeWritten(_ path: FilePath) throws(OutputError) {
    if let status = try? FileStatus(of: path), status.kind == .special { return }
    do {
      try FileDescriptor.open(
        path, .writeOnly, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead]
      ).close()
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path) cannot be written: \(error)")
    }
  }
}
