/// The keys of objects that are used as dictionaries.
public struct DictionaryKeys: Sendable, Hashable {
    /// The different keys.
    public private(set) var different = LowestHashes()
    /// The keys with the lowest hashes, as examples.
    private(set) var examples: [UInt64: String] = [:]
    private static let mostExamples = 3

    /// Some keys.
    public var samples: [String] { examples.sorted { $0.key < $1.key }.map(\.value) }

    /// Adds a key.
    mutating func add(_ name: String, times: Int, _ resolution: Resolution) {
        let hash = ValueHash.text(Array(name.utf8))
        var one = LowestHashes()
        (one.hashes, one.counts) = ([hash], [times])
        different.merge(one, limit: resolution.values)
        addExample(hash) { name }
    }

    private mutating func addExample(_ hash: UInt64, _ name: () -> String) {
        guard examples.count < DictionaryKeys.mostExamples || examples.keys.contains(where: { $0 > hash }),
            examples[hash] == nil
        else { return }
        examples[hash] = Array(name().utf8).withUnsafeBufferPointer { ValueText($0, isText: true).text }
        if examples.count > DictionaryKeys.mostExamples, let last = examples.keys.max() { examples[last] = nil }
    }

    /// Adds those of other objects.
    mutating func merge(_ other: DictionaryKeys, _ resolution: Resolution) {
        different.merge(other.different, limit: resolution.values)
        for (hash, name) in other.examples { addExample(hash) { name } }
    }

    mutating func cut(_ resolution: Resolution) { different.cut(to: resolution.values) }

    /// Keys with these values.
    init(_ different: LowestHashes = LowestHashes(), examples: [UInt64: String] = [:]) {
        (self.different, self.examples) = (different, examples)
    }

    /// Whether a key of this hash would be an example.
    func takesExample(_ hash: UInt64) -> Bool {
        examples[hash] == nil
            && (examples.count < DictionaryKeys.mostExamples || examples.keys.contains { $0 > hash })
    }
}
