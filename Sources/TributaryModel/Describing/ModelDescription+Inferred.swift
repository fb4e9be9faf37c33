extension ModelDescription {
    /// The entry in the `userInfo` of a model whose entities and attributes are found from data, and grow with it.
    package static let inferredKey = "tributary.inferred"

    /// Whether entities and attributes are found from data.
    package var isInferred: Bool {
        get { userInfo[ModelDescription.inferredKey] != nil }
        set { userInfo[ModelDescription.inferredKey] = newValue ? "YES" : nil }
    }
}
