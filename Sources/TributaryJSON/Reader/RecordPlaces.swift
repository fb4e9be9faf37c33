/// The places of records in sources: arrays of objects, and objects of objects, that are not inside a record.
package enum RecordPlaces {
    /// A path that no text has.
    static let nowhere = nowhere(below: [])

    private static func nowhere(below components: [RecordPath.Component]) -> RecordPath {
        RecordPath(components: components + [.key("\0 nowhere")], spreadsArrays: false)
    }

    /// The number of levels of objects without arrays of objects that are looked into.
    private static let levels = 6

    /// Reads the sources to find the places; once more for each level of objects around them.
    ///
    /// - Returns: The paths, in the order in which they are found.
    /// - Throws: `JSONError` if a source cannot be read, or has no records.
    package static func find(
        in sources: [any ByteSource], _ options: ReadOptions, onReader: (RecordReader) -> Void = { _ in }
    ) throws -> [RecordPath] {
        var options = options
        if options.onError == .quarantine { options.onError = .skip }
        options.digests = false
        options.findsAllPlaces = true
        var places: [RecordPath] = []
        var opened: [RecordPath] = []
        for level in 0... {
            if level > 0 { options.paths = places + opened }
            let reader = RecordReader(from: sources, options: options)
            onReader(reader)
            while try reader.next() != nil {}
            let report = reader.report
            if level == 0 { places = report.sources.flatMap(\.shape.paths).filter { $0 != nowhere } }
            guard !report.outside.othersHoldRecords else {
                throw JSONError(
                    .shapePath, "\(sources.map(\.name).shortList) has arrays of objects in more than 100 places",
                    hint: "name the places with --at, a few in each run")
            }
            let outside = report.outside.values
            places += outside.filter(\.holdsRecords).compactMap { try? RecordPath($0.recordPath) }
            places = distinct(places)
            let objects = outside.filter {
                $0.kind == .object && !$0.holdsRecords && $0.contents > 0 && (level < levels || $0.innerObjects > 0)
            }
            let further = objects.compactMap { values in
                (try? RecordPath(values.path)).map { nowhere(below: $0.components) }
            }
            opened = distinct(opened.isEmpty ? [nowhere] + further : opened + further)
            if further.isEmpty { break }
        }
        guard !places.isEmpty else {
            throw JSONError(
                .shapeMissing, "\(sources.map(\.name).shortList) has no array of objects",
                hint: "import the whole text as one record with the path .")
        }
        return places
    }

    private static func distinct(_ paths: [RecordPath]) -> [RecordPath] {
        paths.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
