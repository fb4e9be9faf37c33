#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension KeyPathTrace {
    /// The names of the properties that `path` leads through; nil if it is no path of properties of a model.
    ///
    /// Reading one property does not make a key path that property: `var shout: String { title.uppercased() }` reads the
    /// title. So the end of the path must have the type of the property, and give what lies in its slot, whatever that is.
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
        guard let declared = trace.places[last.place].attributes[last.slot], unwrapped(declared) == valueType else {
            return nil
        }
        for sample in samples(of: declared) where !trace.gives(sample, declared, path, at: last) { return nil }
        return names
    }

    private func gives(
        _ sample: FilterValue, _ declared: any AttributeValue.Type, _ path: AnyKeyPath, at step: Step
    ) -> Bool {
        let row = places[step.place].row
        Self.put(sample, in: row, step.slot)
        let expected = Self.written(declared.read(row, step.slot))
        guard let found = walk(path) as? any AttributeValue else { return sample == .null && expected == .null }
        return Self.written(found) == expected
    }

    /// A value as it is written into a slot.
    private static func written(_ value: any AttributeValue) -> FilterValue {
        Row.temporary(1) { row in
            value.write(row, 0)
            return AttributeType.undefined.filterValue(in: row, 0)
        }
    }

    private static func put(_ value: FilterValue, in row: Row, _ slot: Int) {
        switch value {
        case .integer(let number): row.set(number, slot)
        case .double(let number): row.set(number, slot)
        case .string(let text): row.set(text, slot)
        case .data(let data): row.set(data, slot)
        case .uuid(let uuid): row.set(uuid, slot)
        case .decimal(let number): row.set(Box(number), slot)
        case .url(let url): row.set(Box(url), slot)
        default: row.clear(slot)
        }
    }

    /// Values that hardly anything but the property itself gives back.
    private static func samples(of type: any AttributeValue.Type) -> [FilterValue] {
        let values: [FilterValue] =
            switch type.attributeType.kind {
            case .integer16, .integer32, .integer64, .boolean: [0, 1, -21_846, 21_845]
            case .double, .float, .date: [-1.5, 1_000_000.25]
            case .string, .json: ["", " Straße ǆ\u{0} "]
            case .binary, .transformable: [.data(Data()), .data(Data([0, 255, 7]))]
            case .uuid: [.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))]
            case .decimal: [.decimal(-Decimal(7) / 2), .decimal(1_000_001)]
            case .uri: URL(string: "https://example.org/%C3%9F?q#f").map { [.url($0)] } ?? []
            case .objectID, .undefined: []
            }
        return type.isOptionalAttribute ? values + [.null] : values
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
    }
}

/// Tells what an optional may hold.
private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
