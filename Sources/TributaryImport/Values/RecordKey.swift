package import TributaryStore
package import TributaryJSON
package import TributarySQLite

/// The key of an entity, resolved: the attributes, and how their values are read from records.
package struct RecordKey: Sendable {
    /// The entity of the objects.
    package let entity: Entity
    /// The attributes, in the order in which they are compared.
    package let attributes: [AttributeProperty]
    /// The entity that declares them; among its objects a key is unique.
    package let scope: Entity
    /// For each attribute how its value is read, and the paths of its member; the first one with a value counts.
    private let parts: [(coercion: Coercion, paths: [[String]])]
    /// The path of a key of one integer attribute, as most keys are, which mostly is a plain number; nil for other keys.
    private let integerPath: [String]?

    /// The key `key` of `entity`; `sources` are the paths of its members, by attribute, in place of those of the key.
    package init(_ key: ImportKey, of entity: Entity, sources: [String: [[String]]] = [:]) throws {
        guard !key.parts.isEmpty else {
            throw ImportError(.route, "the key of \(entity.name) has no attributes", hint: "name at least one")
        }
        try key.checkLength()
        attributes = try key.parts.map { part in
            guard let attribute = entity.attribute(named: part.attribute) else {
                let known = entity.attributes.map(\.name).shortList
                throw ImportError(
                    .route, "\(entity.name) has no attribute \(part.attribute)",
                    hint: known.isEmpty ? nil : "it has \(known)")
            }
            let isKept = !attribute.isTransient && attribute.declaration.derivation == nil
            guard isKept, ![.transformable, .objectID, .undefined].contains(attribute.type) else {
                throw ImportError(
                    .route, "\(entity.name).\(attribute.name) cannot be a key",
                    hint: "use an attribute that is stored unchanged")
            }
            return attribute
        }
        guard Set(attributes).count == attributes.count else {
            throw ImportError(.route, "the key of \(entity.name) names an attribute twice")
        }
        self.entity = entity
        scope = entity.scope(ofKey: attributes)
        parts = zip(attributes, key.parts).map {
            (Coercion($0, isKey: true), sources[$0.name] ?? [$1.remote.path])
        }
        integerPath = attributes.count == 1 && attributes[0].type == .integer64 ? parts[0].paths[0] : nil
    }

    /// The keys of records, with their hashes, for `SortedKeys`; a record without a key has an incomplete row.
    package func keys(of records: some Collection<Record>) -> RowBatch {
        var keys = SortedKeys(attributes, capacity: records.count)
        for record in records {
            if let number = integer(of: record) {
                keys.append(.integer(number))
            } else if parts.count == 1, let value = try? value(of: record, 0) {
                keys.append(value)
            } else if let values = values(of: record) {
                keys.append(values)
            } else {
                keys.appendNothing()
            }
        }
        return keys.keys
    }

    /// The value of a key of one integer attribute that is a plain number; nil for anything else.
    @inline(__always)
    private func integer(of record: Record) -> Int64? {
        guard let integerPath else { return nil }
        var json = record.value
        for key in integerPath {
            guard json.kind == .object else { return nil }
            json = json[key]
        }
        guard case .number(let text) = json.raw else { return nil }
        return RawValue.integer(text)
    }

    /// The key of a record; nil if it has none.
    package func values(of record: Record) -> [SQLValue]? { try? readValues(of: record) }

    /// Why a record has no key.
    package func failure(of record: Record) -> JSONError {
        do throws(JSONError) {
            _ = try readValues(of: record)
            return JSONError(.keyMissing, "found no key")
        } catch {
            return error
        }
    }

    private func readValues(of record: Record) throws(JSONError) -> [SQLValue] {
        var values: [SQLValue] = []
        for part in parts.indices { values.append(try value(of: record, part)) }
        return values
    }

    @inline(__always)
    private func value(of record: Record, _ part: Int) throws(JSONError) -> SQLValue {
        var json = try member(of: record, parts[part].paths[0], part)
        var next = 1
        while json.isMissing, next < parts[part].paths.count {
            json = try member(of: record, parts[part].paths[next], part)
            next += 1
        }
        do {
            let value = try parts[part].coercion.value(json)
            if value != .null { return value }
        } catch let error as JSONError {
            throw error.recoded(.keyType)
        } catch {
            throw json.failure(.keyType, "\(error)")
        }
        throw missingError(json, part)
    }

    /// The value at a path; missing if a container on it is missing or null.
    @inline(__always)
    private func member(of record: Record, _ path: [String], _ part: Int) throws(JSONError) -> JSON {
        var json = record.value
        for key in path {
            guard json.kind == .object || json.isMissing || json.isNull else {
                throw json.mismatch(expected: "an object with \(name(part))").recoded(.keyType)
            }
            json = json[key]
        }
        return json
    }

    private func name(_ part: Int) -> String {
        let path = parts[part].paths[0]
        return path.isEmpty ? "the record as a key" : "the key \(path.joined(separator: "."))"
    }

    private func missingError(_ json: JSON, _ part: Int) -> JSONError {
        json.isNull
            ? json.failure(.keyNull, "found null, expected \(name(part))")
            : json.failure(.keyMissing, "found nothing, expected \(name(part))")
    }
}

extension JSONError {
    /// The same error with another code.
    package func recoded(_ code: Code) -> JSONError {
        var error = JSONError(code, reason, hint: hint, position: position)
        error.record = record
        error.path = path
        error.excerpt = excerpt
        return error
    }
}
