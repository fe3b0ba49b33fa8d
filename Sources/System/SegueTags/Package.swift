// swift-tools-version: 6.2
import PackageDescription

// What TagLib and the C++ library bring takes a fifth of the time to the first sample, and nearly no file needs it
// then: it is a library of its own, which the program loads when it does. Only another package can have such a library
// built with the program.
//
// The linker is called as for Swift, of which there is nothing in here.
let withoutSwift: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-nostartfiles", "-no-toolchain-stdlib-rpath",
      "-Xlinker", "--remap-inputs=*/libswiftCore.so=/dev/null",
    ], .when(platforms: [.linux]))
]

// On macOS, nothing is loaded later.
#if os(macOS)
  let kind: Product.Library.LibraryType? = nil
#else
  let kind: Product.Library.LibraryType? = .dynamic
#endif

// Where wrong addresses are found, undefined behaviour is, too (`Tests/Sanitizers`). What needs the C++ library's own
// runtime of it is left out.
let isSanitized = ["address", "fuzzer"].contains(Context.environment["SEGUE_SANITIZER"])
let sanitized: [CXXSetting] =
  isSanitized
  ? [.unsafeFlags(["-fsanitize=undefined", "-fno-sanitize=vptr,function", "-fno-sanitize-recover=undefined"])] : []

let package = Package(
  name: "SegueTags",
  products: [
    .library(name: "PlainTags", targets: ["PlainTags"]),
    .library(name: "SegueTags", type: kind, targets: ["TagLibShim"]),
  ],
  targets: [
    .systemLibrary(
      name: "CTag", path: "CTag", pkgConfig: "taglib",
      providers: [.apt(["libtag1-dev"]), .brew(["taglib"])]),
    .target(name: "PlainTags", path: "PlainTags", cxxSettings: sanitized),
    .target(
      name: "TagLibShim", dependencies: ["CTag", "PlainTags"], path: "TagLibShim",
      cxxSettings: [.headerSearchPath("../PlainTags")] + sanitized, linkerSettings: withoutSwift),
  ]
)
