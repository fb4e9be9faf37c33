import Foundation
import TributaryImport
import TributaryStore

/// The rejects of a run as its page shows them.
enum RejectValues {
    /// The rejects of a page.
    private static let length = 50
    /// The bytes of a record that are shown on a page with others.
    private static let shownBytes = 2000

    /// The rejects after the ID in `after`, or the one whose ID is in `reject` with all of its bytes.
    static func values(
        of entry: JournalEntry, kept: Int, _ request: PageRequest, _ database: BrowsedDatabase
    ) throws -> PageValues {
        let wanted = request.value("reject").flatMap { Int64($0) }
        let after = request.value("after").flatMap { Int64($0) } ?? 0
        let (rejects, hasMore) = try database.database.reading { connection in
            if let wanted {
                let found = try connection.reject(wanted)
                return (found.map { $0.run == entry.run ? [$0] : [] } ?? [], false)
            }
            let rejects = try connection.rejects(after: after, run: entry.run, limit: length)
            let hasMore =
                try rejects.last.map { try !connection.rejects(after: $0.id, run: entry.run, limit: 1).isEmpty }
                ?? false
            return (rejects, hasMore)
        }
        if wanted != nil, rejects.isEmpty {
            throw PageError(
                404, "This reject is no longer there", "It was imported, forgotten or undone since.",
                advice: "Go to the page of run \(entry.run).")
        }
        var values: PageValues = [
            "rejects": .list(rejects.map { self.values(of: $0, entry, isWhole: wanted != nil) }),
            "isOneReject": .flag(wanted != nil),
            "isLaterReject": .flag(after > 0),
            // Rejects that were imported since, or that were not kept, are in the counts of the run alone.
            "lostRejects": .text(
                entry.summary.rejected > kept ? FigureText.grouped(entry.summary.rejected - kept) : ""),
        ]
        if hasMore, let last = rejects.last {
            values["moreRejects"] = .text(request.address(changing: ["after": "\(last.id)"]) + "#rejects")
        }
        return values
    }

    private static func values(of reject: RejectedRecord, _ entry: JournalEntry, isWhole: Bool) -> PageValues {
        let shown = isWhole ? reject.raw[...] : reject.raw.prefix(shownBytes)
        var note = ""
        if shown.count < reject.raw.count {
            note = "the first \(FigureText.grouped(shown.count)) of \(FigureText.grouped(reject.length)) bytes"
        } else if reject.isTruncated {
            note = """
                only the first \(FigureText.grouped(reject.raw.count)) of \(FigureText.grouped(reject.length)) bytes are \
                kept, so it cannot be retried
                """
        }
        return [
            "id": .text("\(reject.id)"),
            "reason": .text(reject.reason),
            "code": .text(reject.code),
            "entity": .text(reject.entity ?? ""),
            "place": .text(place(reject)),
            "path": .text(reject.path ?? ""),
            "key": .text(reject.key ?? ""),
            "raw": .text(text(shown)),
            "note": .text(note),
            "whole": .text(
                shown.count < reject.raw.count
                    ? PageRequest.address(["runs", "\(entry.run)"], [("reject", "\(reject.id)")]) + "#rejects" : ""),
        ]
    }

    /// Where the error is: the file, the record, and the position of the error.
    private static func place(_ reject: RejectedRecord) -> String {
        var parts = [reject.file].compactMap(\.self)
        for (name, number) in [
            ("record", reject.record), ("line", reject.line), ("column", reject.column), ("byte", reject.byte),
        ] {
            if let number { parts.append("\(name) \(FigureText.grouped(number))") }
        }
        return parts.joined(separator: ", ")
    }

    /// Bytes as text; those that are no UTF-8 in hexadecimal, as ⟨FF⟩.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var (text, rest) = ("", bytes)
        while !rest.isEmpty {
            // A character has at most four bytes.
            let length = (1...min(4, rest.count)).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                let digits = String(rest[rest.startIndex], radix: 16, uppercase: true)
                text += "⟨\(digits.count < 2 ? "0" : "")\(digits)⟩"
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }
}
