// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Bookshelf",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tributary", path: "../..")],
    targets: [
        .executableTarget(name: "Bookshelf", dependencies: [.product(name: "Tributary", package: "tributary")])
    ]
)
