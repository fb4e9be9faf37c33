extension ModelCheck {
    /// Reports derived attributes of an entity that cannot be computed.
    mutating func checkDerivations(of index: Int) {
        let entity = model.entities[index]
        let derived = entity.attributes.filter { $0.derivation != nil }
        guard !derived.isEmpty else { return }
        for attribute in derived {
            let owner = "entity \"\(entity.name)\": attribute \"\(attribute.name)\""
            if let fault = fault(of: attribute, index) { report("\(owner) \(fault)") }
        }
        let own = properties[index].compactMap { name, property -> (String, Set<String>)? in
            guard case .attribute(let attribute) = property, let text = attribute.derivation,
                let expression = try? Derivation.expression(of: text)
            else { return nil }
            return (name, Derivation.ownKeys(of: expression))
        }
        let needs = Dictionary(uniqueKeysWithValues: own)
        let circular = Set(Derivation.order(Array(needs.keys)) { needs[$0] ?? [] }.circular)
        for attribute in derived where circular.contains(attribute.name) {
            report(
                "entity \"\(entity.name)\": attribute \"\(attribute.name)\" is derived from itself, or from such an attribute; break the cycle"
            )
        }
    }

    private func fault(of attribute: AttributeDescription, _ index: Int) -> String? {
        guard let text = attribute.derivation else { return nil }
        if text.allSatisfy(\.isWhitespace) { return "is derived from nothing; write an expression such as \"now()\"" }
        do {
            let expression = try Derivation.expression(of: text)
            let kind = try DerivationCheck(check: self, entity: index).kind(of: expression)
            if kind.fits(attribute.type) { return nil }
            return
                "of type \(attribute.type) is derived from \(expression), which gives \(kind.name); correct one of them"
        } catch let fault as DerivationCheck.Fault {
            return "is derived from \"\(text)\" and \(fault.reason)"
        } catch {
            return "is derived from \"\(text)\", which cannot be read: \(error)"
        }
    }
}
