import Foundation

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite file, which is created if it does not exist.
    case sqlite(String)
    /// Memory, until the store is closed.
    case memory
}

extension StoreLocation {
    /// The path with symbolic links resolved, so that each file has one path; nil for memory.
    package var resolvedPath: String? {
        guard case .sqlite(let path) = self else { return nil }
        return URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    /// The name of the running program.
    package static var programName: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "tributary"
    }

    /// The default file of a program: `NAME.sqlite` in its folder in Application Support, which is created.
    ///
    /// - Throws: An error of the file system.
    public static func `default`(for name: String) throws -> StoreLocation {
        let files = FileManager.default
        let support = try files.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let folder = support.appending(path: programName, directoryHint: .isDirectory)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let plain = file.hasSuffix(".sqlite") ? file : "\(file).sqlite"
        return .sqlite(folder.appending(path: plain).path(percentEncoded: false))
    }
}
