import TributaryModel

/// Names of entities, also as derived from the names of files.
package enum EntityName {
    /// The name of a file without its folder and its extensions: `users` of `data/users.json.gz`.
    package static func stem(of path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        let stem = String(file.prefix { $0 != "." })
        return stem.isEmpty ? nil : stem
    }

    /// Whether a file is named after an entity: `User` and `users.json`, `Category` and `categories.json`.
    package static func fits(_ entity: String, stem: String) -> Bool {
        let entity = entity.lowercased()
        let stem = stem.lowercased()
        if entity == stem || entity + "s" == stem || entity + "es" == stem { return true }
        return entity.hasSuffix("y") && entity.dropLast() + "ies" == stem
    }

    /// Why an entity cannot have a name, as the end of a sentence about the name; nil if it can.
    package static func fault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.contains(0) { return "contains a NUL" }
        if name.hasPrefix("_") { return "begins with _, which is reserved for the store" }
        if name.hasPrefix("@") { return "begins with @, which is reserved for operators in key paths" }
        if name.lowercased().hasPrefix("sqlite_") { return "begins with sqlite_, which SQLite reserves" }
        if name.contains(".") { return "contains a dot, which separates the keys of a key path" }
        return nil
    }

    /// Why a column cannot have a name, as the end of a sentence about the name; nil if it can.
    static func columnFault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.contains(0) { return "contains a NUL" }
        if ReservedNames.isColumn(name) || name == "_rest" { return "is a column of the store" }
        return nil
    }
}
