extension JSON {
    /// The members of an object, in the order of the source.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private var places: Places

        init(of container: JSON) { places = Places(in: container, .object) }

        /// The number of members, repeated keys included.
        public var count: Int { places.count }

        /// The next key and its value.
        public mutating func next() -> (key: String, value: JSON)? {
            places.next().map { (places.storage.string(places.storage.word($0 - 1)), places.value(at: $0)) }
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private var places: Places

        init(of container: JSON) { places = Places(in: container, .array) }

        /// The number of elements.
        public var count: Int { places.count }

        /// The next element.
        public mutating func next() -> JSON? { places.next().map { places.value(at: $0) } }
    }

    /// The words of the values in an object or an array.
    fileprivate struct Places: Sendable {
        let storage: ChunkStorage
        private let record: Int
        /// The number of words before a value: one for its key.
        private let keyWords: Int
        private var word: Int

        /// Starts at the first value; there is none if the container is not of the kind.
        init(in container: JSON, _ kind: Kind) {
            storage = container.storage
            record = container.record
            keyWords = kind == .object ? 1 : 0
            word = container.kind == kind ? container.word + 1 : -1
        }

        mutating func next() -> Int? {
            guard word >= 0, storage.word(word).kind != .end else { return nil }
            let place = word + keyWords
            word = place + storage.word(place).span
            return place
        }

        func value(at place: Int) -> JSON { JSON(storage: storage, record: record, word: place) }

        var count: Int {
            var (count, rest) = (0, self)
            while rest.next() != nil { count += 1 }
            return count
        }
    }
}

extension JSON {
    /// Whether it is an object whose first member begins with `$`, which may be written as an escape.
    package var mayBeTyped: Bool { word >= 0 && storage.mayBeTyped(word) }

    /// Whether such an object, the value itself or one inside of it, is as wanted.
    package func holdsTyped(_ isWanted: (JSON) -> Bool) -> Bool {
        guard word >= 0 else { return false }
        return (word..<word + storage.word(word).span).contains { place in
            storage.mayBeTyped(place) && isWanted(JSON(storage: storage, record: record, word: place))
        }
    }
}

extension ChunkStorage {
    @inline(__always)
    fileprivate func mayBeTyped(_ place: Int) -> Bool {
        guard word(place).kind == .object, word(place + 1).kind != .end else { return false }
        let first = text(word(place + 1)).first
        return first == UInt8(ascii: "$") || first == UInt8(ascii: "\\")
    }
}

extension Record {
    /// The members of the record, in the order of the source; the key of a keyed record comes first.
    public var members: JSON.Members { value.members }
    /// The elements of a record that is an array.
    public var elements: JSON.Elements { value.elements }
}
