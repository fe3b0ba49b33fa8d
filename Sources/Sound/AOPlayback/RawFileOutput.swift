import AudioCore
import Platform
import SystemPackage

/// Samples as they are to a file: what needs nothing of libao, and so does not wait until its drivers are loaded.
final class RawFileOutput: AudioOutput {
  let format: DeviceFormat
  /// Whether it is a pipe, whose reader may be one who listens.
  let keepsTime: Bool
  let warning: String?
  let bufferFrames = 0
  let periodFrames = 8192
  private let path: FilePath
  private var file: FileDescriptor?

  var name: String { "\(path.shown)" }

  /// Makes or overwrites the file at `path`.
  init(path: FilePath, format: DeviceFormat, warning: String?) throws(OutputError) {
    self.path = path
    self.format = format
    self.warning = warning
    do {
      file =
        path == OutputChoice.standardOutput
        ? try FileDescriptor.standardOutput.duplicate()
        : try FileDescriptor.open(
          path, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
    }
    let visible = path == OutputChoice.standardOutput ? FilePath("/dev/stdout") : path
    keepsTime = (try? FileStatus(of: visible))?.kind == .fifo
  }

  deinit { try? file?.close() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let file else { throw incomplete(Errno.badFileDescriptor) }
    var rest = unsafe bytes
    do {
      while unsafe !rest.isEmpty {
        let count = try unsafe file.write(rest)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    } catch {
      throw incomplete(error)
    }
  }

  func close() throws(OutputError) {
    do {
      try file.take()?.close()
    } catch {
      throw incomplete(error)
    }
  }

  private func incomplete(_ error: any Error) -> OutputError {
    OutputError(
      kind: .incomplete,
      description:
        "\(path.shown): not everything could be written (\(error)); is the disk full, or the reader gone?")
  }
}
