import TributaryStore

/// The keys of objects seen in a survey, some of them falsely.
final class SurveyedKeys {
    private static let recentCount = 1 << 15

    private let filter = KeyFilter(byteCount: 16 << 20)
    /// Keys that are in the filter, by some of their bits: most objects repeat a recent one.
    private var recent = [UInt64](repeating: 0, count: recentCount)

    /// Inserts a key by its hash; true if it may have been inserted before.
    func insert(_ hash: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: hash) & (SurveyedKeys.recentCount - 1)
        if recent[place] == hash, hash != 0 { return true }
        recent[place] = hash
        return filter.insert(hash)
    }
}
