// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PackageDescription

/// Whether the libraries of FFmpeg 5.1 or later are installed. The program `segue-decode`, which decodes what libsndfile
/// does not, is built only with them. (The package manager asks once: after installing them, use
/// `swift package purge-cache`.)
let hasFFmpeg = succeeds("pkg-config", "--exists", "libavformat >= 59.27", "libavcodec >= 59.37", "libavutil >= 57.28")

/// Returns whether a command can be run and has status 0.
func succeeds(_ command: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}

/// The sanitizer of this build: "address", "thread" or "fuzzer" (see `Tests/Sanitizers`); `nil` for other builds.
let sanitizer = Context.environment["SEGUE_SANITIZER"]

/// The settings of every Swift target.
///
/// The sanitizers of the fuzzer are set here, since Swift applies only the last of several options `--sanitize`. They
/// report which code an input reaches.
let strict: [SwiftSetting] = [
  .unsafeFlags(sanitizer == "fuzzer" ? ["-sanitize=address,fuzzer"] : []),
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of targets that use C or raw memory: every unsafe expression must be marked.
let strictUnsafe = strict + [.strictMemorySafety()]

/// The settings of most tests. They are not optimised, since that would double the build time; the code that they test
/// is. Tests that compute much themselves have the settings `strict`, and run in three quarters of the time.
let strictTests = sanitizer == nil ? strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))] : strict

/// The packages of the modules that come from other packages.
let packages = [
  "ArgumentParser": "swift-argument-parser", "DequeModule": "swift-collections", "GRDB": "GRDB.swift",
  "GRDBSQLite": "GRDB.swift", "Logging": "swift-log", "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio",
  "NIOPosix": "swift-nio", "SystemPackage": "swift-system", "TOMLKit": "TOMLKit",
]

/// Returns the dependencies on the modules in `names`, which are separated by spaces.
func modules(_ names: [String]) -> [Target.Dependency] {
  names.flatMap { $0.split(separator: " ") }.map(String.init).map { name in
    if let package = packages[name] { return .product(name: name, package: package) }
    return name == "CGlibc" ? .target(name: name, condition: .when(platforms: [.linux])) : .byName(name: name)
  }
}

/// Returns a room: a directory of a floor of `Sources`, with the modules that it uses.
func room(
  _ path: String, _ uses: String..., settings: [SwiftSetting] = strictUnsafe, links: [LinkerSetting] = [],
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: String(path.split(separator: "/")[1]), dependencies: modules(uses), path: "Sources/" + path,
    resources: resources, swiftSettings: settings, linkerSettings: links.isEmpty ? nil : links)
}

/// Returns a room in C or C++.
func shim(_ name: String, _ uses: String...) -> Target {
  .target(name: name, dependencies: modules(uses), path: "Sources/System/" + name)
}

/// Returns the room with the headers of an installed library, which pkg-config may know.
func library(_ name: String, _ pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
  let providers: [SystemPackageProvider?] = [apt.map { .apt([$0]) }, brew.map { .brew([$0]) }]
  return .systemLibrary(
    name: name, path: "Sources/System/" + name, pkgConfig: pkgConfig, providers: providers.compactMap(\.self))
}

/// Returns `pkgConfig` on macOS.
func onMacOS(_ pkgConfig: String) -> String? {
  #if os(macOS)
    pkgConfig
  #else
    nil
  #endif
}

/// Returns a program: a directory of `Sources`.
func program(
  _ name: String, _ uses: String..., settings: [SwiftSetting] = strictUnsafe, resources: [Resource]? = nil
) -> Target {
  .executableTarget(name: name, dependencies: modules(uses), resources: resources, swiftSettings: settings)
}

/// Returns a program in `Tests/Benchmarks`.
func benchmark(_ name: String, _ uses: String..., settings: [SwiftSetting] = strict) -> Target {
  .executableTarget(
    name: name, dependencies: modules(uses), path: "Tests/Benchmarks/" + name, swiftSettings: settings)
}

/// Returns a module in `Tests` that several tests use.
func support(_ name: String, _ uses: String...) -> Target {
  .target(name: name, dependencies: modules(uses), path: "Tests/" + name, swiftSettings: strict)
}

/// Returns the tests of a room.
func tests(
  _ name: String, _ uses: String..., settings: [SwiftSetting] = strictTests, exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: modules(uses), exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "segue",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "segue", targets: ["segue"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    library("CAO", "ao", apt: "libao-dev", brew: "libao"),
    library("CSndfile", "sndfile", apt: "libsndfile1-dev", brew: "libsndfile"),
    // libsndfile uses these, too.
    library("CFLAC", "flac", apt: "libflac-dev", brew: "flac"),
    library("CMPG123", "libmpg123", apt: "libmpg123-dev", brew: "mpg123"),
    // Loaded only when audio is resampled. Loading soxr's library and its dependencies takes a twentieth of the time to
    // the first sample.
    library("CSoxrHeader", onMacOS("soxr"), apt: "libsoxr-dev", brew: "libsoxr"),
    library("CEditline", "libedit", apt: "libedit-dev", brew: "libedit"),
    // Debian's libutf8proc.pc contains a flag for building the library, which the package manager warns about. The
    // headers are found without it.
    library("CUTF8Proc", onMacOS("libutf8proc"), apt: "libutf8proc-dev", brew: "utf8proc"),
    // Loaded only when loudness is measured.
    library("CEbur128Header", onMacOS("libebur128"), apt: "libebur128-dev", brew: "libebur128"),
    // Loaded only to play through a sound server.
    library("CPulseHeader", onMacOS("libpulse"), apt: "libpulse-dev", brew: "pulseaudio"),
    // Loaded only for text of unknown encoding.
    library("CUchardetHeader", onMacOS("uchardet"), apt: "libuchardet-dev", brew: "uchardet"),
    library("CPCRE2", "libpcre2-8", apt: "libpcre2-dev", brew: "pcre2"),
    // Part of macOS.
    library("CExpat", apt: "libexpat1-dev"),
    // Part of the C library, except on macOS.
    library("CIconv"),
    // Descriptors that are passed to other processes, and a process that gives up its rights.
    shim("CProcess"),
    // Parts of the C library on Linux.
    shim("CGlibc"),
    // SQLite itself is linked by GRDB.
    shim("CSQLite"),
    // Loads rarely used libraries when they are needed, so that they do not slow down the start.
    shim("CLibrary"),
    library("CTag", "taglib", apt: "libtag1-dev", brew: "taglib"),
    shim("CTagLib", "CTag"),
    // Contains its own declarations for libsystemd, and loads it if there is a session bus.
    shim("CSDBus", "CLibrary"),
    shim("CSoxr", "CLibrary CSoxrHeader"),
    shim("CEbur128", "CEbur128Header CLibrary"),
    shim("CALSA", "CLibrary"),
    shim("CPulse", "CLibrary CPulseHeader"),
    shim("CUchardet", "CLibrary CUchardetHeader"),
    // Contains its own declarations for FFTW, and loads it when a spectrum is shown.
    shim("CFFTW", "CLibrary"),
    // Contains its own declarations for Rubber Band, and loads it when something is played at another speed.
    shim("CRubberBand", "CLibrary"),
    // Contains its own declarations for libchromaprint, and loads it when a client asks for a fingerprint.
    shim("CChromaprint", "CLibrary"),
    // Contains its own declarations for libcurl, and loads it for the first request to a server.
    shim("CCurl", "CLibrary"),
    // Contains its own declarations for libchafa, TurboJPEG and libpng, and loads them when a cover is drawn.
    shim("CCoverDrawing", "CLibrary"),

    room("System/CStandard", settings: strict),

    room("Base/UnicodeText", "CPCRE2 CUTF8Proc", links: [.linkedLibrary("pcre2-8")]),
    room("Base/Flux", "DequeModule", settings: strict),
    room(
      "Base/Platform", "CIconv CProcess CStandard CUchardet CGlibc SystemPackage",
      links: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    room("Base/TOMLFiles", "TOMLKit", settings: strict),
    room("Base/DatabaseFiles", "Platform GRDB GRDBSQLite SystemPackage"),
    room("Base/Network", "CCurl Platform"),

    room("Model/MusicModel", "SystemPackage", settings: strict),

    room("Sound/FormatSniffing", settings: strict),
    room("Sound/AudioCore", "Platform SystemPackage"),
    room("Sound/SndfileDecoding", "AudioCore CFLAC CMPG123 CSndfile FormatSniffing Platform SystemPackage"),
    room("Sound/DecodingProtocol", settings: strict),
    room("Sound/HelperDecoding", "AudioCore DecodingProtocol Platform SystemPackage"),
    room("Sound/DSDDecoding", "AudioCore Platform SystemPackage"),
    room("Sound/Outputs", "AudioCore Platform DequeModule SystemPackage"),
    room("Sound/AOPlayback", "AudioCore CAO Outputs Platform SystemPackage"),
    room("Sound/ALSAPlayback", "AudioCore CALSA CStandard Platform SystemPackage"),
    room("Sound/PulsePlayback", "AudioCore CPulse CStandard Platform SystemPackage"),
    room("Sound/Resampling", "AudioCore CSoxr"),
    room("Sound/TimeStretching", "AudioCore CRubberBand"),
    room("Sound/FourierTransform", "AudioCore CFFTW"),
    room("Sound/AcousticFingerprinting", "AudioCore CChromaprint SystemPackage"),
    room("Sound/Equalising", "AudioCore Platform"),
    room("Sound/PlaybackEngine", "AudioCore Equalising Platform DequeModule SystemPackage"),
    room("Sound/LoudnessMeasuring", "AudioCore CEbur128 MusicModel SystemPackage"),

    room("Library/Tagging", "CStandard CTagLib FormatSniffing MusicModel Platform SystemPackage"),
    room("Library/CueSheets", "FormatSniffing MusicModel Platform Tagging SystemPackage"),
    room(
      "Library/Playlists", "CExpat MusicModel Platform TOMLFiles Tagging SystemPackage",
      links: [.linkedLibrary("expat")]),
    room("Library/AlbumGrouping", "MusicModel Platform Tagging UnicodeText SystemPackage"),
    room("Library/LibraryIndex", "DatabaseFiles MusicModel Platform Tagging UnicodeText GRDB GRDBSQLite SystemPackage"),
    room(
      "Library/LibraryScanning", "AlbumGrouping CueSheets FormatSniffing LibraryIndex MusicModel Platform Playlists",
      "Tagging UnicodeText GRDB SystemPackage"),

    room("Player/Scrobbling", "DatabaseFiles MusicModel Network Platform Tagging GRDB SystemPackage"),
    room("Player/QueueStorage", "DatabaseFiles MusicModel Platform GRDB SystemPackage"),
    room(
      "Player/PlayerFlow", "AudioCore Equalising Flux MusicModel Platform PlaybackEngine Logging SystemPackage",
      settings: strict),
    room(
      "Player/PlayerPort",
      "AudioCore CueSheets Equalising Flux LibraryIndex LibraryScanning MusicModel Outputs Platform PlayerFlow Playlists",
      "Tagging TimeStretching UnicodeText SystemPackage"),

    room(
      "Faces/RemoteControl",
      "AcousticFingerprinting AudioCore Flux LibraryIndex LibraryScanning MusicModel Platform PlayerFlow PlayerPort",
      "Playlists Tagging DequeModule NIOCore NIOPosix SystemPackage"),
    room(
      "Faces/DesktopControl", "AudioCore CSDBus Flux MusicModel Platform PlayerFlow PlayerPort Playlists SystemPackage"),
    room("Faces/CoverDrawing", "CCoverDrawing"),
    room(
      "Faces/UserSettings", "AudioCore MusicModel Platform PlayerFlow PlayerPort TOMLFiles Tagging SystemPackage",
      settings: strict),
    room(
      "Faces/Terminal", "CEditline CoverDrawing Platform PlayerFlow UnicodeText UserSettings SystemPackage",
      links: [.linkedLibrary("edit")]),
    room(
      "Faces/Screens",
      "AudioCore CoverDrawing Equalising Flux MusicModel Platform PlayerFlow PlayerPort Tagging Terminal UnicodeText",
      "UserSettings SystemPackage", settings: strict),
    room(
      "Faces/Commands",
      "AlbumGrouping AudioCore Equalising Flux LibraryIndex LibraryScanning LoudnessMeasuring MusicModel",
      "Platform PlayerFlow PlayerPort Playlists RemoteControl Screens Scrobbling Tagging Terminal UnicodeText UserSettings",
      "ArgumentParser SystemPackage TOMLFiles",
      // Compiled into the program, so that no resources need to be installed.
      resources: [.embedInCode("Manual/Topics")]),
    program(
      "segue",
      "ALSAPlayback AOPlayback AcousticFingerprinting AudioCore CSQLite Commands CueSheets DSDDecoding DatabaseFiles DesktopControl",
      "Flux FormatSniffing FourierTransform HelperDecoding LibraryIndex LibraryScanning LoudnessMeasuring MusicModel Network Outputs",
      "Platform PlayerFlow PlayerPort PulsePlayback QueueStorage RemoteControl Resampling Screens Scrobbling SndfileDecoding",
      "Tagging TimeStretching UnicodeText",
      "Logging SystemPackage", settings: strict),
    // Writes the pages of the manual, which packages contain.
    program(
      "segue-manual", "Commands Platform PlayerPort Screens Terminal UserSettings ArgumentParser", settings: strict,
      resources: [.embedInCode("Pages")]),

    support("TestSupport", "AudioCore CProcess CStandard Platform PlaybackEngine SystemPackage"),
    tests("AudioCoreTests", "AudioCore Platform TestSupport SystemPackage", settings: strict),
    tests("DatabaseFilesTests", "DatabaseFiles Platform TestSupport GRDB SystemPackage"),
    tests("NetworkTests", "Network Platform TestSupport SystemPackage"),
    tests("ScrobblingTests", "MusicModel Network Platform Scrobbling TestSupport SystemPackage"),
    tests("PlatformTests", "Platform TestSupport SystemPackage"),
    tests("TOMLFilesTests", "TOMLFiles"),
    tests("SndfileDecodingTests", "AudioCore FormatSniffing Resampling SndfileDecoding TestSupport SystemPackage"),
    tests("ResamplingTests", "AudioCore Resampling TestSupport SystemPackage", settings: strict),
    tests("TimeStretchingTests", "AudioCore TestSupport TimeStretching", settings: strict),
    tests("FourierTransformTests", "AudioCore FourierTransform TestSupport", settings: strict),
    tests("AcousticFingerprintingTests", "AcousticFingerprinting AudioCore SndfileDecoding TestSupport SystemPackage"),
    tests("EqualisingTests", "AudioCore Equalising Platform", settings: strict),
    tests("OutputsTests", "AudioCore Outputs Platform TestSupport SystemPackage"),
    tests("AOPlaybackTests", "AOPlayback AudioCore Outputs Platform TestSupport SystemPackage"),
    tests("DSDDecodingTests", "AudioCore DSDDecoding Platform TestSupport SystemPackage"),
    tests("ALSAPlaybackTests", "ALSAPlayback AudioCore CALSA Platform TestSupport SystemPackage"),
    tests("PulsePlaybackTests", "Platform PulsePlayback"),
    tests(
      "PlaybackEngineTests",
      "AudioCore Equalising Platform PlaybackEngine Resampling SndfileDecoding TestSupport TimeStretching SystemPackage",
      settings: strict),
    tests(
      "PlayerFlowTests",
      "AudioCore Equalising Flux MusicModel Platform PlaybackEngine PlayerFlow TestSupport SystemPackage",
      settings: strict),
    tests(
      "PlayerPortTests",
      "AudioCore Equalising FaceExamples Flux LibraryIndex LibraryScanning MusicModel Platform PlayerFlow",
      "PlayerPort Playlists Tagging TestSupport TimeStretching SystemPackage"),
    tests(
      "QueueStorageTests", "AudioCore Flux MusicModel Platform PlayerFlow QueueStorage StateCheck TestSupport GRDB",
      "SystemPackage"),
    tests(
      "LoudnessMeasuringTests", "AudioCore LoudnessMeasuring MusicModel SndfileDecoding Tagging TestSupport",
      "SystemPackage", settings: strict),
    tests(
      "RemoteControlTests",
      "AudioCore Flux LibraryIndex LibraryScanning MusicModel Platform PlayerFlow FaceExamples PlayerPort RemoteControl",
      "Tagging TestSupport GRDB NIOCore NIOEmbedded NIOPosix SystemPackage"),
    tests(
      "DesktopControlTests",
      "AudioCore DesktopControl FaceExamples Flux MusicModel Platform PlayerFlow PlayerPort Playlists",
      "Tagging TestSupport TimeStretching SystemPackage"),
    tests("ArchitectureTests", "CStandard TestSupport SystemPackage", settings: strict),
    tests("FluxTests", "Flux Platform TestSupport SystemPackage"),
    tests("UnicodeTextTests", "UnicodeText", settings: strict),
    tests("MusicModelTests", "MusicModel TestSupport SystemPackage", settings: strict),
    tests("TaggingTests", "MusicModel Platform Tagging TestSupport SystemPackage"),
    tests("CueSheetsTests", "CueSheets Platform Tagging TestSupport SystemPackage"),
    tests("PlaylistsTests", "LibraryScanning MusicModel Platform Playlists Tagging TestSupport SystemPackage"),
    tests("AlbumGroupingTests", "AlbumGrouping MusicModel SystemPackage"),
    tests(
      "LibraryIndexTests", "LibraryIndex MusicModel Platform Tagging TestSupport UnicodeText GRDB SystemPackage",
      settings: strict),
    tests(
      "LibraryScanningTests", "LibraryIndex LibraryScanning MusicModel Platform Playlists ScanCheck Tagging",
      "TestSupport UnicodeText GRDB GRDBSQLite SystemPackage", settings: strict),
    tests("CoverDrawingTests", "CoverDrawing TestSupport SystemPackage"),
    // Example tracks, queues and states for the tests of several faces.
    support(
      "FaceExamples",
      "AudioCore Equalising Flux LibraryScanning MusicModel PlayerFlow PlayerPort Tagging TestSupport SystemPackage"),
    tests("UserSettingsTests", "MusicModel TOMLFiles Tagging TestSupport UserSettings SystemPackage"),
    tests(
      "TerminalTests", "CoverDrawing FaceExamples Platform PlayerFlow Terminal TestSupport UnicodeText UserSettings",
      "SystemPackage"),
    tests(
      "ScreensTests",
      "AudioCore CoverDrawing Equalising FaceExamples Flux LibraryIndex MusicModel Platform PlayerFlow PlayerPort Screens",
      "Tagging Terminal TestSupport UnicodeText UserSettings ArgumentParser SystemPackage"),
    tests(
      "CommandsTests", "AudioCore Commands FaceExamples Flux LibraryIndex LibraryScanning LoudnessMeasuring",
      "MusicModel Platform PlayerFlow PlayerPort Playlists RemoteControl Screens Scrobbling Tagging Terminal TestSupport",
      "UnicodeText UserSettings segue-manual ArgumentParser SystemPackage"),
    tests(
      "EndToEndTests", "AudioCore Platform TestSupport UnicodeText SystemPackage",
      // The tests read and compile them.
      exclude: ["Golden", "Heard/SimulatedCard.c"]),

    // Benchmarks: Tests/Benchmarks/run, Tests/Benchmarks/library/run.
    benchmark("DispatchBenchmark", "Flux"),
    .target(name: "RealTimeHooks", path: "Tests/Benchmarks/RealTimeHooks"),
    benchmark("RealTimeCheck", "AudioCore Equalising Platform PlaybackEngine RealTimeHooks SystemPackage"),
    benchmark("ResampleBenchmark", "AudioCore Resampling SystemPackage"),
    benchmark("SampleBenchmark", "AudioCore Equalising"),
    benchmark("LibraryBenchmark", "LibraryIndex LibraryScanning MusicModel Platform Tagging SystemPackage"),
    benchmark("QueueBenchmark", "Flux MusicModel Platform PlayerFlow SystemPackage"),
    benchmark("RemoteBenchmark", "Platform SystemPackage"),
    benchmark("ScanCheck", "LibraryIndex LibraryScanning MusicModel Platform Tagging SystemPackage"),
    benchmark("StateCheck", "Flux MusicModel Platform PlayerFlow QueueStorage SystemPackage"),
    benchmark("SndfileFloor", "CSndfile", settings: []),
  ]
)

// What FFmpeg decodes. The player does not link its libraries: `segue-decode` is a program of its own.
if hasFFmpeg {
  package.products.append(.executable(name: "segue-decode", targets: ["segue-decode"]))
  package.targets += [
    library("CFFmpeg", "libavformat", apt: "libavformat-dev", brew: "ffmpeg"),
    room("Sound/FFmpegDecoding", "CFFmpeg CProcess DecodingProtocol FormatSniffing SystemPackage"),
    program("segue-decode", "CProcess DecodingProtocol FFmpegDecoding SystemPackage"),
    tests("FFmpegDecodingTests", "AudioCore DecodingProtocol FFmpegDecoding TestSupport SystemPackage"),
    tests(
      "HelperDecodingTests", "AudioCore DecodingProtocol HelperDecoding Platform TestSupport segue-decode",
      "SystemPackage"),
  ]
}

// Tests of the parsers of untrusted bytes. For the fuzzer, they are a program into which libFuzzer is linked.
let hostileInputTests = tests(
  "HostileInputTests", "AudioCore Commands CoverDrawing CueSheets DSDDecoding Flux FormatSniffing LibraryIndex",
  "LibraryScanning MusicModel Platform PlayerFlow PlayerPort FaceExamples Playlists QueueStorage RemoteControl Screens Tagging Terminal",
  "TOMLFiles TestSupport UnicodeText UserSettings GRDB NIOCore SystemPackage",
  settings: strictUnsafe, exclude: ["Fuzzing"])
package.targets.append(
  sanitizer == "fuzzer"
    ? .executableTarget(
      name: "Fuzzing", dependencies: hostileInputTests.dependencies, path: "Tests/HostileInputTests",
      sources: ["Fuzzing", "Parsers"], swiftSettings: strictUnsafe)
    : hostileInputTests)

// Builds with the address sanitizer also detect undefined behaviour in C and C++, except with the checks that need the
// sanitizer's C++ runtime.
if sanitizer == "address" || sanitizer == "fuzzer" {
  let targetsInC = [
    "CChromaprint", "CCoverDrawing", "CCurl", "CEbur128", "CFFTW", "CGlibc", "CLibrary", "CProcess", "CSDBus",
    "CRubberBand", "CSQLite", "CSoxr", "CTagLib", "CUchardet",
  ]
  let checks = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
  for target in package.targets where targetsInC.contains(target.name) {
    target.cSettings = [.unsafeFlags(checks)]
    target.cxxSettings = [.unsafeFlags(checks + ["-fno-sanitize=vptr,function"])]
  }
}

// A build for a sanitizer has only the tests for which the sanitizer is worth the time, and what they need.
let sanitizedTargets = [
  "address": ["HostileInputTests"],
  "thread": ["AudioCoreTests", "FluxTests", "PlatformTests", "PlaybackEngineTests", "PlayerFlowTests"],
  "fuzzer": ["Fuzzing"],
]
if let sanitizer, var unvisited = sanitizedTargets[sanitizer] {
  if sanitizer == "thread" {
    // Shows the sanitizer the synchronisation in the Swift library, which it cannot observe.
    package.targets.append(.target(name: "ThreadSanitizerHooks", path: "Tests/Sanitizers/ThreadSanitizerHooks"))
    for target in package.targets where unvisited.contains(target.name) {
      target.dependencies.append("ThreadSanitizerHooks")
    }
  }
  var needed: Set<String> = []
  while let name = unvisited.popLast() {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): unvisited.append(name)
      default: break
      }
    }
  }
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}
