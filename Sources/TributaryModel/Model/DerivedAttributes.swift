package import Foundation

/// The attributes of an entity that are computed when an object is saved, inherited ones included.
///
/// An attribute that is computed from another derived attribute of the same object comes after it. Values of other
/// objects are read at the time of the computation.
package struct DerivedAttributes: Sendable {
    /// The attributes, each after the attributes that it is computed from.
    package let attributes: [DerivedAttribute]

    /// Whether there is nothing to compute.
    package var isEmpty: Bool { attributes.isEmpty }

    /// Parses the derivations of attributes; the model was checked, so all of them are valid.
    init(of attributes: [AttributeProperty]) {
        var expressions: [String: DerivedAttribute] = [:]
        for attribute in attributes {
            guard let text = attribute.declaration.derivation, let expression = try? Derivation.expression(of: text)
            else { continue }
            expressions[attribute.name] = DerivedAttribute(attribute: attribute, expression: expression)
        }
        let order = Derivation.order(attributes.map(\.name).filter { expressions[$0] != nil }) { name in
            expressions[name].map { Derivation.ownKeys(of: $0.expression) } ?? []
        }
        self.attributes = order.sorted.compactMap { expressions[$0] }
    }

    /// Whether the attribute in a slot is derived.
    package func isDerived(_ slot: Int) -> Bool { attributes.contains { $0.attribute.slot == slot } }

    /// The reason why the attribute in a slot cannot be set.
    package func refusal(_ slot: Int) -> String {
        guard let derived = attributes.first(where: { $0.attribute.slot == slot }) else { return "" }
        return
            "\(derived.attribute.entity.name).\(derived.attribute.name) is derived from \(derived.expression); set that"
    }

    /// Computes the values for `subject` in order; `write` sets each value, so that the next ones can read it.
    ///
    /// A result that is not a number, such as the square root of -1, becomes null.
    package func update(
        _ subject: any FilterSubject, now: Date = Date(),
        write: (AttributeProperty, FilterValue) throws -> Void
    ) throws {
        guard !isEmpty else { return }
        let evaluator = FilterEvaluator(subject, now: now)
        for derived in attributes {
            try write(derived.attribute, try Self.value(of: evaluator.value(of: derived.expression), derived))
        }
    }

    private static func value(of result: FilterResult, _ derived: DerivedAttribute) throws(FilterError) -> FilterValue {
        switch result {
        case .value(.double(let number)) where number.isNaN: return .null
        case .value(.decimal(let number)) where number.isNaN: return .null
        case .value(let value): return value
        case .subject(let subject): return subject.filterReference.map(FilterValue.object) ?? .null
        case .collection:
            let name = "\(derived.attribute.entity.name).\(derived.attribute.name)"
            throw FilterError(.toMany, "\(name) is derived from \(derived.expression), which gives several values")
        }
    }
}
