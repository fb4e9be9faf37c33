extension Entity {
    /// Whether a derived attribute is computed from other objects.
    package var derivesFromOtherObjects: Bool {
        DerivedAttributes(of: attributes).attributes.contains {
            !FilterReach($0.expression, from: self).entities.isEmpty
        }
    }
}
