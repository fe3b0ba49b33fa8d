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

// Debian's libutf8proc.pc contains a flag for building the library, which the package manager warns about. The headers
// are found without it.
#if os(macOS)
  let utf8procPkgConfig: String? = "libutf8proc"
  let soxrPkgConfig: String? = "soxr"
  let ebur128PkgConfig: String? = "libebur128"
  let uchardetPkgConfig: String? = "uchardet"
  let pulsePkgConfig: String? = "libpulse"
#else
  let utf8procPkgConfig: String? = nil
  // Loaded only when audio is resampled or measured. Loading soxr's library and its dependencies takes a twentieth of
  // the time to the first sample.
  let soxrPkgConfig: String? = nil
  let ebur128PkgConfig: String? = nil
  // Loaded only for text of unknown encoding.
  let uchardetPkgConfig: String? = nil
  // Loaded only to play through a sound server.
  let pulsePkgConfig: String? = nil
#endif

let package = Package(
  name: "segue",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "segue", targets: ["segue"])
  ],
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
    // System libraries.
    .systemLibrary(
      name: "CAO", path: "Sources/System/CAO", pkgConfig: "ao", providers: [.apt(["libao-dev"]), .brew(["libao"])]),
    .systemLibrary(
      name: "CSndfile", path: "Sources/System/CSndfile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
    // libsndfile uses these, too.
    .systemLibrary(
      name: "CFLAC", path: "Sources/System/CFLAC", pkgConfig: "flac",
      providers: [.apt(["libflac-dev"]), .brew(["flac"])]),
    .systemLibrary(
      name: "CMPG123", path: "Sources/System/CMPG123", pkgConfig: "libmpg123",
      providers: [.apt(["libmpg123-dev"]), .brew(["mpg123"])]),
    .systemLibrary(
      name: "CSoxrHeader", path: "Sources/System/CSoxrHeader", pkgConfig: soxrPkgConfig,
      providers: [.apt(["libsoxr-dev"]), .brew(["libsoxr"])]),
    .systemLibrary(
      name: "CEditline", path: "Sources/System/CEditline", pkgConfig: "libedit",
      providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
    .systemLibrary(
      name: "CUTF8Proc", path: "Sources/System/CUTF8Proc", pkgConfig: utf8procPkgConfig,
      providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
    .systemLibrary(
      name: "CEbur128Header", path: "Sources/System/CEbur128Header", pkgConfig: ebur128PkgConfig,
      providers: [.apt(["libebur128-dev"]), .brew(["libebur128"])]),
    .systemLibrary(
      name: "CPulseHeader", path: "Sources/System/CPulseHeader", pkgConfig: pulsePkgConfig,
      providers: [.apt(["libpulse-dev"]), .brew(["pulseaudio"])]),
    .systemLibrary(
      name: "CUchardetHeader", path: "Sources/System/CUchardetHeader", pkgConfig: uchardetPkgConfig,
      providers: [.apt(["libuchardet-dev"]), .brew(["uchardet"])]),
    .systemLibrary(
      name: "CPCRE2", path: "Sources/System/CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    // Part of macOS.
    .systemLibrary(name: "CExpat", path: "Sources/System/CExpat", providers: [.apt(["libexpat1-dev"])]),
    // Part of the C library, except on macOS.
    .systemLibrary(name: "CIconv", path: "Sources/System/CIconv"),
    // Descriptors that are passed to other processes, and a process that gives up its rights.
    .target(name: "CProcess", path: "Sources/System/CProcess"),
    // Parts of the C library on Linux.
    .target(name: "CGlibc", path: "Sources/System/CGlibc"),
    // SQLite itself is linked by GRDB.
    .target(name: "CSQLite", path: "Sources/System/CSQLite"),
    // Loads rarely used libraries when they are needed, so that they do not slow down the start.
    .target(name: "CLibrary", path: "Sources/System/CLibrary"),
    .systemLibrary(
      name: "CTag", path: "Sources/System/CTag", pkgConfig: "taglib",
      providers: [.apt(["libtag1-dev"]), .brew(["taglib"])]),
    .target(
      name: "CTagLib",
      dependencies: [
        "CTag"
      ], path: "Sources/System/CTagLib"),
    // Contains its own declarations for libsystemd, and loads it if there is a session bus.
    .target(
      name: "CSDBus",
      dependencies: [
        "CLibrary"
      ], path: "Sources/System/CSDBus"),

    .target(
      name: "CSoxr",
      dependencies: [
        "CLibrary", "CSoxrHeader",
      ], path: "Sources/System/CSoxr"),
    .target(
      name: "CEbur128",
      dependencies: [
        "CEbur128Header", "CLibrary",
      ], path: "Sources/System/CEbur128"),
    .target(
      name: "CALSA", dependencies: ["CLibrary"], path: "Sources/System/CALSA"),
    .target(
      name: "CPulse",
      dependencies: [
        "CLibrary", "CPulseHeader",
      ], path: "Sources/System/CPulse"),
    .target(
      name: "CUchardet",
      dependencies: [
        "CLibrary", "CUchardetHeader",
      ], path: "Sources/System/CUchardet"),
    // Contains its own declarations for libchafa, TurboJPEG and libpng, and loads them when a cover is drawn.
    .target(
      name: "CCoverDrawing",
      dependencies: [
        "CLibrary"
      ], path: "Sources/System/CCoverDrawing"),

    // Rooms without I/O.
    .target(
      name: "UnicodeText",
      dependencies: [
        "CPCRE2", "CUTF8Proc",
      ], path: "Sources/Base/UnicodeText",
      swiftSettings: strictUnsafe,
      linkerSettings: [.linkedLibrary("pcre2-8")]),
    .target(
      name: "Flux",
      dependencies: [
        .product(name: "DequeModule", package: "swift-collections")
      ],
      path: "Sources/Base/Flux",
      swiftSettings: strict),
    .target(
      name: "MusicModel",
      dependencies: [
        .product(name: "SystemPackage", package: "swift-system")
      ],
      path: "Sources/Model/MusicModel",
      swiftSettings: strict),

    // The operating system.
    .target(
      name: "Platform",
      dependencies: [
        "CIconv", "CProcess", "CUchardet", .target(name: "CGlibc", condition: .when(platforms: [.linux])),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Base/Platform",
      swiftSettings: strictUnsafe, linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(
      name: "DatabaseFiles",
      dependencies: [
        "Platform", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Base/DatabaseFiles",
      swiftSettings: strictUnsafe),

    // Sound.
    .target(name: "FormatSniffing", path: "Sources/Sound/FormatSniffing", swiftSettings: strict),
    .target(
      name: "AudioCore",
      dependencies: [
        "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/AudioCore",
      swiftSettings: strictUnsafe),
    .target(
      name: "SndfileDecoding",
      dependencies: [
        "AudioCore", "CFLAC", "CMPG123", "CSndfile", "FormatSniffing", "Platform",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/SndfileDecoding",
      swiftSettings: strictUnsafe),
    .target(name: "DecodingProtocol", path: "Sources/Sound/DecodingProtocol", swiftSettings: strict),
    .target(
      name: "HelperDecoding",
      dependencies: [
        "AudioCore", "DecodingProtocol", "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/HelperDecoding",
      swiftSettings: strictUnsafe),
    .target(
      name: "DSDDecoding",
      dependencies: [
        "AudioCore", "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/DSDDecoding",
      swiftSettings: strictUnsafe),
    .target(
      name: "AOPlayback",
      dependencies: [
        "AudioCore", "CAO", "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/AOPlayback",
      swiftSettings: strictUnsafe),
    .target(
      name: "ALSAPlayback",
      dependencies: [
        "AudioCore", "CALSA", "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/ALSAPlayback",
      swiftSettings: strictUnsafe),
    .target(
      name: "PulsePlayback",
      dependencies: [
        "AudioCore", "CPulse", "Platform",
      ], path: "Sources/Sound/PulsePlayback",
      swiftSettings: strictUnsafe),
    .target(
      name: "OutputTap",
      dependencies: [
        "AudioCore", "Platform", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/OutputTap",
      swiftSettings: strictUnsafe),
    .target(
      name: "Resampling",
      dependencies: [
        "AudioCore", "CSoxr",
      ], path: "Sources/Sound/Resampling",
      swiftSettings: strictUnsafe),
    .target(
      name: "PlaybackEngine",
      dependencies: [
        "AudioCore", "Platform", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/PlaybackEngine",
      swiftSettings: strictUnsafe),
    .target(
      name: "LoudnessMeasuring",
      dependencies: [
        "AudioCore", "CEbur128", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/LoudnessMeasuring",
      swiftSettings: strictUnsafe),

    // The library.
    .target(
      name: "Tagging",
      dependencies: [
        "CTagLib", "FormatSniffing", "MusicModel", "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/Tagging",
      swiftSettings: strictUnsafe),
    .target(
      name: "CueSheets",
      dependencies: [
        "FormatSniffing", "MusicModel", "Platform", "Tagging", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/CueSheets",
      swiftSettings: strictUnsafe),
    .target(
      name: "Playlists",
      dependencies: [
        "CExpat", "MusicModel", "Platform", "Tagging", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/Playlists",
      swiftSettings: strictUnsafe,
      linkerSettings: [.linkedLibrary("expat")]),
    .target(
      name: "AlbumGrouping",
      dependencies: [
        "MusicModel", "Platform", "Tagging", "UnicodeText", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/AlbumGrouping",
      swiftSettings: strictUnsafe),
    .target(
      name: "LibraryIndex",
      dependencies: [
        "DatabaseFiles", "MusicModel", "Platform", "Tagging", "UnicodeText",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/LibraryIndex",
      swiftSettings: strictUnsafe),
    .target(
      name: "LibraryScanning",
      dependencies: [
        "AlbumGrouping", "CueSheets", "FormatSniffing", "LibraryIndex", "MusicModel", "Platform", "Playlists",
        "Tagging", "UnicodeText", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Library/LibraryScanning",
      swiftSettings: strictUnsafe),

    // The stored queue.
    .target(
      name: "QueueStorage",
      dependencies: [
        "DatabaseFiles", "MusicModel", "Platform", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Player/QueueStorage",
      swiftSettings: strictUnsafe),

    // The flow.
    .target(
      name: "PlayerFlow",
      dependencies: [
        "AudioCore", "Flux", "MusicModel", "Platform", "PlaybackEngine",
        .product(name: "Logging", package: "swift-log"), .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Player/PlayerFlow",
      swiftSettings: strict),

    // The port to a player, for every face.
    .target(
      name: "PlayerPort",
      dependencies: [
        "AudioCore", "Flux", "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "PlayerFlow", "Playlists",
        "Tagging", "UnicodeText", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Player/PlayerPort",
      swiftSettings: strictUnsafe),

    // The faces.
    .target(
      name: "RemoteControl",
      dependencies: [
        "AudioCore", "Flux", "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "PlayerFlow", "PlayerPort",
        "Playlists",
        "Tagging", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Faces/RemoteControl",
      swiftSettings: strictUnsafe),
    .target(
      name: "DesktopControl",
      dependencies: [
        "AudioCore", "CSDBus", "Flux", "MusicModel", "Platform", "PlayerFlow", "Playlists",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Faces/DesktopControl",
      swiftSettings: strictUnsafe),
    .target(
      name: "CoverDrawing",
      dependencies: [
        "CCoverDrawing"
      ], path: "Sources/Faces/CoverDrawing",
      swiftSettings: strictUnsafe),
    .target(
      name: "UserSettings",
      dependencies: [
        "AudioCore", "MusicModel", "Platform", "PlayerFlow", "Tagging",
        .product(name: "SystemPackage", package: "swift-system"), .product(name: "TOMLKit", package: "TOMLKit"),
      ], path: "Sources/Faces/UserSettings",
      swiftSettings: strict),
    .target(
      name: "Terminal",
      dependencies: [
        "CEditline", "CoverDrawing", "Platform", "PlayerFlow", "UnicodeText", "UserSettings",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Faces/Terminal",
      swiftSettings: strictUnsafe,
      linkerSettings: [.linkedLibrary("edit")]),
    .target(
      name: "Screens",
      dependencies: [
        "AudioCore", "CoverDrawing", "Flux", "MusicModel", "Platform", "PlayerFlow", "PlayerPort", "Tagging",
        "Terminal",
        "UnicodeText", "UserSettings", .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Faces/Screens",
      swiftSettings: strict),
    .target(
      name: "Commands",
      dependencies: [
        "AlbumGrouping", "AudioCore", "Flux", "LibraryIndex", "LibraryScanning", "LoudnessMeasuring", "MusicModel",
        "Platform", "PlayerFlow", "PlayerPort", "Playlists", "RemoteControl", "Screens", "Tagging", "Terminal",
        "UnicodeText",
        "UserSettings", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Faces/Commands",
      // Compiled into the program, so that no resources need to be installed.
      resources: [.embedInCode("Manual/Pages"), .embedInCode("Manual/Topics")],
      swiftSettings: strictUnsafe),
    .executableTarget(
      name: "segue",
      dependencies: [
        "ALSAPlayback", "AOPlayback", "AudioCore", "CSQLite", "Commands", "DSDDecoding", "DatabaseFiles",
        "DesktopControl", "Flux",
        "FormatSniffing", "HelperDecoding", "LibraryIndex", "LibraryScanning", "LoudnessMeasuring", "MusicModel",
        "OutputTap", "Platform", "PlayerFlow", "PlayerPort",
        "PulsePlayback", "QueueStorage", "RemoteControl", "Resampling", "Screens", "SndfileDecoding", "Tagging",
        "UnicodeText", .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "AudioCore", "Platform", "PlaybackEngine", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "AudioCoreTests",
      dependencies: [
        "AudioCore", "Platform", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DatabaseFilesTests",
      dependencies: [
        "DatabaseFiles", "Platform", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "PlatformTests",
      dependencies: [
        "Platform", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "SndfileDecodingTests",
      dependencies: [
        "AudioCore", "FormatSniffing", "Resampling", "SndfileDecoding", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "ResamplingTests",
      dependencies: [
        "AudioCore", "Resampling", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AOPlaybackTests",
      dependencies: [
        "AOPlayback", "AudioCore", "Platform", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "DSDDecodingTests",
      dependencies: [
        "AudioCore", "DSDDecoding", "Platform", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "ALSAPlaybackTests",
      dependencies: [
        "ALSAPlayback", "AudioCore", "CALSA", "Platform", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "PulsePlaybackTests",
      dependencies: ["Platform", "PulsePlayback"],
      swiftSettings: strictTests),
    .testTarget(
      name: "OutputTapTests",
      dependencies: [
        "AudioCore", "OutputTap", "Platform", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "PlaybackEngineTests",
      dependencies: [
        "AudioCore", "Platform", "PlaybackEngine", "Resampling", "SndfileDecoding", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlayerFlowTests",
      dependencies: [
        "AudioCore", "Flux", "MusicModel", "Platform", "PlaybackEngine", "PlayerFlow", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlayerPortTests",
      dependencies: [
        "AudioCore", "FaceExamples", "Flux", "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "PlayerFlow",
        "PlayerPort", "Tagging", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "QueueStorageTests",
      dependencies: [
        "AudioCore", "Flux", "MusicModel", "Platform", "PlayerFlow", "QueueStorage", "StateCheck", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "LoudnessMeasuringTests",
      dependencies: [
        "AudioCore", "LoudnessMeasuring", "MusicModel", "SndfileDecoding", "Tagging", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RemoteControlTests",
      dependencies: [
        "AudioCore", "FaceExamples", "Flux", "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "PlayerFlow",
        "PlayerPort", "RemoteControl",
        "Tagging", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "DesktopControlTests",
      dependencies: [
        "AudioCore", "DesktopControl", "Flux", "MusicModel", "Platform", "PlayerFlow", "Tagging", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: [
        "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FluxTests",
      dependencies: [
        "Flux", "Platform", "TestSupport",
      ], swiftSettings: strictTests),
    .testTarget(
      name: "UnicodeTextTests",
      dependencies: [
        "UnicodeText"
      ], swiftSettings: strict),
    .testTarget(
      name: "MusicModelTests",
      dependencies: [
        "MusicModel", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TaggingTests",
      dependencies: [
        "MusicModel", "Platform", "Tagging", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "CueSheetsTests",
      dependencies: [
        "CueSheets", "Platform", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "PlaylistsTests",
      dependencies: [
        "LibraryScanning", "MusicModel", "Platform", "Playlists", "Tagging", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "AlbumGroupingTests",
      dependencies: [
        "AlbumGrouping", "MusicModel", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "LibraryIndexTests",
      dependencies: [
        "LibraryIndex", "MusicModel", "Platform", "Tagging", "TestSupport", "UnicodeText",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LibraryScanningTests",
      dependencies: [
        "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "Playlists", "ScanCheck", "Tagging", "TestSupport",
        "UnicodeText", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"), .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CoverDrawingTests",
      dependencies: [
        "CoverDrawing", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    // Example tracks, queues and states for the tests of several faces.
    .target(
      name: "FaceExamples",
      dependencies: [
        "AudioCore", "Flux", "MusicModel", "PlayerFlow", "PlayerPort",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/FaceExamples", swiftSettings: strict),
    .testTarget(
      name: "UserSettingsTests",
      dependencies: [
        "MusicModel", "Tagging", "TestSupport", "UserSettings",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "CoverDrawing", "FaceExamples", "Platform", "PlayerFlow", "Terminal", "TestSupport", "UnicodeText",
        "UserSettings", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "ScreensTests",
      dependencies: [
        "AudioCore", "CoverDrawing", "FaceExamples", "Flux", "LibraryIndex", "MusicModel", "Platform", "PlayerFlow",
        "PlayerPort",
        "Screens", "Tagging", "Terminal", "TestSupport", "UnicodeText", "UserSettings",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "AudioCore", "Commands", "FaceExamples", "Flux", "LibraryIndex", "LibraryScanning", "LoudnessMeasuring",
        "MusicModel", "Platform", "PlayerFlow", "PlayerPort", "Playlists", "RemoteControl", "Screens", "Tagging",
        "Terminal",
        "TestSupport", "UnicodeText", "UserSettings",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AudioCore", "Platform", "TestSupport", "UnicodeText", "segue",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      // The tests read the transcripts, and compile the card.
      exclude: ["Golden", "Heard/SimulatedCard.c"],
      swiftSettings: strictTests),

    // Benchmarks: Tests/Benchmarks/run, Tests/Benchmarks/library/run.
    .executableTarget(
      name: "DispatchBenchmark",
      dependencies: [
        "Flux"
      ], path: "Tests/Benchmarks/DispatchBenchmark",
      swiftSettings: strict),
    .target(name: "RealTimeHooks", path: "Tests/Benchmarks/RealTimeHooks"),
    .executableTarget(
      name: "RealTimeCheck",
      dependencies: [
        "AudioCore", "Platform", "PlaybackEngine", "RealTimeHooks",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/RealTimeCheck", swiftSettings: strict),
    .executableTarget(
      name: "ResampleBenchmark",
      dependencies: [
        "AudioCore", "Resampling", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/ResampleBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "SampleBenchmark",
      dependencies: [
        "AudioCore"
      ], path: "Tests/Benchmarks/SampleBenchmark",
      swiftSettings: strict),
    .executableTarget(
      name: "LibraryBenchmark",
      dependencies: [
        "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "Tagging",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/LibraryBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "QueueBenchmark",
      dependencies: [
        "MusicModel", "Platform", "PlayerFlow", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/QueueBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "RemoteBenchmark",
      dependencies: [
        "Platform", .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/RemoteBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "ScanCheck",
      dependencies: [
        "LibraryIndex", "LibraryScanning", "MusicModel", "Platform", "Tagging",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/ScanCheck", swiftSettings: strict),
    .executableTarget(
      name: "StateCheck",
      dependencies: [
        "Flux", "MusicModel", "Platform", "PlayerFlow", "QueueStorage",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks/StateCheck", swiftSettings: strict),
    .executableTarget(
      name: "SndfileFloor",
      dependencies: [
        "CSndfile"
      ], path: "Tests/Benchmarks/SndfileFloor"),
  ]
)

// What FFmpeg decodes. The player does not link its libraries: `segue-decode` is a program of its own.
if hasFFmpeg {
  package.products.append(.executable(name: "segue-decode", targets: ["segue-decode"]))
  package.targets += [
    .systemLibrary(
      name: "CFFmpeg", path: "Sources/System/CFFmpeg", pkgConfig: "libavformat",
      providers: [.apt(["libavformat-dev"]), .brew(["ffmpeg"])]),
    .target(
      name: "FFmpegDecoding",
      dependencies: [
        "CFFmpeg", "CProcess", "DecodingProtocol", "FormatSniffing",
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Sources/Sound/FFmpegDecoding",
      swiftSettings: strictUnsafe),
    .executableTarget(
      name: "segue-decode",
      dependencies: [
        "CProcess", "DecodingProtocol", "FFmpegDecoding", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictUnsafe),
    .testTarget(
      name: "FFmpegDecodingTests",
      dependencies: [
        "AudioCore", "DecodingProtocol", "FFmpegDecoding", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
    .testTarget(
      name: "HelperDecodingTests",
      dependencies: [
        "AudioCore", "DecodingProtocol", "HelperDecoding", "Platform", "TestSupport", "segue-decode",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strictTests),
  ]
}

// Tests of the parsers of untrusted bytes. For the fuzzer, they are a program into which libFuzzer is linked.
let hostileInputDependencies: [Target.Dependency] = [
  "AudioCore", "Commands", "CoverDrawing", "CueSheets", "DSDDecoding", "FaceExamples", "Flux", "FormatSniffing",
  "LibraryIndex",
  "LibraryScanning",
  "MusicModel", "Platform", "PlayerFlow", "PlayerPort", "Playlists", "QueueStorage", "RemoteControl", "Screens",
  "Tagging",
  "Terminal",
  "TestSupport", "UnicodeText", "UserSettings", .product(name: "GRDB", package: "GRDB.swift"),
  .product(name: "NIOCore", package: "swift-nio"), .product(name: "SystemPackage", package: "swift-system"),
]
package.targets.append(
  sanitizer == "fuzzer"
    ? .executableTarget(
      name: "Fuzzing", dependencies: hostileInputDependencies, path: "Tests/HostileInputTests",
      sources: ["Fuzzing", "Parsers"], swiftSettings: strictUnsafe)
    : .testTarget(
      name: "HostileInputTests", dependencies: hostileInputDependencies, exclude: ["Fuzzing"],
      swiftSettings: strictUnsafe))

// Builds with the address sanitizer also detect undefined behaviour in C and C++, except with the checks that need the
// sanitizer's C++ runtime.
if sanitizer == "address" || sanitizer == "fuzzer" {
  let targetsInC = [
    "CCoverDrawing", "CEbur128", "CGlibc", "CLibrary", "CProcess", "CSDBus", "CSQLite", "CSoxr", "CTagLib", "CUchardet",
  ]
  let checks = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
  for target in package.targets where targetsInC.contains(target.name) {
    target.cSettings = [.unsafeFlags(checks)]
    target.cxxSettings = [.unsafeFlags(checks + ["-fno-sanitize=vptr,function"])]
  }
}

// A build for a sanitizer has only the test targets for which the sanitizer is worth the time.
let sanitizedTests: [String: Set<String>] = [
  "address": ["HostileInputTests"],
  "thread": ["AudioCoreTests", "FluxTests", "PlatformTests", "PlaybackEngineTests", "PlayerFlowTests"],
  "fuzzer": [],
]
if let sanitizer {
  let included = sanitizedTests[sanitizer, default: []]
  package.targets.removeAll { $0.type == .test && !included.contains($0.name) }
}
// The thread sanitizer runs only these tests, so only what they need is built. `ThreadSanitizerHooks` shows it the
// synchronisation in the Swift library, which it cannot observe.
if sanitizer == "thread" {
  let tests = package.targets.filter { $0.type == .test }
  for test in tests { test.dependencies.append("ThreadSanitizerHooks") }
  package.targets.append(.target(name: "ThreadSanitizerHooks", path: "Tests/Sanitizers/ThreadSanitizerHooks"))
  var needed: Set<String> = []
  var unvisited = tests.map(\.name)
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
