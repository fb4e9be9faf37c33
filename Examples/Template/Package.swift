// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Template",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The path of your clone of Tributary, whose name here is always "tributary".
        .package(
            name: "tributary", path: "../..",
            // What Tributary can read beside plain JSON. Each trait needs a package of the system, named here as
            // Debian has it; libyajl-dev and libsqlite3-dev are always needed. Delete the traits that you do not use.
            traits: [
                "Gzip",  // files with .gz: zlib1g-dev
                "Zstd",  // files with .zst: libzstd-dev
                "Bzip2",  // files with .bz2: libbz2-dev
                "Xz",  // files with .xz: liblzma-dev
                "Archive",  // files in .zip and .tar: libarchive-dev
                // "HTTP",  // addresses, with the product TributaryHTTP: libcurl4-openssl-dev
                // "Postgres",  // PostgreSQL, with the product TributaryPostgres: libpq-dev
            ])
    ],
    targets: [
        .executableTarget(name: "Template", dependencies: [.product(name: "Tributary", package: "tributary")]),
        .testTarget(name: "TemplateTests", dependencies: ["Template"]),
    ]
)
