// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "DumpProfile",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tributary", path: "../..")],
    targets: [
        .executableTarget(name: "ProfilePage", dependencies: [.product(name: "Tributary", package: "tributary")])
    ]
)
