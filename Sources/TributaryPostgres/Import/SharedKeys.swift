import TributaryImport
import TributaryConcurrency
import TributaryStore

/// The keys of a run that several processes share: those that occur more than once are applied at the end, in the order
/// of the dump.
enum SharedKeys {
    /// Adds the hashes of the keys of a range, and marks it as ready to be loaded.
    static func collect(
        _ feed: ChunkFeed, of range: ClaimedRange, run: Int, _ watch: ImportWatch, on connection: PostgresConnection
    ) throws {
        try connection.transaction {
            try connection.execute(
                "DELETE FROM _key WHERE run = $1::bigint AND number = $2::bigint",
                [.integer(Int64(run)), .integer(Int64(range.number))])
            let buffer = CopyBuffer()
            try connection.beginCopy("COPY _key (run, number, route, hash) FROM STDIN (FORMAT binary)")
            do {
                try CopyBuffer.header.withUnsafeBytes(connection.copy)
                while let chunk = try feed.next() {
                    if chunk.endsImport, let cause = chunk.rejects.last?.reject.error {
                        throw ImportError.rejected(cause)
                    }
                    buffer.removeAll()
                    for part in chunk.parts {
                        for entry in part.rows?.entries ?? [] {
                            buffer.beginRow(fields: 4)
                            buffer.add(Int64(run))
                            buffer.add(Int64(range.number))
                            buffer.add(Int32(part.route))
                            buffer.add(Int64(bitPattern: entry.hash))
                        }
                    }
                    try connection.copy(buffer.bytes)
                }
                if watch.isStopped { throw CancellationError() }
                try CopyBuffer.trailer.withUnsafeBytes(connection.copy)
                _ = try connection.endCopy()
            } catch {
                connection.abandonCopy("the range cannot be read")
                throw error
            }
            let updated = try connection.execute(
                """
                UPDATE _range SET step = 'load', lease = NULL, owner = NULL
                WHERE run = $1::bigint AND number = $2::bigint AND epoch = $3::bigint
                """, [.integer(Int64(run)), .integer(Int64(range.number)), .integer(range.epoch)])
            guard updated.affectedRows == 1 else { throw LostRange() }
        }
    }

    /// Keeps the keys that occur more than once, of whatever ranges.
    static func keepRepeated(run: Int, on connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO _key (run, number, route, hash) SELECT run, -1, route, hash FROM _key
            WHERE run = $1::bigint AND number >= 0 GROUP BY run, route, hash HAVING count(*) > 1
            """, [.integer(Int64(run))])
        try connection.execute(
            "DELETE FROM _key WHERE run = $1::bigint AND number >= 0", [.integer(Int64(run))])
    }

    /// For each route a filter of its repeated keys, in a fixed amount of memory: it may take some others for repeated.
    static func filters(_ plan: PostgresPlan, run: Int, on connection: PostgresConnection) throws -> [KeyFilter?] {
        let filters = plan.targets.map { target -> KeyFilter? in
            target.key.isEmpty ? nil : KeyFilter(byteCount: plan.rows.memory.filter / max(1, plan.targets.count))
        }
        try connection.copyOutRows(
            """
            COPY (SELECT route, hash FROM _key WHERE run = \(PostgresSQL(number: run)) AND number = -1)
            TO STDOUT (FORMAT binary)
            """
        ) { fields in
            let route = Int(Int32(bigEndian: fields[0].loadUnaligned(as: Int32.self)))
            let hash = UInt64(bigEndian: fields[1].loadUnaligned(as: UInt64.self))
            if filters.indices.contains(route) { _ = filters[route]?.insert(hash) }
        }
        return filters
    }
}
