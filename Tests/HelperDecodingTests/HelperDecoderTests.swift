// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// A decoder whose work another program does: the real one, or one that misbehaves.
  @Suite struct HelperDecoderTests {
    private static let error = DecodingError(path: "a.wv", kind: .otherDecoder, reason: "is WavPack")
    private static let frames = 400_000

    /// Creates a WavPack file of ``frames`` frames, whose samples are `expected`.
    private func soundFile(in directory: TemporaryDirectory) throws -> (path: FilePath, expected: [Float]) {
      let samples = (0..<Self.frames * 2).map { Int32($0 % 20_011) - 10_000 }
      let source = try directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
      let path = directory.file("a.wv")
      try Tool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", source.string, "-c:a", "wavpack", path.string])
      return (path, samples.map { Float($0) / 32_768 })
    }

    private func helpers(_ program: FilePath? = nil, timeout: Int = 10_000) throws -> DecodingHelpers {
      DecodingHelpers(program: try program ?? realProgram(), timeout: timeout)
    }

    private func read(_ decoder: any AudioDecoder, _ limit: Int = 1 << 30) -> [Float] { Self.read(decoder, limit) }

    /// Returns the next `limit` frames, or fewer at the end.
    private static func read(_ decoder: any AudioDecoder, _ limit: Int) -> [Float] {
      var samples: [Float] = []
      var buffer = [Float](repeating: 0, count: 3_001 * decoder.format.channels)
      while samples.count / decoder.format.channels < limit {
        let room = min(buffer.count, (limit - samples.count / decoder.format.channels) * decoder.format.channels)
        let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: .init(rebasing: $0[..<room])) }
        guard count > 0 else { break }
        samples += buffer[..<(count * decoder.format.channels)]
      }
      return samples
    }

    @Test func `The tags and the picture of a file come from the other program`() throws {
      let directory = try TemporaryDirectory()
      let (source, _) = try soundFile(in: directory)
      // So large that it takes several blocks.
      let picture = [0x89, 0x50, 0x4E, 0x47] + (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
      let cover = try directory.write(picture, to: "cover.png")
      let path = directory.file("a.mka")
      try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-i", source.string, "-c:a", "flac", "-metadata", "artist=A", "-metadata",
          "title=T", "-attach", cover.string, "-metadata:s:t", "mimetype=image/png", path.string,
        ])
      let helpers = try helpers()
      let tags = try helpers.open(path, insteadOf: Self.error).tags
      #expect(tags.contains(SourceTag(name: "ARTIST", value: "A")) && tags.contains { $0.value == "T" })
      #expect(helpers.picture(in: path, limit: 4 << 20) == picture)
      #expect(helpers.picture(in: path, limit: 1 << 20) == nil)
      #expect(helpers.picture(in: source, limit: 4 << 20) == nil)
      #expect(helpers.picture(in: directory["gone"], limit: 4 << 20) == nil)
    }

    @Test func `The samples come from the other program unchanged, before and after seeks`() throws {
      let directory = try TemporaryDirectory()
      let (path, expected) = try soundFile(in: directory)
      let decoder = try helpers().open(path, insteadOf: Self.error)
      #expect(decoder.format == AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)))
      #expect(decoder.frameCount == Int64(Self.frames))
      #expect(PCM.firstDifference(read(decoder, 50_000), Array(expected[..<100_000]), channels: 2) == nil)
      for frame in [300_000, 10, Self.frames - 1, 77_777] {
        try decoder.seek(toFrame: Int64(frame))
        let rest = Array(expected[(frame * 2)...].prefix(20_000))
        #expect(PCM.firstDifference(read(decoder, 10_000), rest, channels: 2) == nil, "frame \(frame)")
      }
      for end in [Self.frames, Self.frames + 5] {
        try decoder.seek(toFrame: Int64(end))
        #expect(read(decoder).isEmpty)
        #expect(decoder.failure == nil)
      }
      try decoder.seek(toFrame: 0)
      #expect(PCM.firstDifference(read(decoder), expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `A file that is replaced or removed is decoded to its end`() throws {
      let directory = try TemporaryDirectory()
      let (path, expected) = try soundFile(in: directory)
      let decoder = try helpers().open(path, insteadOf: Self.error)
      let start = read(decoder, 1_000)
      try directory.write([1, 2, 3], to: "b.wv")
      try directory.file("b.wv").rename(to: path)
      #expect(PCM.firstDifference(start + read(decoder), expected, channels: 2) == nil)
    }

    @Test func `A program that is killed is replaced, and no sample is lost or repeated`() throws {
      let directory = try TemporaryDirectory()
      let (path, expected) = try soundFile(in: directory)
      // Writes its process ID to a file before it becomes the real program.
      let program = try script(
        "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
      let decoder = try helpers(program).open(path, insteadOf: Self.error)
      let start = read(decoder, 1_000)
      try killAll(in: directory)
      #expect(PCM.firstDifference(start + read(decoder), expected, channels: 2) == nil)
      #expect(decoder.failure == nil)
    }

    @Test func `A program that is killed twice ends its file, with the reason`() throws {
      let directory = try TemporaryDirectory()
      let (path, expected) = try soundFile(in: directory)
      let program = try script(
        "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
      let decoder = try helpers(program).open(path, insteadOf: Self.error)
      var samples = read(decoder, 1_000)
      try killAll(in: directory)
      // More than what the pipe holds of the first program's samples.
      samples += read(decoder, 100_000)
      try killAll(in: directory)
      samples += read(decoder)
      #expect(samples.count < expected.count)
      #expect(PCM.firstDifference(samples, Array(expected[..<samples.count]), channels: 2) == nil)
      let reason = try #require(decoder.failure?.reason)
      #expect(reason.contains("the decoder crashed"))
      #expect(read(decoder).isEmpty)
    }

    @Test func `A program that is stopped counts as hung, and is replaced`() throws {
      let directory = try TemporaryDirectory()
      let (path, expected) = try soundFile(in: directory)
      let program = try script(
        "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
      let decoder = try helpers(program, timeout: 2_000).open(path, insteadOf: Self.error)
      let start = read(decoder, 1_000)
      try signalAll("STOP", in: directory)
      #expect(PCM.firstDifference(start + read(decoder), expected, channels: 2) == nil)
    }

    @Test func `Programs that cannot be started, end, or never answer are reported`() throws {
      let directory = try TemporaryDirectory()
      let path = try directory.write([1, 2, 3], to: "a.wv")
      for (text, reason) in [
        ("#!/bin/sh\nexit 0\n", "the decoder crashed"), ("#!/bin/sh\nkill -SEGV $$\n", "the decoder crashed"),
        ("#!/bin/sh\nexec sleep 100\n", "the decoder does not respond"),
      ] {
        let helpers = try helpers(script(text, in: directory), timeout: 300)
        #expect(throws: DecodingError(path: path, kind: .malformed, reason: "cannot be decoded: \(reason)")) {
          try helpers.open(path, insteadOf: Self.error)
        }
      }
    }

    @Test func `A program that cannot be started is named`() throws {
      let directory = try TemporaryDirectory()
      let path = try directory.write([1, 2, 3], to: "a.wv")
      let helpers = try helpers(script("#!/nonesuch\n", in: directory))
      let reason = "cannot be decoded: segue-decode cannot be started (No such file or directory)"
      #expect(throws: DecodingError(path: path, kind: .malformed, reason: reason)) {
        try helpers.open(path, insteadOf: Self.error)
      }
    }

    @Test func `Without the program, the message says what to install`() throws {
      let helpers = DecodingHelpers(program: nil)
      #expect(
        throws: DecodingError(
          path: "a.wv", kind: .unsupported, reason: "is WavPack; install segue-decode to play it")
      ) {
        try helpers.open("a.wv", insteadOf: Self.error)
      }
    }

    /// What a program writes into the pipe that it is passed.
    private static let garbage: [(name: String, code: String)] = [
      ("nothing", "b''"), ("zeros", "bytes(1000)"), ("random bytes", "os.urandom(100000)"),
      ("a huge block", "head(1, 400, 1 << 30, 0)"), ("samples before a description", "head(2, 1, 8, 0) + bytes(8)"),
      ("a description of no channels", "head(1, 1, 36, 0) + struct.pack('<IIIIqqI', 44100, 0, 0, 0, -1, -1, 1)"),
      (
        "a description of many channels", "head(1, 1, 36, 0) + struct.pack('<IIIIqqI', 44100, 1 << 31, 0, 0, -1, -1, 1)"
      ),
      ("a description of no coding", "head(1, 1, 36, 0) + struct.pack('<IIIIqqI', 44100, 2, 7, 0, -1, -1, 1)"),
      ("a refusal without a reason", "head(4, 1, 0, 0)"),
      ("blocks of another generation", "(head(2, 9, 1 << 20, 0) + bytes(1 << 20)) * 8"),
      ("part of a frame", "good + head(2, 1, 7, 0) + bytes(7)"), ("an empty block", "good + head(2, 1, 0, 0) * 9"),
      ("frames that do not follow", "good + head(2, 1, 8, 5) + bytes(8)"),
      ("not a number", "good + head(2, 1, 8, 0) + bytes([0, 0, 192, 127] * 2) + head(3, 1, 0, 1)"),
    ]

    @Test(arguments: garbage.indices) func `Whatever a program sends, the decoder ends, and its samples are numbers`(
      number: Int
    ) throws {
      let directory = try TemporaryDirectory()
      let path = try directory.write([1, 2, 3], to: "a.wv")
      let program = try script(
        """
        #!/usr/bin/env python3
        import os, socket, struct
        def head(kind, generation, count, frame):
          return struct.pack('<IIIIq', 0x53444506, kind, generation, count, frame)
        good = head(1, 1, 36, 0) + struct.pack('<IIIIqqI', 44100, 2, 0, 0, 100, -1, 1)
        control = socket.socket(fileno=0)
        _, descriptors, _, _ = socket.recv_fds(control, 16, 2)
        os.write(descriptors[1], \(Self.garbage[number].code))

        """, in: directory)
      let helpers = try helpers(program)
      if let decoder = try? helpers.open(path, insteadOf: Self.error) {
        #expect(read(decoder, 10_000).allSatisfy { $0.isFinite })
        #expect((decoder.failure == nil) == (Self.garbage[number].name == "not a number"))
      }
    }

    @Test func `A program ends with the player, even while it is busy`() throws {
      let directory = try TemporaryDirectory()
      let (path, _) = try soundFile(in: directory)
      let process: Int32
      do {
        let program = try script(
          "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
        // The pipe is never read, so that the program waits in a system call.
        let decoder = try helpers(program).open(path, insteadOf: Self.error)
        process = try #require(try processes(in: directory).first)
        withExtendedLifetime(decoder) {}
      }
      #expect(!ProcessIdentity.isRunning(process))
    }

    @Test func `A program that makes no progress but says so is waited for`() throws {
      let directory = try TemporaryDirectory()
      let path = try directory.write([1, 2, 3], to: "a.wv")
      let program = try script(
        """
        #!/usr/bin/env python3
        import os, socket, struct, time
        def head(kind, count):
          return struct.pack('<IIIIq', 0x53444506, kind, 1, count, 0)
        control = socket.socket(fileno=0)
        _, descriptors, _, _ = socket.recv_fds(control, 16, 2)
        for _ in range(4):
          time.sleep(0.3)
          os.write(descriptors[1], head(5, 0))
        os.write(descriptors[1], head(1, 36) + struct.pack('<IIIIqqI', 44100, 2, 0, 0, 0, -1, 1) + head(3, 0))
        control.recv(1)

        """, in: directory)
      let decoder = try helpers(program, timeout: 1_000).open(path, insteadOf: Self.error)
      #expect(read(decoder).isEmpty && decoder.failure == nil)
    }

    @Test func `A program has no rights but to decode, and no descriptors but those that it was passed`() throws {
      let directory = try TemporaryDirectory()
      let (path, _) = try soundFile(in: directory)
      let program = try script(
        "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
      let decoder = try helpers(program).open(path, insteadOf: Self.error)
      #expect(!read(decoder, 100).isEmpty)
      let process = try #require(try processes(in: directory).first)
      let status = String(decoding: try contents(of: FilePath("/proc/\(process)/status")), as: UTF8.self)
      #expect(status.contains("NoNewPrivs:\t1\n"))
      // A filter of system calls.
      #expect(status.contains("Seccomp:\t2\n"))
      #expect(status.contains("Threads:\t1\n"))
      let limits = String(decoding: try contents(of: FilePath("/proc/\(process)/limits")), as: UTF8.self)
      #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max data size") && !$0.contains("unlimited") })
      let descriptors = try Tool.run("ls", ["-l", "/proc/\(process)/fd"])
      let targets = String(decoding: descriptors, as: UTF8.self).split(separator: "\n")
        .compactMap { $0.split(separator: " -> ").dropFirst().first.map(String.init) }
      #expect(targets.count == 5, "\(targets)")
      for part in ["socket:", "/dev/null", "a.wv", "pipe:"] {
        #expect(targets.contains { $0.contains(part) }, "\(part) \(targets)")
      }
      withExtendedLifetime(decoder) {}
    }

    @Test func `Damaged files of many formats end, and their samples are numbers`() throws {
      let directory = try TemporaryDirectory()
      let source = try directory.write(
        WaveFile.bytes(
          (0..<40_000).map { Int32($0 % 501) * 50 }, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
      let formats = [
        ("m4a", "aac"), ("mp4", "alac"), ("wv", "wavpack"), ("tta", "tta"), ("mka", "flac"), ("webm", "libopus"),
        ("wma", "wmav2"), ("ac3", "ac3"), ("aac", "aac"), ("avi", "mp2"), ("spx", "libspeex"),
      ]
      let files = try formats.map { suffix, codec in
        let path = directory.file("b.\(suffix)")
        let options = codec == "libopus" ? ["-ar", "48000"] : []
        try Tool.run(
          "ffmpeg", ["-v", "error", "-nostdin", "-i", source.string, "-c:a", codec] + options + [path.string])
        return try contents(of: path)
      }
      let helpers = try helpers()
      let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 12 * files.count), seconds: 60) { seed in
        var mutator = Mutator(seed: seed)
        let bytes = mutator.damaged(files[Int(seed % UInt64(files.count))], other: files[0])
        guard let path = try? directory.write(bytes, to: "damaged") else { return "cannot be written" }
        guard let decoder = try? helpers.open(path, insteadOf: Self.error) else { return nil }
        guard Self.read(decoder, 1 << 20).allSatisfy(\.isFinite) else { return "a sample is not a number" }
        try? decoder.seek(toFrame: 5_000)
        return Self.read(decoder, 1_000).allSatisfy(\.isFinite) ? nil : "a sample is not a number"
      }
      #expect(failure == nil)
    }

    @Test func `Nothing is left behind: no descriptor, and no process`() throws {
      let directory = try TemporaryDirectory()
      let (path, _) = try soundFile(in: directory)
      let program = try script(
        "#!/bin/sh\necho $$ >> '\(directory.file("pids"))'\nexec '\(try realProgram())'\n", in: directory)
      do {
        let helpers = try helpers(program)
        for _ in 0..<5 {
          let decoder = try helpers.open(path, insteadOf: Self.error)
          #expect(!read(decoder, 100).isEmpty)
        }
      }
      let processes = try processes(in: directory)
      #expect(processes.count >= 5)
      #expect(!processes.contains { ProcessIdentity.isRunning($0) })
    }

    private func realProgram() throws -> FilePath { try #require(ProgramFile.neighbour("segue-decode")) }

    private func script(_ text: String, in directory: TemporaryDirectory) throws -> FilePath {
      try directory.writeProgram(text, to: "program")
    }

    private func processes(in directory: TemporaryDirectory) throws -> [Int32] {
      String(decoding: try contents(of: directory.file("pids")), as: UTF8.self).split(separator: "\n")
        .compactMap { Int32($0) }
    }

    private func killAll(in directory: TemporaryDirectory) throws { try signalAll("KILL", in: directory) }

    private func signalAll(_ name: String, in directory: TemporaryDirectory) throws {
      for process in try processes(in: directory) where ProcessIdentity.isRunning(process) {
        _ = try? Tool.run("kill", ["-\(name)", "\(process)"])
      }
    }
  }
}
