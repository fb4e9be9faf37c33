import Foundation
public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// Imports the records of sources into one or several entities, in one pass.
///
///     let feed = StreamImport(
///         into: manager, from: [.file("dump.json.gz")],
///         routes: [
///             .rows("User", at: ".users[]"),
///             .objects(Book.self, at: ".books[]") { record, book in book.title = record["title"] },
///         ])
///     queue.addOperation(feed)
///
/// Each group of records is one transaction together with its row in the journal, so a stopped import resumes after
/// its last commit.
open class StreamImport: StoreImport, @unchecked Sendable {
    /// The manager of the stores.
    public let manager: ContextManager

    /// An import of `sources`; a route selects records by their path, and names the entity of their objects.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], routes: [ImportRoute],
        options: ImportOptions = ImportOptions()
    ) {
        self.manager = manager
        super.init(from: sources, routes: routes, options: options) { ManagerObjects(manager) }
    }
}
