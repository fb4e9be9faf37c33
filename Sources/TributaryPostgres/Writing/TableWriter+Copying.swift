import TributaryStore

/// Passing encoded rows to the server.
extension TableWriter {
    /// Bytes are sent when there are so many.
    private static let flushBytes = 64 << 10
    /// How many rows ahead the memory of a row is asked for: in the order of keys it is anywhere.
    private static let distance = 6

    /// Copies rows; returns how many the server has added.
    func copy(
        _ part: ArraySlice<RowGroup.Place>, of group: RowGroup, _ statement: PostgresSQL, _ shape: StagingTable.Shape,
        on connection: PostgresConnection
    ) throws -> Int {
        guard !part.isEmpty else { return 0 }
        try connection.beginCopy(statement)
        buffer.removeAll()
        buffer.append(CopyBuffer.header)
        let batches = group.batches[route]
        if shape.isNumbered || shape.isMasked {
            try copy(part, of: batches, shape, on: connection)
        } else {
            try copyWhole(part, of: batches, on: connection)
        }
        buffer.append(CopyBuffer.trailer)
        try connection.copy(buffer.bytes)
        return try connection.endCopy()
    }

    /// Copies rows as they are; those that follow one another in memory are sent at once.
    private func copyWhole(
        _ part: ArraySlice<RowGroup.Place>, of batches: [RowBatch?], on connection: PostgresConnection
    ) throws {
        var rows = UnsafeRawBufferPointer(start: nil, count: 0)
        for index in part.indices {
            prefetch(index, part, batches)
            guard let batch = batches[Int(part[index].chunk)] else { continue }
            let row = EncodedRow(Int(part[index].row), of: batch).copied
            if let start = rows.baseAddress, start + rows.count == row.baseAddress {
                rows = UnsafeRawBufferPointer(start: start, count: rows.count + row.count)
            } else {
                try send(rows, on: connection)
                rows = row
            }
        }
        try send(rows, on: connection)
    }

    /// Copies rows with their numbers, and with arrays that say which columns have no value.
    private func copy(
        _ part: ArraySlice<RowGroup.Place>, of batches: [RowBatch?], _ shape: StagingTable.Shape,
        on connection: PostgresConnection
    ) throws {
        let fields = target.columns.count + (shape.isNumbered ? 1 : 0) + (shape.isMasked ? 1 : 0)
        for index in part.indices {
            prefetch(index, part, batches)
            guard let batch = batches[Int(part[index].chunk)] else { continue }
            let row = EncodedRow(Int(part[index].row), of: batch)
            buffer.beginRow(fields: fields)
            buffer.append(row.values)
            if shape.isNumbered { buffer.add(Int32(truncatingIfNeeded: index)) }
            if shape.isMasked {
                if row.isWhole {
                    buffer.addNull()
                } else {
                    buffer.add(mask: target.columns.indices.map(row.lacksValue))
                }
            }
            try sendIfFull(on: connection)
        }
    }

    /// Sends many rows at once, after the buffer, and adds few to it.
    private func send(_ rows: UnsafeRawBufferPointer, on connection: PostgresConnection) throws {
        guard rows.count >= TableWriter.flushBytes else {
            buffer.append(rows)
            return try sendIfFull(on: connection)
        }
        try connection.copy(buffer.bytes)
        buffer.removeAll()
        try connection.copy(rows)
    }

    private func sendIfFull(on connection: PostgresConnection) throws {
        guard buffer.count >= TableWriter.flushBytes else { return }
        try connection.copy(buffer.bytes)
        buffer.removeAll()
    }

    /// Loads a later row into the cache of the processor, and the place of one after it.
    @inline(__always)
    private func prefetch(_ index: Int, _ part: ArraySlice<RowGroup.Place>, _ batches: [RowBatch?]) {
        let (row, entry) = (index + TableWriter.distance, index + 2 * TableWriter.distance)
        if entry < part.endIndex { batches[Int(part[entry].chunk)]?.prefetchEntry(Int(part[entry].row)) }
        if row < part.endIndex { batches[Int(part[row].chunk)]?.prefetch(Int(part[row].row)) }
    }
}
