/// The description of a record in addition to its tape, in 32 bytes.
struct RecordEntry {
    /// The first word on the tape.
    var tape: UInt32 = 0
    /// The first byte of the record in the arena.
    var raw: UInt32 = 0
    var rawLength: UInt32 = 0
    /// The number of the record, counted from the start of the chunk.
    var number: UInt32 = 0
    /// The lower bits of `index`.
    private var indexBits: UInt32 = 0
    /// The index of the path to its container among the contexts of the chunk.
    var context: UInt32 = 0
    var route: UInt16 = 0
    var flags: Flags = []
    /// The upper bits of `index`.
    private var upperIndexBits: UInt8 = 0
    var duplicateKeys: UInt32 = 0

    /// The index of the record in its array, if `hasIndex`; below 2⁴⁰.
    var index: Int {
        get { Int(upperIndexBits) << 32 | Int(indexBits) }
        set {
            indexBits = UInt32(truncatingIfNeeded: newValue)
            upperIndexBits = UInt8(truncatingIfNeeded: newValue >> 32)
        }
    }

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The record is an element of an array.
        static let hasIndex = Flags(rawValue: 1)
        /// The record is a member of an object, and its key precedes it on the tape.
        static let isKeyed = Flags(rawValue: 2)
        /// The record is keyed but not an object, so it is on the tape as a member after the key.
        static let isWrapped = Flags(rawValue: 4)
    }
}
