import TributaryJSON

/// An attribute or column with the path of its values in a record.
package struct MappedPath: Sendable {
    package let name: String
    private let path: [String]
    /// Whether it is part of the key, without which a record is rejected.
    package let isKey: Bool

    init(_ name: String, _ path: [String], isKey: Bool) {
        (self.name, self.path, self.isKey) = (name, path, isKey)
    }

    /// Its name, and the path if that is another one.
    package var text: String {
        let place = path.map { "." + Excerpt.escape($0) }.joined()
        return path == [name] ? Excerpt.escape(name) : "\(Excerpt.escape(name)) (at \(place.isEmpty ? "." : place))"
    }
}
