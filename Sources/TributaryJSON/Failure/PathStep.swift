/// One step from a container to a value inside it.
public enum PathStep: Sendable, Hashable, Codable {
    /// The member of an object with this key.
    case key(String)
    /// The element of an array at this index, from 0.
    case index(Int)
}
