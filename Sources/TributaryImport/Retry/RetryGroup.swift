import TributaryStore
import TributaryJSON

/// Rejects that are imported together: those of one run, one entity and one layout.
package struct RetryGroup: Sendable, Hashable {
    /// The layout of the source of a rejected record.
    enum Layout: Sendable, Hashable {
        /// The record was an element, a line or a value.
        case element
        /// The record was a member of an object of records, and had its key as the member `keyName`, if that is known.
        case member(keyName: String?)
    }

    /// The run that rejected the records; 0 if it was not an import.
    let run: Int
    let entity: String?
    let layout: Layout
    /// The source of the records, if its name is stored with them.
    let file: String?
    /// Whether the rejects have rows in the store.
    let isStored: Bool

    /// The path of the records in the lines of this group.
    var path: RecordPath { layout == .element ? .root : .members }

    /// The group of a reject; with `byFile`, rejects of other sources are in other groups.
    init(_ reject: RejectedRecord, byFile: Bool) {
        file = byFile ? reject.file : nil
        (run, entity, isStored) = (reject.run, reject.entity, reject.id > 0)
        if reject.key != nil {
            layout = .member(keyName: reject.keyName)
        } else {
            layout = RetryGroup.isMember(reject.raw) ? .member(keyName: nil) : .element
        }
    }

    /// Whether the bytes begin with a key, as those of a member of an object of records do.
    private static func isMember(_ raw: [UInt8]) -> Bool {
        var rest = raw.drop { $0 <= 0x20 }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return rest.first { $0 > 0x20 } == UInt8(ascii: ":")
    }

    /// The line that a reader parses as this record alone.
    func line(of reject: RejectedRecord) -> [UInt8] {
        // A carriage return keeps the line whole: between values it means the same, and in a string both are errors.
        let raw = reject.raw.map { $0 == 0x0A ? 0x0D : $0 }
        guard layout != .element else { return raw + [0x0A] }
        let key = reject.key.map { JSONLineWriter.quoted($0) + Array(":".utf8) } ?? []
        // A line has one record: an object that would get a second member is left open, which is a syntax error.
        let end = RetryGroup.hasOpenComma(raw) ? "" : "}"
        return Array("{".utf8) + key + raw + Array("\(end)\n".utf8)
    }

    /// Whether there is a comma outside of all brackets and quotes.
    private static func hasOpenComma(_ raw: [UInt8]) -> Bool {
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for byte in raw {
            if isQuoted {
                isQuoted = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth <= 0: return true
            default: break
            }
        }
        return false
    }
}
