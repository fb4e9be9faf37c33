package import TributaryStore
package import TributaryJSON
import TributaryPlatform

/// A file of rejects, one JSON object a line: an export of the table `_reject`, or what a reader could not read.
package struct RejectsFile {
    /// Tells whether a line of an existing file may be replaced, although it was edited or is of another source.
    package typealias Known = (RejectedRecord) throws -> Bool

    private let file: ReportFile

    /// The file at `path`, into which the rejects of `sources` will be written; nothing is written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or holds a line that would be lost: an edited
    ///   reject that was not imported since, a reject of other sources that this store does not keep, or something else.
    package init(
        path: String, besides taken: [(name: String, path: String)], of sources: [any ByteSource] = [],
        in store: some ImportStore
    ) throws {
        try self.init(path: path, besides: taken, of: sources) { line in
            if let known = try store.reject(line.id) { return known.isSame(as: line) && known.raw == line.raw }
            // A reject of a run of this store without a row was imported since, unless a later run has replaced it.
            guard let entry = try store.run(line.run), try store.isLatest(entry) else { return false }
            let name = line.file.map(FilePath.name)
            return entry.sourceNames.contains { FilePath.name(of: $0) == name }
        }
    }

    /// The same with `isKnown` in place of a store.
    package init(
        path: String, besides taken: [(name: String, path: String)], of sources: [any ByteSource], isKnown: Known
    ) throws {
        // A dry run, and a copy that was not published, leave lines of these sources, which the store never had.
        let names = Set(sources.map { FilePath.name(of: $0.name) })
        try self.init(path: path, besides: taken) { line, isUnedited in
            guard line.id > 0 else { return false }
            return try isUnedited && line.file.map { names.contains(FilePath.name(of: $0)) } ?? false || isKnown(line)
        }
    }

    /// The file of the rejects of a reader, which no store keeps.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or holds edited rejects of an import, or
    ///   something else.
    package init(path: String, besides taken: [(name: String, path: String)]) throws {
        try self.init(path: path, besides: taken, isRegular: false) { line, isUnedited in
            line.id > 0 ? isUnedited : line.file != nil && !line.code.isEmpty
        }
    }

    private init(
        path: String, besides taken: [(name: String, path: String)], isRegular: Bool = true,
        isReplaceable: (_ line: RejectedRecord, _ isUnedited: Bool) throws -> Bool
    ) throws {
        file = try ReportFile(path, of: "rejects", .rejectsFile, besides: taken)
        guard file.exists else { return }
        guard file.isRegular else {
            guard isRegular else { return }
            throw file.failure("it is not a regular file", hint: "choose another file for rejects")
        }
        var reader = RejectsReader(FileSource(path))
        while let entry = try reader.next() {
            if case .reject(let line, let isUnedited) = entry, try isReplaceable(line, isUnedited) { continue }
            throw file.failure(
                "it holds edited rejects, or lines that are not rejects of this store",
                hint: "retry edited rejects or move the file away, or choose another file for rejects")
        }
    }

    /// Writes the rejects of a run, or of all runs; without rejects no file is created.
    ///
    /// - Throws: `ImportError` if the file cannot be written; the rejects stay in the store.
    package func export(run: Int?, from store: some ImportStore) throws {
        var status = stat()
        if try store.rejectCount(run: run) == 0, stat(file.path, &status) != 0 { return }
        try file.replace(orElse: "the rejects are kept in the store") { file in
            try store.forEachRejectLines(run: run) { try file.write($0) }
        }
    }
}
