// swift-tools-version: 6.1
import PackageDescription

// Compression and archives are a set of traits, all on by default. With `--disable-default-traits` the
// package needs libyajl and libsqlite3 alone, and names the trait when it meets such a file.
let compressions: [(trait: String, target: String, apt: String, brew: String)] = [
    ("Gzip", "CTributaryZlib", "zlib1g-dev", "zlib"),
    ("Zstd", "CTributaryZstd", "libzstd-dev", "zstd"),
    ("Bzip2", "CTributaryBzip2", "libbz2-dev", "bzip2"),
    ("Xz", "CTributaryLzma", "liblzma-dev", "xz"),
    ("Archive", "CTributaryArchive", "libarchive-dev", "libarchive"),
]
// The trait of the second target of an import, on by default too.
let postgres = "Postgres"
// The trait of the page of `tributary browse`, on by default too.
let browse = "Browse"

// The trait of sources by address, on by default too.
let http = "HTTP"

// The files of that page, which are compiled in.
let pages = [
    "charts.css", "column.html", "enter.html", "error.html", "foot.html", "head.html", "home.html", "list.html",
    "object.html", "pages.html", "profile-summary.html", "profile.html", "refused.html", "run-live.html",
    "run.html", "runs.html", "script.js", "search.html", "style.css", "table.html",
]

let package = Package(
    name: "tributary",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TributaryJSON", targets: ["TributaryJSON"]),
        .library(name: "TributarySQLite", targets: ["TributarySQLite"]),
        .library(name: "TributaryModel", targets: ["TributaryModel"]),
        .library(name: "TributaryGraph", targets: ["TributaryGraph"]),
        .library(name: "Tributary", targets: ["Tributary"]),
        .library(name: "TributaryPostgres", targets: ["TributaryPostgres"]),
        .library(name: "TributaryHTTP", targets: ["TributaryHTTP"]),
        .executable(name: "tributary", targets: ["TributaryCLI"]),
    ],
    traits: Set(
        compressions.map { .trait(name: $0.trait, description: "Read \($0.trait) input (\($0.apt))") }
            + [
                .trait(name: postgres, description: "Import into PostgreSQL (libpq-dev)"),
                .trait(name: browse, description: "Show a database in a browser (libmicrohttpd-dev)"),
                .trait(name: http, description: "Read addresses with http and https (libcurl4-openssl-dev)"),
                .default(enabledTraits: Set(compressions.map(\.trait) + [postgres, browse, http])),
            ]),
    // A target may import all that its dependencies reach.
    targets: compressions.map {
        .systemLibrary(name: $0.target, providers: [.apt([$0.apt]), .brew([$0.brew])])
    } + [
        .systemLibrary(
            name: "CTributaryYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .target(name: "TributaryPlatform"),
        .target(name: "CTributaryThread"),
        .target(name: "TributaryConcurrency", dependencies: ["TributaryPlatform", "CTributaryThread"]),
        .target(name: "CTributaryStructure"),
        .target(
            name: "TributaryJSON",
            dependencies: ["CTributaryYajl", "CTributaryStructure", "TributaryConcurrency"]
                + compressions.map { .target(name: $0.target, condition: .when(traits: [$0.trait])) }),
        .systemLibrary(
            name: "CTributarySQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "TributarySQLite", dependencies: ["CTributarySQLite", "TributaryPlatform"]),
        .systemLibrary(
            name: "CTributaryPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "TributaryModel", dependencies: ["TributaryConcurrency"]),
        .target(
            name: "TributaryStore",
            dependencies: ["TributaryModel", "TributarySQLite"]),
        .target(name: "TributaryGraph", dependencies: ["TributaryStore"]),
        .target(name: "TributaryImport", dependencies: ["TributaryJSON", "TributaryStore"]),
        .target(name: "Tributary", dependencies: ["TributaryImport", "TributaryGraph"]),
        .target(
            name: "TributaryPostgres",
            dependencies: [
                "TributaryImport", .byName(name: "CTributaryPostgres", condition: .when(traits: [postgres])),
            ]),
        .systemLibrary(
            name: "CTributaryMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .target(
            name: "TributaryBrowse",
            dependencies: [
                "TributaryImport", .byName(name: "CTributaryMicrohttpd", condition: .when(traits: [browse])),
            ],
            resources: pages.map { .embedInCode("Pages/\($0)") }),
        .systemLibrary(
            name: "CTributaryCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(
            name: "TributaryHTTP",
            dependencies: ["TributaryJSON", .byName(name: "CTributaryCurl", condition: .when(traits: [http]))]),
        .executableTarget(
            name: "TributaryCLI",
            dependencies: ["TributaryImport", "TributaryPostgres", "TributaryBrowse", "TributaryHTTP"]),
        .target(name: "TributaryTestSupport", dependencies: ["Tributary", "TributaryPostgres"]),
        .target(
            name: "CTributaryTwins",
            dependencies: [
                "CTributaryYajl", "CTributarySQLite",
                .byName(name: "CTributaryPostgres", condition: .when(traits: [postgres])),
            ]),
        .target(name: "CTributaryFaults", dependencies: ["CTributarySQLite"]),
        .executableTarget(name: "TributaryBenchmarks", dependencies: ["TributaryTestSupport", "CTributaryTwins"]),
        .testTarget(name: "TributaryJSONTests", dependencies: ["TributaryTestSupport"]),
        .testTarget(name: "TributarySQLiteTests", dependencies: ["TributaryTestSupport"]),
        .testTarget(name: "TributaryPostgresTests", dependencies: ["TributaryTestSupport"]),
        .testTarget(name: "TributaryBrowseTests", dependencies: ["TributaryBrowse", "TributaryTestSupport"]),
        .testTarget(name: "TributaryHTTPTests", dependencies: ["TributaryHTTP", "TributaryTestSupport"]),
        .testTarget(name: "TributaryGraphTests", dependencies: ["TributaryTestSupport", "CTributaryFaults"]),
        .testTarget(name: "TributaryTests", dependencies: ["TributaryTestSupport", "CTributaryFaults"]),
        .testTarget(
            name: "TributaryCLITests", dependencies: ["TributaryCLI", "TributaryTestSupport", "CTributaryFaults"]),
        .testTarget(name: "TributaryTestSupportTests", dependencies: ["TributaryTestSupport"]),
    ]
)

// One language for every Swift target.
for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // Optimizing the tests takes longer than they gain by it, and no target imports their modules.
    if target.type == .test {
        target.swiftSettings?.append(.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"]))
    }
}
