import TributaryJSON

/// Takes the texts and numbers at a path, for one thread.
final class ValueCollector {
    // One thread adds values, and no access to a field overlaps another: the check for each value would cost time.

    @exclusivity(unchecked) private(set) var different: HashTable
    @exclusivity(unchecked) private var sample: ValueSample
    @exclusivity(unchecked) private var members: [UInt64: ValueText]?
    // Neither is optional: values inside of an optional would be copied for each change.

    @exclusivity(unchecked) private var numbers: NumberProfile
    @exclusivity(unchecked) private var texts: TextProfile

    /// No values, or those of a profile.
    init(_ profile: ValueProfile = ValueProfile()) {
        different = HashTable(profile.different)
        (sample, members) = (profile.sample, profile.members)
        (numbers, texts) = (profile.numbers ?? NumberProfile(), profile.texts ?? TextProfile())
    }

    @inline(__always)
    func add(number: NumberScan, _ bytes: UnsafeBufferPointer<UInt8>, _ priority: UInt64, _ resolution: Resolution) {
        numbers.add(number, bytes, limit: resolution.ranges)
        add(number.hash, bytes, isText: false, priority, resolution)
    }

    @inline(__always)
    func add(text bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ priority: UInt64, _ resolution: Resolution) {
        texts.add(bytes, limit: resolution.ranges)
        add(hash, bytes, isText: true, priority, resolution)
    }

    @inline(__always)
    private func add(
        _ hash: UInt64, _ bytes: UnsafeBufferPointer<UInt8>, isText: Bool, _ priority: UInt64,
        _ resolution: Resolution
    ) {
        if !different.ignores(hash) {
            let count = different.count
            if different.add(hash, limit: resolution.values) { addNew(hash, bytes, isText, count, resolution) }
        }
        if !sample.ignores(priority) {
            sample.add(
                .init(priority: priority, hash: hash, value: ValueText(bytes, isText: isText)),
                limit: resolution.sampled)
        }
    }

    @inline(never)
    private func addNew(
        _ hash: UInt64, _ bytes: UnsafeBufferPointer<UInt8>, _ isText: Bool, _ before: Int, _ resolution: Resolution
    ) {
        if before < resolution.values { resolution.kept += 1 }
        guard members != nil else { return }
        let value = isText ? ValueText(bytes, isText: true) : ValueText(number: bytes)
        if value.isCut || members?.count == ValueProfile.mostMembers { members = nil } else { members?[hash] = value }
    }

    /// Keeps no more than the resolution says.
    func cut(_ resolution: Resolution) {
        different.cut(to: resolution.values)
        sample.cut(to: resolution.sampled)
        numbers.cut(to: resolution.ranges)
        texts.cut(to: resolution.ranges)
    }

    /// What has been taken.
    func profile(_ resolution: Resolution) -> ValueProfile {
        var profile = ValueProfile()
        profile.different = different.values(limit: resolution.values)
        (profile.sample, profile.members) = (sample, members)
        if numbers.count > 0 { profile.numbers = numbers }
        if texts.count > 0 { profile.texts = texts }
        profile.cut(resolution)
        return profile
    }
}
