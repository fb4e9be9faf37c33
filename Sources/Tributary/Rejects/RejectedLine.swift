#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package import TributaryJSON

/// A line of a file of rejects, read back.
package struct RejectedLine: Sendable {
    /// The line as it stands in the file, without its line feed.
    package let text: [UInt8]
    /// The number of the line, from 1.
    package let number: Int
    /// What the record was to become; nil for a line of a command that does not import.
    package let origin: RejectOrigin?
    /// Where the error was.
    package let position: SourcePosition?
    /// The number of the record in its source, from 1.
    package let record: Int?
    /// The JSON path of the value.
    package let path: String?
    /// A stable name of what was wrong.
    package let code: String?
    /// What was wrong, as a sentence.
    package let reason: String?
    /// The bytes of the record, mended or not; nil if the line has none.
    package let raw: [UInt8]?
    /// Whether only the first bytes of the record are there.
    package let isTruncated: Bool

    /// Whether there is a whole record that can be tried again.
    package var canBeRetried: Bool { raw.map { !$0.allSatisfy(\.isBlank) } == true && !isTruncated }

    /// Reads a line.
    init(_ line: Record) {
        text = line.withRawBytes { Array($0) }
        number = line.line
        func integer(_ key: String) -> Int? { try? (line[key] as JSON).require(Int.self) }
        func string(_ key: String) -> String? { try? (line[key] as JSON).require(String.self) }
        code = string("code")
        origin = integer("run").map { run in
            let key = string("key").flatMap { text in string("keyAs").map { RejectOrigin.Key(text, as: $0) } }
            return RejectOrigin(run: run, entity: string("entity"), path: string("at"), key: key, code: string("code"))
        }
        position = string("file").map {
            SourcePosition(
                file: $0, byte: integer("byte") ?? 0, line: integer("line") ?? 0, column: integer("column") ?? 0)
        }
        record = integer("record")
        path = string("path")
        reason = string("reason")
        raw =
            string("raw").map { Array($0.utf8) }
            ?? string("rawBase64").flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        isTruncated = (try? (line["truncated"] as JSON).require(Bool.self)) ?? false
    }
}

extension UInt8 {
    /// Whether JSON allows the byte between values.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
