/// Where the text of a source can be divided among parsers: between the items of one container, lines or values.
struct Division: Sendable, Hashable {
    let kind: BorderScan.Kind
    /// The layout of the source.
    let shape: RecordShape
    /// The path to an item of the container, whose own index or key varies; empty for lines and values.
    let steps: [PathStep]

    /// The number of open containers between two items.
    var depth: Int { steps.count }

    /// Whether the items are members of an object.
    var holdsMembers: Bool { if case .key = steps.last { true } else { false } }

    /// The path to the item before the one at `index`; as it is for members, whose keys say nothing about their order.
    func steps(before index: Int) -> [PathStep] {
        guard case .index = steps.last else { return steps }
        return steps.dropLast() + [.index(index - 1)]
    }

    /// What a parser knows about the place of borders.
    enum Answer: Sendable {
        case place(Place)
        /// The layout has no borders.
        case undivided
        /// All bytes so far were parsed, and there is no border yet.
        case unknown
    }

    /// A place inside of the container from which a scan finds its borders.
    struct Place: Sendable {
        let division: Division
        /// The offset of a byte outside of strings.
        let offset: Int
        /// The number of containers that are open there, inside of the one that is divided.
        let depth: Int
    }
}

extension Division {
    /// Counts the item in a path from `place` on.
    func move(_ steps: inout [PathStep], to place: FeedPlace) {
        guard depth > 0, !holdsMembers, steps.count >= depth, case .index(let index) = steps[depth - 1] else { return }
        steps[depth - 1] = .index(index + place.index)
    }
}
