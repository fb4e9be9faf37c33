/// The places of records in sources: arrays of objects, and objects of objects, that are not inside a record.
package enum RecordPlaces {
    /// Reads the sources once; returns the paths in the order in which they are found, of which there is at least one.
    package static func find(
        in sources: [any ByteSource], _ options: ReadOptions, onReader: (RecordReader) -> Void = { _ in }
    ) throws -> [RecordPath] {
        var options = options
        if options.onError == .quarantine { options.onError = .skip }
        options.digests = false
        options.findsAllPlaces = true
        let reader = RecordReader(from: sources, options: options)
        onReader(reader)
        while try reader.next() != nil {}
        guard let further = reader.places.paths else {
            throw JSONError(
                .shapePath, "\(sources.map(\.name).shortList) has too many places of records",
                hint: "name the places with --at, a few in each run")
        }
        var seen: Set = [RecordPath.unmatchable]
        let places = (reader.report.sources.flatMap(\.shape.paths) + further).filter { seen.insert($0).inserted }
        guard !places.isEmpty else {
            throw JSONError(
                .shapeMissing, "\(sources.map(\.name).shortList) has no array of objects",
                hint: "import the whole text as one record with the path .")
        }
        return places
    }
}
