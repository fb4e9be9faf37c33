import CTributarySQLite

extension Statement {
    /// Binds all values, in the order of the placeholders.
    ///
    /// - Throws: `SQLiteError` if there are more or fewer placeholders than values.
    public func bind(_ values: [SQLValue]) throws {
        guard values.count == parameterCount else {
            throw SQLiteError(
                .misuse, "\(values.count) values for \(parameterCount) placeholders", sql: sql, database: "statement")
        }
        for (index, value) in values.enumerated() { try bind(value, at: index) }
    }

    /// Binds a copy of a value at `index`, from 0.
    ///
    /// - Throws: `SQLiteError`.
    public func bind(_ value: SQLValue, at index: Int) throws {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try bind(number, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes): try bytes.withUnsafeBytes { try bind(copying: $0, at: index) }
        }
    }

    /// Runs the statement with whole numbers as its values from `index` on, nil as null, and rewinds it.
    @inlinable
    @inline(__always)
    package func run(_ numbers: Int64?..., from index: Int = 0) throws {
        for (place, number) in numbers.enumerated() {
            if let number { try bind(number, at: index + place) } else { try bindNull(at: index + place) }
        }
        _ = try step()
        rewind()
    }

    /// Binds null.
    @inline(__always)
    public func bindNull(at index: Int) throws { try check(sqlite3_bind_null(handle, Int32(index + 1))) }

    /// Binds a whole number.
    @inline(__always)
    public func bind(_ value: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(index + 1), value))
    }

    /// Binds a number with a fraction.
    @inline(__always)
    public func bind(_ value: Double, at index: Int) throws {
        try check(sqlite3_bind_double(handle, Int32(index + 1), value))
    }

    /// Binds text, which is copied.
    public func bind(_ value: String, at index: Int) throws {
        var text = value
        try text.withUTF8 {
            try check(tributary_sqlite_bind_text(handle, Int32(index + 1), $0.baseAddress, $0.count))
        }
    }

    /// Binds bytes, which are copied.
    public func bind(copying bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try check(tributary_sqlite_bind_blob(handle, Int32(index + 1), bytes.baseAddress, bytes.count))
    }

    /// Binds text without a copy; it must stay valid until the statement is reset or bound again.
    @inline(__always)
    public func bind(unmovedText bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try check(tributary_sqlite_bind_text_static(handle, Int32(index + 1), bytes.baseAddress, bytes.count))
    }

    /// Binds bytes without a copy; they must stay valid until the statement is reset or bound again.
    @inline(__always)
    public func bind(unmovedBlob bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try check(tributary_sqlite_bind_blob_static(handle, Int32(index + 1), bytes.baseAddress, bytes.count))
    }

    @inline(__always)
    private func check(_ result: Int32) throws {
        if result != SQLITE_OK { throw failure(result) }
    }
}
