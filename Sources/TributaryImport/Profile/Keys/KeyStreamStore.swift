import TributaryStore

/// The memory of the hashes that one thread keeps, and the file for those beyond it.
final class KeyStreamStore {
    private let folder: String
    private let byteLimit: Int
    @exclusivity(unchecked) private(set) var file: KeyStreamFile?
    @exclusivity(unchecked) private var bytes = 0
    @exclusivity(unchecked) private var streams: [ObjectIdentifier: Unmanaged<KeyStream>] = [:]
    /// Why hashes could not be written.
    @exclusivity(unchecked) private(set) var failure: (any Error)?

    /// The number of streams that keep their hashes here.
    @exclusivity(unchecked) var streamCount = 0

    /// The number of hashes after which a stream ends a part, the fewer the more streams there are.
    var partSize: Int { max(512, (512 << 10) / max(8, streamCount)) }

    /// A store that keeps about `byteLimit` bytes in memory, and a file in `folder`.
    init(folder: String, byteLimit: Int) { (self.folder, self.byteLimit) = (folder, byteLimit) }

    /// Counts the bytes of a stream, and writes all to the file if they are too many.
    func add(_ stream: KeyStream, bytes added: Int) {
        streams[ObjectIdentifier(stream)] = .passUnretained(stream)
        bytes += added
        guard bytes > byteLimit, failure == nil else { return }
        do {
            let file = try file ?? KeyStreamFile(in: folder)
            self.file = file
            for stream in streams.values { try stream._withUnsafeGuaranteedRef { try $0.moveToFile(file) } }
            bytes = 0
        } catch {
            failure = error
            for stream in streams.values { stream._withUnsafeGuaranteedRef { $0.drop() } }
        }
    }

    /// Removes a stream, which has no hashes any more, from those that are counted.
    func remove(_ stream: KeyStream, bytes removed: Int) {
        streams[ObjectIdentifier(stream)] = nil
        bytes -= removed
    }

    /// Counts the hashes of a stream as those of another one.
    func move(from other: KeyStream, to stream: KeyStream) {
        streams[ObjectIdentifier(other)] = nil
        streams[ObjectIdentifier(stream)] = .passUnretained(stream)
    }
}
