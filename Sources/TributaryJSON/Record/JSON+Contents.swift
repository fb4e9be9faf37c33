extension JSON {
    /// The members of an object, in the order of the source.
    public struct Members: Sequence, Sendable {
        let container: JSON

        /// Starts at the first member.
        public func makeIterator() -> Iterator { Iterator(container) }

        /// The number of members, repeated keys included.
        public var count: Int {
            guard container.kind == .object else { return 0 }
            var (count, word) = (0, container.word + 1)
            while container.storage.word(word).kind != .end {
                count += 1
                word += 1 + container.storage.word(word + 1).span
            }
            return count
        }

        /// Iterates over the members.
        public struct Iterator: IteratorProtocol, Sendable {
            private let container: JSON
            private var word: Int

            init(_ container: JSON) {
                self.container = container
                word = container.kind == .object ? container.word + 1 : -1
            }

            /// The next key and its value.
            public mutating func next() -> (key: String, value: JSON)? {
                let storage = container.storage
                guard word >= 0, storage.word(word).kind != .end else { return nil }
                let key = storage.string(storage.word(word))
                let value = JSON(storage: storage, record: container.record, word: word + 1)
                word += 1 + storage.word(word + 1).span
                return (key, value)
            }
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, Sendable {
        let container: JSON

        /// Starts at the first element.
        public func makeIterator() -> Iterator { Iterator(container) }

        /// The number of elements.
        public var count: Int { reduce(0) { count, _ in count + 1 } }

        /// Iterates over the elements.
        public struct Iterator: IteratorProtocol, Sendable {
            private let container: JSON
            private var word: Int

            init(_ container: JSON) {
                self.container = container
                word = container.kind == .array ? container.word + 1 : -1
            }

            /// The next element.
            public mutating func next() -> JSON? {
                let storage = container.storage
                guard word >= 0, storage.word(word).kind != .end else { return nil }
                let value = JSON(storage: storage, record: container.record, word: word)
                word += storage.word(word).span
                return value
            }
        }
    }
}

extension Record {
    /// The members of the record, in the order of the source; the key of a keyed record comes first.
    public var members: JSON.Members { value.members }
    /// The elements of a record that is an array.
    public var elements: JSON.Elements { value.elements }
}
