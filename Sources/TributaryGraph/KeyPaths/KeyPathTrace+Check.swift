import Foundation

extension KeyPathTrace {
    /// The names of the properties in `path`; nil if it does not consist of properties of a model.
    ///
    /// A key path that reads one property need not be that property: `var shout: String { title.uppercased() }` reads
    /// the title. So the path must have the type of its last property, and return every sample value put in the slot.
    static func names(of path: AnyKeyPath) -> [String]? {
        guard let root = type(of: path).rootType as? ManagedObject.Type else { return nil }
        let trace = KeyPathTrace(root)
        let result = trace.walk(path)
        guard trace.isChain, let last = trace.steps.last else { return nil }
        let names = trace.names
        let valueType = unwrapped(type(of: path).valueType)
        if last.isRelationship {
            return valueType is ManagedObject.Type && !(result is ManagedObject) ? nil : names
        }
        let attributes = trace.objects[last.objectIndex].attributes
        guard let declared = attributes[last.slot], unwrapped(declared) == valueType else { return nil }
        for sample in samples(of: declared) where !trace.returns(sample, declared, path, at: last) { return nil }
        if declared.isOptionalAttribute, !trace.returns(nil, declared, path, at: last) { return nil }
        return names
    }

    /// Whether the key path returns a value that is put in the slot of its last property.
    private func returns(
        _ sample: ModelValue?, _ declared: any AttributeValue.Type, _ path: AnyKeyPath, at step: Step
    ) -> Bool {
        let row = objects[step.objectIndex].row
        if let sample { sample.write(row, step.slot) } else { row.clear(step.slot) }
        let expected = Self.slotValue(declared.read(row, step.slot))
        guard let found = walk(path) as? any AttributeValue else { return sample == nil && expected == .null }
        return Self.slotValue(found) == expected
    }

    /// The filter value of a slot after a value was written to it.
    private static func slotValue(_ value: any AttributeValue) -> FilterValue {
        Row.temporary(1) { row in
            value.write(row, 0)
            return AttributeType.undefined.filterValue(in: row, 0)
        }
    }

    /// Values that a computed property is unlikely to return unchanged.
    private static func samples(of type: any AttributeValue.Type) -> [ModelValue] {
        switch type.attributeType.kind {
        case .integer16, .integer32, .integer64, .boolean:
            [.integer(0), .integer(1), .integer(-21_846), .integer(21_845)]
        case .double, .float, .date: [.double(-1.5), .double(1_000_000.25)]
        case .string, .json: [.string(""), .string(" Straße ǆ\u{0} ")]
        case .binary, .transformable: [.data(Data()), .data(Data([0, 255, 7]))]
        case .uuid: [.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))]
        case .decimal: [.decimal(-Decimal(7) / 2), .decimal(1_000_001)]
        case .uri: URL(string: "https://example.org/%C3%9F?q#f").map { [.url($0)] } ?? []
        case .objectID, .undefined: []
        }
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
    }
}

/// Gives access to the wrapped type of an optional.
private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
