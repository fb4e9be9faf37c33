extension AttributeProperty {
    /// Whether its derivation names a property of this name.
    package func isDerived(from name: String) -> Bool {
        let words = declaration.derivation?.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return words?.contains(Substring(name)) ?? false
    }
}

extension Entity {
    /// Whether a derived attribute is computed from other objects.
    package var derivesFromOtherObjects: Bool {
        DerivedAttributes(of: attributes).attributes.contains {
            !FilterReach($0.expression, from: self).entities.isEmpty
        }
    }
}
