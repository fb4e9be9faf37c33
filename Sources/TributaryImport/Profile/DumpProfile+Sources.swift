package import TributaryJSON

extension DumpProfile {
    /// The paths of the records of a source as it was read.
    package var paths: [RecordPath] { (sources.first?.paths ?? []).compactMap { try? RecordPath($0) } }

    /// Throws unless this is the profile of all records of some files, read as `reading` says.
    ///
    /// - Throws: `ImportError` that tells what is different.
    package func check(isOf files: [any ByteSource], _ reading: ReadOptions, _ name: String) throws {
        func refusal(_ reason: String) -> ImportError {
            ImportError(
                .route, "\(Excerpt.escape(name)) is no profile for this import: \(reason)",
                hint: "make it again by 'inspect --json' of these files, or import without it")
        }
        guard isWhole else { throw refusal("it is of a part of the records") }
        guard sources.count == files.count else {
            throw refusal("it is of \(sources.count == 1 ? "1 file" : "\(sources.count) files"), not of \(files.count)")
        }
        for (source, file) in zip(sources, files) where source.mark == nil || source.mark != SourceMark(file) {
            throw refusal("\(Excerpt.escape(file.name)) has changed, or is another file")
        }
        guard manner == Manner(reading) else {
            throw refusal("the records were read with other options, as of their encoding")
        }
        let wanted = reading.paths ?? files.first?.inferredShape(reading)?.paths
        guard wanted == nil || wanted == paths else {
            throw refusal("it is of the records at \(paths.map(\.description).shortList)")
        }
    }
}
