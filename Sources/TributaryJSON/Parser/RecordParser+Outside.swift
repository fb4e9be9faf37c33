/// Counting the values that are not among the records.
extension RecordParser {
    /// Adds a value in the innermost of the containers `frames`, with `after` records of the arena before it.
    ///
    /// The callbacks call it while they change the core, so it does not access the core.
    func addOutside(
        _ kind: OutsideValues.Kind, _ frames: UnsafeBufferPointer<ParserCore.Frame>,
        keyBytes: UnsafeMutablePointer<UInt8>, contents: Int, objects: Int, after: Int
    ) {
        // UTF-8 has neither of these bytes.
        var names: [UInt8] = []
        for frame in frames {
            if frame.isObject {
                names.append(contentsOf: UnsafeBufferPointer(start: keyBytes + frame.keyStart, count: frame.keyCount))
            }
            names.append(frame.isObject ? 0xFF : 0xFE)
        }
        let path = outsidePaths[names] ?? path(frames, keyBytes: keyBytes)
        if outsidePaths.count < OutsideReport.maximumCount { outsidePaths[names] = path }
        if newOutside.last?.after != after { newOutside.append((after, OutsideReport())) }
        newOutside[newOutside.count - 1].report.add(path, kind, contents: contents, objects: objects)
    }

    private func path(
        _ frames: UnsafeBufferPointer<ParserCore.Frame>, keyBytes: UnsafeMutablePointer<UInt8>
    ) -> String {
        let components = frames.map { frame -> RecordPath.Component in
            guard frame.isObject else { return .elements }
            let key = UnsafeBufferPointer(start: keyBytes + frame.keyStart, count: frame.keyCount)
            return .key(String(decoding: key, as: UTF8.self))
        }
        return RecordPath(components: components, spreadsArrays: false).description
    }

    /// Counts the values before the record at `end` of the arena, after which reading may resume.
    func countOutside(before end: Int) {
        let known = newOutside.prefix { $0.after < end }
        for (_, report) in known { outside.add(report) }
        newOutside.removeFirst(known.count)
    }

    /// The values outside of the records so far.
    var allOutside: OutsideReport {
        newOutside.reduce(into: outside) { $0.add($1.report) }
    }
}
