/// What a chunk knows of a record beside its tape: 32 bytes.
struct RecordEntry {
    /// The first word on the tape.
    var tape: UInt32 = 0
    /// The first byte of the record in the arena.
    var raw: UInt32 = 0
    var rawLength: UInt32 = 0
    /// The number of the record minus that of the chunk.
    var number: UInt32 = 0
    /// The index of the record in its array, if `hasIndex`.
    var index: UInt32 = 0
    /// Which of the chunk's contexts leads to the container of the record.
    var context: UInt32 = 0
    var route: UInt16 = 0
    var flags: Flags = []
    /// How often a key stands more than once in one object of the record.
    var duplicateKeys: UInt32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt16
        /// The record is an element of an array.
        static let hasIndex = Flags(rawValue: 1)
        /// The record is a member of an object and its key is on the tape, in front.
        static let isKeyed = Flags(rawValue: 2)
        /// The record is keyed and no object: it stands under a name of its own behind the key.
        static let isWrapped = Flags(rawValue: 4)
    }
}
