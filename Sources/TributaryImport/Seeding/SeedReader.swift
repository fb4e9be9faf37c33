import TributaryJSON

/// Reads seed files, which include each other, and knows which files led to the current one.
///
/// A file is an object with one member: `seedlings`, or an entity with one object or an array of them. Records are read
/// in chunks, so that a file may be of any size.
final class SeedReader {
    /// A file that includes others more deeply than this is taken for one without an end.
    private static let maxNesting = 64
    private static let maxRemoteFiles = 1000

    /// The files that were read, in the order in which they were read first, with their fingerprints.
    private(set) var files: [(source: any ByteSource, fingerprint: SourceFingerprint)] = []
    /// The number of bytes read, after decompression.
    private(set) var bytes = 0
    private let loader: (any SeedLoader)?
    private var chain: [SeedPlace] = []
    private var remoteFiles = 0

    init(_ loader: (any SeedLoader)?) { self.loader = loader }

    /// Reads a file; calls `body` with its member's name and with each object, or each seedling.
    func read(_ place: SeedPlace, _ body: (String, JSON) throws -> Void) throws {
        if let first = chain.firstIndex(where: { $0.isSame(as: place) }) {
            let names = chain[first...].map(\.name) + [place.name]
            throw failure(
                .cycle, "it includes itself: \(names.map(Excerpt.escape).joined(separator: " → "))", nil,
                hint: "remove one of these seedlings")
        }
        guard chain.count < SeedReader.maxNesting else {
            throw failure(
                .cycle, "\(SeedReader.maxNesting) files include each other", nil, hint: "include files less deeply")
        }
        let source = try source(of: place)
        chain.append(place)
        defer { chain.removeLast() }
        do {
            try read(source, body)
        } catch let error as JSONError {
            throw failure(error)
        }
    }

    /// The place that a seedling of the current file names.
    func place(of seedling: JSON) throws -> SeedPlace {
        guard let current = chain.last else { preconditionFailure("internal error: no seed file is being read") }
        do {
            return try current.place(of: seedling)
        } catch let error as SeedError {
            throw failure(error.code, error.reason, seedling, hint: error.hint)
        } catch let error as JSONError {
            throw failure(error)
        }
    }

    private func read(_ source: any ByteSource, _ body: (String, JSON) throws -> Void) throws {
        let form = "a seed is {\"seedlings\": […]}, {\"ENTITY\": {…}} or {\"ENTITY\": [{…}, …]}"
        var options = ReadOptions()
        options.format = .json
        options.digests = true
        (options.chunkRecords, options.queueBytes) = (1000, 2 << 20)
        var fingerprint = try SourceFingerprint(of: source)
        guard let name = try source.firstMemberName(options) else {
            throw failure(.form, "it does not begin with an object that has a member", nil, hint: form)
        }
        // A JSON Pointer: the elements of an array, or the value itself.
        let pointer = name.replacing("~", with: "~0").replacing("/", with: "~1")
        options.paths = [try RecordPath("/" + pointer)]
        let reader = RecordReader(from: [source], options: options)
        while let chunk = try reader.next() {
            for record in chunk { try body(name, record.value) }
        }
        let report = reader.report
        guard report.outside.isEmpty else {
            throw failure(.form, "it has other members besides \(Excerpt.escape(name))", nil, hint: form)
        }
        bytes += report.bytes
        (fingerprint.passed, fingerprint.isWhole) = (reader.digest(ofSource: 0), true)
        if !files.contains(where: { $0.source.identityName == source.identityName }) {
            files.append((source, fingerprint))
        }
    }

    /// The bytes of a file, which are loaded if it is remote.
    func source(of place: SeedPlace) throws -> any ByteSource {
        switch place {
        case .file(let path):
            let source = FileSource(path)
            guard source.isFile else {
                throw failure(
                    .unreadable, "there is no file \(Excerpt.escape(path))", nil,
                    hint: chain.isEmpty ? "check its path" : "a seedFile is relative to the file that names it")
            }
            return source
        case .remote(let url):
            let name = Excerpt.escape(place.name)
            guard let loader else {
                throw failure(
                    .networkNotAllowed, "\(name) is on the network", nil, hint: "pass a SeedLoader")
            }
            remoteFiles += 1
            guard remoteFiles <= SeedReader.maxRemoteFiles else {
                throw failure(
                    .network, "it needs more than \(SeedReader.maxRemoteFiles) remote files", nil,
                    hint: "combine them into fewer files")
            }
            do {
                return MemorySource(try loader.load(url), name: place.name)
            } catch {
                throw failure(
                    .network, "\(name) cannot be loaded: \(error)", nil, hint: "check the address, or try again later")
            }
        }
    }

    // MARK: Errors

    /// An error about a value of the current file, or about the file.
    func failure(_ code: SeedError.Code, _ reason: String, _ json: JSON?, hint: String?) -> SeedError {
        let position = json?.failure(.convertType, "").position
        return SeedError(code, reason, in: chain.map(\.name), at: position, hint: hint)
    }

    /// An error of reading the current file, or of converting one of its values.
    func failure(_ error: JSONError, _ code: SeedError.Code? = nil, property: String? = nil) -> SeedError {
        let isUnreadable = error.code == .sourceOpen || error.code == .sourceRead
        let path = error.path.map { ", at \($0)" } ?? ""
        return SeedError(
            code ?? (isUnreadable ? .unreadable : .form), (property.map { "\($0): " } ?? "") + error.reason + path,
            in: chain.map(\.name), at: error.position, hint: error.hint ?? "correct the file, and plant it again")
    }
}
