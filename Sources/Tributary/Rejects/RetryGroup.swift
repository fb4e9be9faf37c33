package import TributaryJSON

/// Lines of a file of rejects that are imported together: those of one run, one entity and one layout.
package struct RetryGroup: Sendable, Hashable {
    /// How a rejected record stood among the others.
    package enum Layout: Sendable, Hashable {
        /// As an element, a line or a value.
        case element
        /// As a member of an object of records, which gave it its key; under this name, if that is known.
        case member(keyName: String?)
    }

    /// The run that has rejected it; nil if that was no import.
    package var run: Int?
    /// The entity.
    package var entity: String?
    /// How it stood.
    package var layout: Layout

    /// Where the records are in a line that `RetrySource` makes.
    package var path: RecordPath { layout == .element ? .elements : .members }

    /// The group of a line.
    package init(_ line: RejectedLine) {
        run = line.origin?.run
        entity = line.origin?.entity
        if let key = line.origin?.key {
            layout = .member(keyName: key.name)
        } else {
            layout = RetryGroup.isMember(line.raw ?? []) ? .member(keyName: nil) : .element
        }
    }

    /// The groups of a file, in the order in which they appear, and how many of its lines can be tried and how many
    /// cannot.
    ///
    /// - Throws: `JSONError` if the file cannot be read.
    package static func all(in path: String) throws -> (groups: [RetryGroup], lines: Int, others: Int) {
        var groups: [RetryGroup] = []
        var (lines, others) = (0, 0)
        var reader = RejectsReader(path: path)
        while let entry = try reader.next() {
            guard case .line(let line) = entry, line.canBeRetried else {
                others += 1
                continue
            }
            lines += 1
            let group = RetryGroup(line)
            if !groups.contains(group) { groups.append(group) }
        }
        return (groups, lines, others)
    }

    /// Whether the bytes begin with a key: what was cut out of an object of records has its key with it.
    static func isMember(_ raw: [UInt8]) -> Bool {
        var rest = raw.drop { $0 <= 0x20 }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return rest.first { $0 > 0x20 } == UInt8(ascii: ":")
    }

    /// The line that a reader finds the record in: all on one line, and in the number of the line that it came from.
    func line(of line: RejectedLine) -> [UInt8] {
        // A line feed between values is as good as a carriage return, and one in a string stays an error.
        let raw = (line.raw ?? []).map { $0 == 0x0A ? 0x0D : $0 }
        guard layout != .element else { return Array("[".utf8) + raw + Array("]".utf8) }
        let key = line.origin?.key.map { JSONLineWriter.quoted($0.text) + Array(":".utf8) } ?? []
        return Array("{".utf8) + key + raw + Array("}".utf8)
    }
}
