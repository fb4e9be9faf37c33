import TributaryJSON

/// Takes the keys of objects that are used as dictionaries, for one thread.
final class KeyCollector {
    @exclusivity(unchecked) private var different: HashTable
    @exclusivity(unchecked) private var keys: DictionaryKeys

    init(_ keys: DictionaryKeys) {
        self.keys = keys
        different = HashTable(keys.different)
    }

    /// Adds a key by its hash.
    @inline(__always)
    func add(_ hash: UInt64, _ resolution: Resolution, _ name: () -> String) {
        guard !different.ignores(hash), different.add(hash, limit: resolution.values), keys.takesExample(hash)
        else { return }
        keys.merge(DictionaryKeys(examples: [hash: name()]), resolution)
    }

    func cut(_ resolution: Resolution) { different.cut(to: resolution.values) }

    /// What has been taken.
    func keys(_ resolution: Resolution) -> DictionaryKeys {
        var all = DictionaryKeys(different.values(limit: resolution.values))
        all.merge(DictionaryKeys(examples: keys.examples), resolution)
        return all
    }
}
