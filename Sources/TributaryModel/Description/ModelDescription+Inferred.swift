extension ModelDescription {
    /// The `userInfo` key of a model whose entities and attributes are inferred from data and grow with it.
    package static let inferredKey = "tributary.inferred"

    /// Whether entities and attributes are inferred from data.
    package var isInferred: Bool {
        get { userInfo[ModelDescription.inferredKey] != nil }
        set { userInfo[ModelDescription.inferredKey] = newValue ? "YES" : nil }
    }
}
