/// The members of an object as they are written in the source, for code that reads millions of them.
///
/// Keys and values point into the chunk of the record, and are valid as long as the chunk is retained.
package struct RawMembers {
    /// A member of an object.
    package struct Member {
        /// The bytes of its key, not decoded.
        package let key: UnsafeBufferPointer<UInt8>
        fileprivate let keyWord: Int32
        /// Where its value is, for `raw` and `value`.
        package var place: Int { Int(keyWord) + 1 }
    }

    private let storage: ChunkStorage
    private let record: Int
    private var word: Int

    /// The members of `record`; none if it is not an object.
    package init(_ record: Record) { self.init(record.value) }

    /// The members of a value; none if it is not an object.
    package init(_ value: JSON) {
        storage = value.storage
        record = value.record
        word = value.kind == .object ? value.word + 1 : -1
    }

    /// The next member, in the order of the source; nil at the end.
    @inline(__always)
    package mutating func next() -> Member? {
        guard word >= 0 else { return nil }
        let key = storage.word(word)
        guard key.kind != .end else { return nil }
        let member = Member(key: storage.text(key), keyWord: Int32(truncatingIfNeeded: word))
        word += 1 + storage.word(word + 1).span
        return member
    }

    /// The key of a member.
    package func name(_ member: Member) -> String { storage.string(storage.word(member.place - 1)) }

    /// The value at `place`.
    package func value(_ place: Int) -> JSON { JSON(storage: storage, record: record, word: place) }

    /// Where a value of the record is, for `raw` and `value`.
    package func place(of value: JSON) -> Int { value.word }

    /// The value at `place` as it is written in the source.
    @inline(__always)
    package func raw(_ place: Int) -> RawValue { storage.raw(place) }
}
