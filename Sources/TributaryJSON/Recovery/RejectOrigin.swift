/// What a rejected record was to become: enough to import it once it has been mended.
package struct RejectOrigin: Sendable, Hashable {
    /// The key of a record that is a member of an object of records, and the member it was to be found under.
    package struct Key: Sendable, Hashable {
        package var text: String
        package var name: String

        package init(_ text: String, as name: String) {
            self.text = text
            self.name = name
        }
    }

    /// The number of its row in the store, if it has one.
    package var id: Int64?
    /// The number of the run in the journal.
    package var run: Int
    /// The entity; nil if it is not known whose record it was.
    package var entity: String?
    /// The path that led to the record.
    package var path: String?
    /// The key of the record, if it was a member.
    package var key: Key?
    /// A stable name of what is wrong, if that was not the JSON.
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
