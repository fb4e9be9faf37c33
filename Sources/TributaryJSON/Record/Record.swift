import TributaryConcurrency
import Synchronization

/// A record: a view into the bytes of its chunk.
///
/// Values are converted on access, to the type of the left side:
///
///     author.name = record["name"]                      // String?
///     author.born = try record.date("born", format: .iso8601)
///     let city: String? = record["address"]["city"]
///
/// A value of another type does not silently become nil: the record remembers it as its `failure`, and an import
/// rejects the record.
public struct Record: Sendable {
    // Inlined access to members borrows the storage instead of counting a reference for each.
    @usableFromInline let storage: ChunkStorage
    @usableFromInline let index: Int

    /// The whole record as a value.
    public var value: JSON { JSON(storage: storage, record: index, word: Int(entry.tape)) }

    private var entry: RecordEntry { storage.entry(index) }

    // MARK: Position

    /// The offset of the first byte in the source, after decompression.
    public var offset: Int { storage.base + Int(entry.raw) }
    /// The length in bytes.
    public var length: Int { Int(entry.rawLength) }
    /// The number in the source, from 1.
    ///
    /// Rejected records have numbers too.
    public var number: Int { origin?.number ?? storage.firstNumber + Int(entry.number) + 1 }
    /// The line of the first byte, from 1.
    public var line: Int { position.line }
    /// The position of the first byte.
    public var position: SourcePosition { origin?.position ?? storage.position(Int(entry.raw)) }
    /// The index of the reader's path that matched the record, from 0.
    public var route: Int { origin?.route ?? Int(entry.route) }
    /// The name of its source.
    package var sourceName: String { origin?.position.file ?? storage.sourceName }
    /// The path from the top of the text to the record.
    public var path: [PathStep] { origin?.path ?? pathInText }

    /// The path in the text from which the record was read, which may be a copy.
    package var pathInText: [PathStep] { storage.path(to: entry) }

    private var origin: RecordOrigin? { storage.origins.isEmpty ? nil : storage.origins[index] }

    /// Where the record was read first, if its chunk is a copy; set before another thread or a setter has the record.
    package func setOrigin(_ origin: RecordOrigin) { storage.origins[index] = origin }

    private func contains(_ position: SourcePosition) -> Bool {
        position.file == storage.sourceName && offset...offset + length ~= position.byte
    }

    /// The key of a record that is a member of an object of records.
    public var key: String? {
        entry.flags.contains(.isKeyed) ? storage.string(storage.word(Int(entry.tape) + 2)) : nil
    }

    /// The number of duplicate keys in the record's objects; the last one counts.
    public var duplicateKeys: Int { Int(entry.duplicateKeys) }

    /// Calls `body` with the bytes of the record in the source, without the key of a member.
    public func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = Int(entry.raw)
        return try body(UnsafeRawBufferPointer(rebasing: storage.bytes[start..<start + Int(entry.rawLength)]))
    }

    // MARK: Values

    /// The member `key`; missing if the record has none.
    @inlinable
    public subscript(key: String) -> JSON { JSON(storage: storage, record: index, word: place(of: key)) }

    @usableFromInline
    func place(of key: String) -> Int { value.place(of: key) }

    /// The member `key` as the type of the left side; nil if it is missing or null.
    ///
    /// Any other mismatch is remembered in `failure`.
    @inlinable
    public subscript<Value: JSONConvertible>(key: String) -> Value? { (self[key] as JSON).read() }

    /// The member `key` as the type of the left side.
    ///
    /// If it is missing, null or of another type, the result is a placeholder, and the failure is remembered.
    public subscript<Value: JSONDefaultConvertible>(key: String) -> Value { value[key] }

    /// The member `key` as `type`, or an error if it is missing, null or of another type.
    public func require<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        try value.require(key, as: type)
    }

    // MARK: Failure

    /// The first failed conversion of this record, if there is one.
    public var failure: JSONError? {
        guard storage.hasFailures.load(ordering: .acquiring) else { return nil }
        return storage.failures.withLock { $0[index] }
    }

    /// - Throws: The first failed conversion of this record, if there is one.
    package func checkFailure() throws {
        guard storage.hasFailures.load(ordering: .acquiring), let failure else { return }
        throw failure
    }

    /// Marks the record as failed; the first failure is kept.
    public func fail(_ error: JSONError) {
        storage.failures.withLock { failures in
            if failures[index] == nil { failures[index] = error }
        }
        storage.hasFailures.store(true, ordering: .releasing)
    }

    /// Forgets a failure, before the record is read again.
    public func clearFailure() {
        guard storage.hasFailures.load(ordering: .acquiring) else { return }
        storage.failures.withLock { _ = $0.removeValue(forKey: index) }
    }

    /// The record as a reject, because of `error`.
    public func reject(_ error: JSONError, keepingBytes limit: Int = ReadLimits().rejectedBytes) -> Reject {
        var error = error
        error.record = number
        // A setter may pass on the error of another text, whose position means nothing here.
        if !(error.position.map(contains) ?? false) { error.position = position }
        if error.path == nil { error.path = path.jsonPath }
        var reject = withRawBytes {
            Reject(error: error, offset: offset, length: length, raw: Array($0.prefix(limit)))
        }
        reject.key = key
        return reject
    }
}

extension JSON {
    /// The record that contains the value.
    package var owner: Record { Record(storage: storage, index: record) }
}
