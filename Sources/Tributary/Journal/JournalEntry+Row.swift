#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TributaryGraph
import TributaryJSON
import TributarySQLite

extension JournalEntry {
    /// The row of the run.
    var row: RunTable.Row {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        do {
            let payload = String(decoding: try encoder.encode(self), as: UTF8.self)
            return RunTable.Row(run: run, identity: identity.hash, state: state.rawValue, payload: payload)
        } catch {
            fatalError("an entry of the journal is plain values, which can be written: \(error)")
        }
    }

    /// Reads a row.
    init(_ row: RunTable.Row, _ connection: Connection) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do {
            self = try decoder.decode(JournalEntry.self, from: Data(row.payload.utf8))
        } catch {
            throw JournalError(
                .unreadable, "\(connection.name): run \(row.run) of the journal cannot be read",
                hint: "open it with the version of the program that wrote it, or delete the row from the table _run")
        }
    }

    /// Whether all sources can be compared without reading them, and are what they were.
    func isOf(_ sources: [any ByteSource]) throws -> Bool {
        guard self.sources.count == sources.count else { return false }
        for (print, source) in zip(self.sources, sources) {
            guard print.size != nil, try print.change(in: source) == .same else { return false }
        }
        return true
    }
}
