/// Hashes of paths.
enum PathHash {
    /// The hash of the path of the records.
    static let records = hash(of: ValueHash.ofNoName, in: 0)

    /// The hash of a path one step further inside than another one, by the hash of its name.
    static func hash(of name: UInt64, in outer: UInt64) -> UInt64 { ValueHash.mix(outer ^ name) }
}
