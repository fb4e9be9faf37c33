import TributaryStore

/// The hashes of one thread that its memory does not hold, in a file without a name.
final class KeyStreamFile {
    private let file: UnlinkedFile
    private var end = 0

    init(in folder: String) throws { file = try UnlinkedFile(in: folder) }

    /// Appends hashes; returns where they begin.
    func append(_ hashes: [UInt64]) throws -> Int {
        let start = end
        try hashes.withUnsafeBytes { try file.write($0, at: start) }
        end += hashes.count * 8
        return start
    }

    /// Some of the hashes that begin at `offset`.
    func read(_ range: Range<Int>, from offset: Int) throws -> [UInt64] {
        var hashes = [UInt64](repeating: 0, count: range.count)
        try hashes.withUnsafeMutableBytes { try file.read(into: $0, at: offset + range.lowerBound * 8) }
        return hashes
    }
}
