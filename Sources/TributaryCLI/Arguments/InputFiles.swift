import Foundation
import TributaryHTTP
import TributaryImport
import TributaryPlatform

/// The sources that the operands of a command name: files, directories, patterns, archives and addresses.
enum InputFiles {
    /// The sources, in the order of the operands; those of a directory or a pattern in the order of their names.
    ///
    /// With `once`, a file that several operands, names or links lead to is one source.
    static func sources(
        _ operands: [String], isRecursive: Bool, once: Bool = false, limits: ReadLimits, web: URLSource.Settings
    ) throws -> [any ByteSource] {
        var named = NamedFiles()
        var sources: [any ByteSource] = []
        var seen: Set<FileIdentity> = []
        for operand in operands {
            guard operand != "-" else {
                sources.append(DescriptorSource.standardInput)
                continue
            }
            if WebAddress.isAddress(operand) {
                sources.append(try URLSource(operand, settings: web))
                continue
            }
            let file = named.next(operand)
            let files = try files(at: operand, isRecursive: isRecursive) ?? [file]
            for file in files {
                if once, let identity = FileIdentity(file), !seen.insert(identity).inserted { continue }
                if file.byteCount != nil, ArchiveMembers.isArchive(file.name) {
                    sources += try ArchiveMembers.sources(of: file, limits: limits)
                } else {
                    sources.append(file)
                }
            }
        }
        return sources
    }

    /// The file that a source reads; nil for one without a file.
    static func identity(of source: any ByteSource) -> FileIdentity? {
        source is DescriptorSource ? FileIdentity(STDIN_FILENO) : source.file.flatMap { FileIdentity($0) }
    }

    /// The name of the only operand, without extensions, if it is a directory or an archive.
    static func container(_ operands: [String]) -> (name: String?, isFolder: Bool) {
        guard operands.count == 1 else { return (nil, false) }
        let isFolder = FileKind(operands[0]) == .directory
        guard isFolder || ArchiveMembers.isArchive(operands[0]) else { return (nil, false) }
        return (EntityName.stem(of: isFolder ? FileReplacement.target(of: operands[0]) : operands[0]), isFolder)
    }

    /// The files of a directory or of a pattern; nil if the operand is the path of something else.
    private static func files(at path: String, isRecursive: Bool) throws -> [FileSource]? {
        if let kind = FileKind(path) {
            guard kind == .directory else { return nil }
            let names = try names(in: path, isRecursive: isRecursive)
            guard !names.isEmpty else {
                throw UsageError(
                    "'\(path)' has no file whose name ends like one of JSON, such as .json or .ndjson.gz"
                        + (isRecursive ? "" : "; --recursive reads subdirectories as well"))
            }
            return names.map { FileSource($0) }
        }
        guard path.contains(where: { "*?[".contains($0) }) else { return nil }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, 0, nil, &found) == 0 else { throw UsageError("No file matches '\(path)'") }
        return (0..<Int(found.gl_pathc)).compactMap { index in
            found.gl_pathv[index].map {
                FileSource(pathBytes: UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)))
            }
        }
    }

    private static func names(in folder: String, isRecursive: Bool) throws -> [String] {
        var names: [String] = []
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw JSONError(.sourceOpen, "\(Excerpt.escape(folder)): the directory cannot be read")
        }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        // Bytes have the same order everywhere, unlike letters.
        for name in entries.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !name.hasPrefix(".") {
            switch FileKind(prefix + name) {
            // A link to a directory may lead around in a circle.
            case .directory where isRecursive && FileKind(prefix + name, followsLinks: false) == .directory:
                names += try self.names(in: prefix + name, isRecursive: true)
            case .file where ArchiveMembers.isJSON(name) || ArchiveMembers.isArchive(name):
                names.append(prefix + name)
            default: break
            }
        }
        return names
    }
}

/// The files named on the command line, with the exact bytes of their names, which need not be UTF-8.
private struct NamedFiles {
    /// The arguments that `next` has not returned yet.
    private var words: [[UInt8]] = (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { word in
            Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
        }
    }

    /// The file of the next argument whose text is `name`.
    mutating func next(_ name: String) -> FileSource {
        guard let index = words.firstIndex(where: { String(decoding: $0, as: UTF8.self) == name }) else {
            return FileSource(name)
        }
        return FileSource(pathBytes: words.remove(at: index))
    }
}
