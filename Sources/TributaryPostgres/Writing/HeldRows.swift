import TributaryImport
import TributaryStore

/// Rows whose keys may repeat, kept in the database until they can be applied in feed order.
enum HeldRows {
    /// Adds the rows that a group holds back, in its transaction, with the origins of those that may be rejected later.
    static func insert(
        _ group: RowGroup, route: Int, run: Int, _ target: TargetTable, _ finder: RecordFinder,
        on connection: PostgresConnection
    ) throws {
        guard !group.held[route].isEmpty else { return }
        let (buffer, signature) = (CopyBuffer(), target.signature)
        try connection.beginCopy(
            """
            COPY _held (run, route, source, byte, ordinal, hash, incomplete, row, origin) FROM STDIN (FORMAT binary)
            """)
        try CopyBuffer.header.withUnsafeBytes(connection.copy)
        for place in group.held[route] {
            guard let batch = group.batch(place.chunk, route: route) else { continue }
            let (entry, checkpoint) = (batch.entries[Int(place.row)], group.chunks[Int(place.chunk)].checkpoint)
            buffer.beginRow(fields: 9)
            buffer.add(Int64(run))
            buffer.add(Int32(route))
            buffer.add(Int32(truncatingIfNeeded: checkpoint.source))
            buffer.add(Int64(checkpoint.byte))
            buffer.add(place.row)
            buffer.add(Int64(bitPattern: entry.hash))
            buffer.add(entry.isIncomplete ? 1 : 0 as UInt8)
            buffer.add(signature, batch.packed(Int(place.row)))
            var text = finder.origin(entry.ordinal, ofChunk: Int(place.chunk))
            text.withUTF8 { buffer.add(UnsafeRawBufferPointer($0)) }
            if buffer.count > 64 << 10 {
                try connection.copy(buffer.bytes)
                buffer.removeAll()
            }
        }
        try connection.copy(buffer.bytes)
        try CopyBuffer.trailer.withUnsafeBytes(connection.copy)
        _ = try connection.endCopy()
    }

    /// Rows of one route, with the texts of their origins.
    struct Page {
        let batch: RowBatch
        let origins: [String]
        /// The place of the last one.
        fileprivate let last: [PostgresValue]
    }

    /// The bytes of the rows of a page, besides its last row.
    private static let mostBytes = 4 << 20

    /// The next rows of a route, in feed order; nil if there are none.
    static func page(
        run: Int, route: Int, limit: Int, _ target: TargetTable, on connection: PostgresConnection
    ) throws -> Page? {
        let rows = try connection.execute(
            """
            SELECT source, byte, ordinal, incomplete, origin, row, hash FROM (
            SELECT *, sum(octet_length(row) + octet_length(origin)) OVER (ORDER BY source, byte, ordinal
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier FROM (
            SELECT * FROM _held WHERE run = $1::bigint AND route = $2::integer
            ORDER BY source, byte, ordinal LIMIT $3::bigint) h) h
            WHERE coalesce(earlier, 0) < $4::bigint ORDER BY source, byte, ordinal
            """,
            [
                .integer(Int64(run)), .integer(Int64(route)), .integer(Int64(limit)), .integer(Int64(mostBytes)),
            ])
        guard rows.rowCount > 0 else { return nil }
        let (batch, signature) = (RowBatch(width: target.columns.count), target.signature)
        var origins: [String] = []
        for number in 0..<rows.rowCount {
            try (rows.bytes(number, 5) ?? []).withUnsafeBytes { bytes in
                let row = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(8))
                guard bytes.count > 8, UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) == signature,
                    let hasAbsentValues = EncodedRow.hasAbsentValues(row, width: batch.width)
                else {
                    throw PostgresError(
                        .misuse, "the rows that run \(run) holds back are not those of this version or table",
                        hint: "forget the run, then import again")
                }
                batch.add(
                    packed: row, ordinal: number, hash: UInt64(bitPattern: rows.integer(number, 6) ?? 0),
                    isIncomplete: rows.boolean(number, 3) ?? false)
                if hasAbsentValues { batch.markAbsentValues() }
            }
            origins.append(rows.text(number, 4) ?? "")
        }
        let end = rows.rowCount - 1
        return Page(
            batch: batch, origins: origins, last: (0..<3).map { .integer(rows.integer(end, $0) ?? 0) })
    }

    /// Removes the rows of a page.
    static func remove(_ page: Page, run: Int, route: Int, on connection: PostgresConnection) throws {
        try connection.execute(
            """
            DELETE FROM _held WHERE run = $1::bigint AND route = $2::integer
            AND (source, byte, ordinal) <= ($3::integer, $4::bigint, $5::integer)
            """, [.integer(Int64(run)), .integer(Int64(route))] + page.last)
    }
}
