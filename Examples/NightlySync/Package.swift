// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "NightlySync",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tributary", path: "../..")],
    targets: [
        .executableTarget(
            name: "NightlySync",
            dependencies: [
                .product(name: "Tributary", package: "tributary"),
                // For feeds with an address.
                .product(name: "TributaryHTTP", package: "tributary"),
            ])
    ]
)
