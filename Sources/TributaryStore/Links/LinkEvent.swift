/// What a record says about the objects that a relationship of its object leads to.
package struct LinkEvent: Sendable {
    /// What becomes of earlier objects.
    package enum Action: Sendable {
        /// They are unlinked.
        case replace
        /// They stay, and others are added after them.
        case merge
        /// They stay, and all of the record come after them.
        case append
        /// They stay, and others are added at their positions.
        case place
    }

    /// The primary key of the object.
    package let owner: Int64
    /// Whether the object is new.
    package let isNew: Bool
    /// Whether the object is a target of the relationship, and the others are its sources.
    package let isFromTarget: Bool
    package let action: Action
    /// The range of the others among all of a group.
    package let others: Range<Int>
    /// The row of the object, for the caller.
    package let row: Int
    /// Whether the rows of the others have been written with the key of the object.
    package let isWritten: Bool

    package init(
        owner: Int64, isNew: Bool, isFromTarget: Bool, action: Action, others: Range<Int>, row: Int,
        isWritten: Bool
    ) {
        self.owner = owner
        self.isNew = isNew
        self.isFromTarget = isFromTarget
        self.action = action
        self.others = others
        self.row = row
        self.isWritten = isWritten
    }
}

/// The objects that events name, with their positions in the lists of their records.
package struct LinkOthers: Sendable {
    /// Their primary keys.
    package private(set) var keys: [Int64] = []
    private(set) var positions: [Int32] = []

    package init() {}

    /// The number of objects so far.
    package var count: Int { keys.count }

    /// Adds an object.
    package mutating func add(_ key: Int64, position: Int) {
        keys.append(key)
        positions.append(Int32(truncatingIfNeeded: position))
    }
}
