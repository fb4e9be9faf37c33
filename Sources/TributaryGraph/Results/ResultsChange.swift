/// A change of the results of a ``FetchedResultsController``, which turns the list before it into the list after it.
///
/// Apply it in this order: remove the objects at the old places of deletions and moves, remove the deleted sections,
/// insert the new sections, then insert objects at the new places of insertions and moves, first places first. Old
/// places and the indexes of deleted sections are of the list before the change, new places and the indexes of inserted
/// sections of the list after it. Objects that only shift because others come or go are not listed.
public struct ResultsChange: Sendable, Hashable {
    /// What happened to an object.
    public enum Kind: Sendable, Hashable {
        /// It was deleted, or no longer matches.
        case delete
        /// It was inserted, or matches now.
        case insert
        /// It was changed, and has another place or section because of it.
        case move
        /// It was changed or refreshed, and has its place still.
        case update
    }

    /// The change of one object.
    public struct Object: Sendable, Hashable {
        /// What happened to it.
        public let kind: Kind
        /// The ID of the object; temporary for an unsaved one.
        public let id: ObjectID
        /// The place before the change; nil for an insertion.
        public let oldPath: ResultsIndexPath?
        /// The place after the change; nil for a deletion.
        public let newPath: ResultsIndexPath?
    }

    /// The deletion or insertion of a section.
    public struct Section: Sendable, Hashable {
        /// The index: before the change for a deletion, after it for an insertion.
        public let index: Int
        /// The name.
        public let name: String
    }

    /// Whether anything may have changed, and everything must be shown again; the lists are empty then.
    public internal(set) var isReload = false
    /// The sections that were deleted, by index.
    public internal(set) var deletedSections: [Section] = []
    /// The sections that were inserted, by index.
    public internal(set) var insertedSections: [Section] = []
    /// The changed objects: deletions, insertions, moves, then updates, each by place.
    public internal(set) var objects: [Object] = []

    /// The number of the change; the controller has the same one when it is reported.
    public internal(set) var revision = 0

    /// The change after which everything must be shown again.
    static func reload(_ revision: Int = 0) -> ResultsChange { ResultsChange(isReload: true, revision: revision) }

    /// Whether nothing changed.
    public var isEmpty: Bool {
        !isReload && deletedSections.isEmpty && insertedSections.isEmpty && objects.isEmpty
    }
}
