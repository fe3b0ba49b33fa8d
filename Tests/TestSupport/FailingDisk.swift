// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import Platform
  public import SystemPackage

  /// A disk whose reads fail.
  public enum FailingDisk {
    /// Makes every read of the file at `path` fail with an input/output error, through all descriptors of this process
    /// that are open now.
    public static func fail(_ path: FilePath) throws {
      let identity = try FileStatus(of: path).identity
      // The start of the address space is not mapped; reading it is an input/output error.
      let memory = try FileDescriptor.open("/proc/self/mem", .readWrite)
      try memory.closeAfter {
        for entry in try DirectoryListing(of: "/proc/self/fd").entries {
          let link = FilePath("/proc/self/fd").appending(entry.name.string)
          guard let number = Int32(entry.name.string), (try? FileStatus(of: link))?.identity == identity else {
            continue
          }
          _ = try memory.duplicate(as: FileDescriptor(rawValue: number))
        }
      }
    }
  }
#endif
