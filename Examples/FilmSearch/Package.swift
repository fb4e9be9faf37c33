// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "FilmSearch",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tributary", path: "../..")],
    targets: [
        .executableTarget(name: "FilmSearch", dependencies: [.product(name: "Tributary", package: "tributary")])
    ]
)
