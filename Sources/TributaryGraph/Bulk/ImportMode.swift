/// What an import does with a record whose key is there already, or is not.
public enum ImportMode: String, Sendable, Codable, CaseIterable {
    /// Changes the object with the key, or makes one.
    case upsert
    /// Makes objects only; a key that is there already counts as a duplicate.
    case insert
    /// Changes objects only; a record with a new key is skipped.
    case update
    /// Makes objects only; a record whose key is there already is skipped.
    case ignore
    /// Changes or makes objects; what a record does not tell goes back to its default.
    case replace
}
