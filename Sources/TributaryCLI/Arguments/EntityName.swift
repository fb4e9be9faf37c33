import TributaryHTTP
import TributaryModel

/// Names of entities, also as derived from the names of files.
package enum EntityName {
    /// The name of a file without its folder and its extensions: `users` of `data/users.json.gz`, also in an address.
    ///
    /// What follows a date or a number belongs to the name: `2024.01.users` of `2024.01.users.json`.
    package static func stem(of path: String) -> String? {
        let file =
            WebAddress.isAddress(path) ? WebAddress(path)?.file ?? "" : String(path.split(separator: "/").last ?? "")
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty else { return nil }
        let isDate = first.allSatisfy { $0.isNumber || "-_".contains($0) }
        let extensions: Set = [
            "json", "ndjson", "jsonl", "geojson", "js", "txt", "gz", "zst", "bz2", "xz", "zip", "tar",
        ]
        let named = parts.prefix { !extensions.contains($0.lowercased()) }
        return isDate && !named.isEmpty ? named.joined(separator: ".") : String(first)
    }

    /// Whether a file is named after an entity: `User` and `users.json`, `Category` and `categories.json`.
    package static func fits(_ entity: String, stem: String) -> Bool {
        let entity = entity.lowercased()
        let stem = stem.lowercased()
        if entity == stem || entity + "s" == stem || entity + "es" == stem { return true }
        return entity.hasSuffix("y") && entity.dropLast() + "ies" == stem
    }

    /// Why a table without a model cannot have a name, as the end of a sentence about the name; nil if it can.
    package static func fault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.contains(0) { return "contains a NUL" }
        return nil
    }

    /// Why an entity of a model cannot have a name, as the end of a sentence about the name; nil if it can.
    static func modelFault(in name: String) -> String? {
        if let fault = fault(in: name) { return fault }
        if name.hasPrefix("_") { return "begins with _, which is reserved for the store" }
        if name.hasPrefix("@") { return "begins with @, which is reserved for operators in key paths" }
        if name.lowercased().hasPrefix("sqlite_") { return "begins with sqlite_, which SQLite reserves" }
        if name.contains(".") { return "contains a dot, which separates the keys of a key path" }
        return nil
    }

    /// The name of a table without a model: the same, unless it is reserved.
    ///
    ///     users → users     _users → t_users     sqlite_users → t_sqlite_users
    static func table(_ name: String) -> String {
        if name.hasPrefix("_") { return "t\(name)" }
        // A table with the name of a function or pragma of SQLite would hide it from those who read the database.
        let lower = name.lowercased()
        let isReserved =
            lower.hasPrefix("sqlite_") || lower.hasPrefix("pragma_") || lower == "json_tree"
            || ReservedNames.isFunction(name)
        return isReserved ? "t_\(name)" : name
    }

    /// Why a column cannot have a name, as the end of a sentence about the name; nil if it can.
    static func columnFault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.contains(0) { return "contains a NUL" }
        if ReservedNames.isColumn(name) || name == "_rest" { return "is a column of the store" }
        return nil
    }
}
