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
        guard damage.count == 0 else { throw refusal("some records could not be read") }
        guard manner == Manner(reading) else {
            throw refusal("the records were read with other options, as of their encoding")
        }
        for (source, file) in zip(sources, files) {
            let name = Excerpt.escape(file.name)
            guard let mark = source.mark else { throw refusal("\(name) is no file that can be recognized") }
            guard mark == SourceMark(file) else { throw refusal("\(name) has changed, or is another file") }
            let wanted = reading.paths ?? file.inferredShape(reading)?.paths
            guard wanted == nil || wanted?.map(\.description) == source.paths else {
                throw refusal("it is of the records at \(source.paths.shortList)")
            }
        }
    }
}
