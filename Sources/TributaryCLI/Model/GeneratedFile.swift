/// A Swift file that a ``ClassGenerator`` makes.
package struct GeneratedFile: Sendable, Hashable {
    /// The name, such as `Book.swift`.
    package let name: String
    /// The contents.
    package let text: String
}
