/// The origin of a rejected record: enough to import the record after it has been fixed.
package struct RejectOrigin: Sendable, Hashable {
    /// The key of a record that is a member of an object of records, and the name of the member that holds it.
    package struct Key: Sendable, Hashable {
        package var text: String
        package var name: String

        package init(_ text: String, as name: String) {
            self.text = text
            self.name = name
        }
    }

    /// The number of the reject's row in the store, if it has one.
    package var id: Int64?
    /// The number of the run in the journal.
    package var run: Int
    /// The entity of the record; nil if it is not known.
    package var entity: String?
    /// The path that matched the record.
    package var path: String?
    /// The key of the record, if it was a member.
    package var key: Key?
    /// The stable name of the error, if it differs from the code of the reject.
    package var code: String?

    package init(
        run: Int, entity: String? = nil, path: String? = nil, key: Key? = nil, code: String? = nil
    ) {
        self.run = run
        self.entity = entity
        self.path = path
        self.key = key
        self.code = code
    }
}
