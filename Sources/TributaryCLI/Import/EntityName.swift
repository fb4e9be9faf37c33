/// Names of entities, as they are found in names of files.
package enum EntityName {
    /// The name of a file without its folder and all that follows the first point: `users` of `data/users.json.gz`.
    package static func stem(of path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        let stem = String(file.prefix { $0 != "." })
        return stem.isEmpty ? nil : stem
    }

    /// Whether an entity is what a file is named after: `User` and `users.json`, `Category` and `categories.json`.
    package static func fits(_ entity: String, stem: String) -> Bool {
        let entity = entity.lowercased()
        let stem = stem.lowercased()
        if entity == stem || entity + "s" == stem || entity + "es" == stem { return true }
        return entity.hasSuffix("y") && entity.dropLast() + "ies" == stem
    }

    /// Why a name cannot be that of an entity, as the end of a sentence; nil if it can.
    package static func fault(in name: String) -> String? {
        if name.isEmpty { return "is no name" }
        if name.utf8.contains(0) { return "has a NUL in it" }
        if name.hasPrefix("_") { return "begins with _, as what belongs to the store does" }
        if name.hasPrefix("@") { return "begins with @, as operators in key paths do" }
        if name.lowercased().hasPrefix("sqlite_") { return "begins with sqlite_, which SQLite keeps for itself" }
        if name.contains(".") { return "has a point in it, where a key path is divided" }
        return nil
    }
}
