/// How an import handles a record whose key exists already, and a record whose key is new.
public enum ImportMode: String, Sendable, Codable, CaseIterable {
    /// Changes the object with the key, or inserts one.
    case upsert
    /// Inserts objects only; a record whose key exists counts as a duplicate.
    case insert
    /// Changes objects only; a record with a new key is skipped.
    case update
    /// Inserts objects only; a record whose key exists is skipped.
    case ignore
    /// Changes or inserts objects; attributes without a value in the record get their defaults.
    case replace

    /// Whether it is for records with keys alone, as a record without one is always a new row.
    package var needsKey: Bool { self != .upsert && self != .insert }
}
