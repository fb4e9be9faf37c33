import TributaryModel
import TributarySQLite
import TributaryStore

extension BrowsedDatabase {
    /// The entity, table or view of a name in an address.
    func source(_ name: String) throws -> QuerySource {
        guard let found = database.sources.first(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw PageError(
                404, "There is no such entity", "The database has no entity, table or view with this name.",
                advice: "Choose one from the overview.")
        }
        do {
            return try database.source(found)
        } catch let error as ModelError {
            throw PageError(404, "This table cannot be shown", "\(error)", advice: "Other programs can show it.")
        }
    }

    /// The entity or table of a name; nil if it cannot be shown, as one with a name that the store needs.
    func readable(_ name: String) throws -> QuerySource? {
        do { return try source(name) } catch is PageError { return nil }
    }

    /// The key in an address.
    static func key(_ text: String) throws -> SQLValue {
        guard let key = ValueText.value(of: text), key != .null else {
            throw PageError(404, "There is no such row", "The address has no key that a row could have.")
        }
        return key
    }
}
