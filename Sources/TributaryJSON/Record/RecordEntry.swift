/// The description of a record in addition to its tape, in 32 bytes.
struct RecordEntry {
    /// The first word on the tape.
    var tape: UInt32 = 0
    /// The first byte of the record in the arena.
    var raw: UInt32 = 0
    var rawLength: UInt32 = 0
    /// The number of the record, counted from the start of the chunk.
    var number: UInt32 = 0
    /// The index of the record in its array, if `hasIndex`.
    var index: UInt32 = 0
    /// The index of the path to its container among the contexts of the chunk.
    var context: UInt32 = 0
    var route: UInt16 = 0
    var flags: Flags = []
    /// The number of duplicate keys in the objects of the record.
    var duplicateKeys: UInt32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt16
        /// The record is an element of an array.
        static let hasIndex = Flags(rawValue: 1)
        /// The record is a member of an object, and its key precedes it on the tape.
        static let isKeyed = Flags(rawValue: 2)
        /// The record is keyed but not an object, so it is on the tape as a member after the key.
        static let isWrapped = Flags(rawValue: 4)
    }
}
