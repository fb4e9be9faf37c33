import TributaryStore
import TributaryJSON
package import TributarySQLite

/// An attribute with all that is needed to set it from a record.
package struct MappedAttribute: Sendable {
    package let attribute: AttributeProperty
    /// The members of its value.
    package let members: MemberNames.Members
    package let isKey: Bool
    let conversion: Mapping.Conversion
    package let mismatch: Mapping.Mismatch
    package let coercion: Coercion
    /// The value of a new object whose record has none; nil for that of the model.
    package let defaultValue: SQLValue?
    package let policy: PropertyRule.Policy
    /// The attribute by which the newest record is known.
    package let newest: String?

    package var name: String { attribute.name }
    /// The paths of its value; the first one with a value counts.
    package var paths: [[String]] { members.paths }

    /// An attribute by its rule.
    init(
        _ attribute: AttributeProperty, _ rule: PropertyRule, _ mapping: Mapping, isKey: Bool,
        members: MemberNames.Members
    ) throws {
        func wrong(_ reason: String, hint: String) -> ImportError {
            ImportError(.route, "the mapping of \(attribute.entity.name).\(attribute.name) \(reason)", hint: hint)
        }
        self.attribute = attribute
        self.isKey = isKey
        self.members = members
        conversion = rule.conversion ?? mapping.conversion
        mismatch = rule.mismatch ?? mapping.mismatch
        policy = rule.policy
        newest = rule.newest
        guard rule.entity == nil, rule.finder == nil, rule.links == .replace, rule.dangling == nil else {
            throw wrong("has a rule of relationships", hint: "remove entity, by, links and dangling")
        }
        guard !isKey || rule.policy == .feed && rule.newest == nil && rule.defaultValue == nil else {
            throw wrong("has a default or a policy, but it is a key", hint: "remove it")
        }
        if !rule.dates.isEmpty, attribute.type != .date {
            throw wrong("has date formats, but it is \(attribute.type)", hint: "remove dates")
        }
        var dates: [DateFormat] = []
        if attribute.type == .date {
            for name in rule.dates.isEmpty ? mapping.dates : rule.dates {
                guard let format = MappedAttribute.dateFormat(name) else {
                    throw wrong(
                        "has the date format \(name), which has a letter without a meaning",
                        hint: "use iso8601, seconds, milliseconds, microseconds or a pattern such as dd.MM.yyyy HH:mm")
                }
                dates.append(format)
            }
        }
        coercion = Coercion(
            attribute, isKey: isKey, isLenient: conversion == .lenient, dates: dates,
            unwrapsExtendedJSON: mapping.shaping?.unwrapsExtendedJSON ?? false)
        if let value = rule.defaultValue {
            guard let stored = value.storedDefault(of: attribute) else {
                throw wrong("has a default of another type", hint: "use one of type \(attribute.type)")
            }
            defaultValue = stored
        } else {
            defaultValue = nil
        }
    }

    private static func dateFormat(_ name: String) -> DateFormat? {
        switch name {
        case "iso8601": .iso8601
        case "seconds": .epochSeconds
        case "milliseconds": .epochMilliseconds
        case "microseconds": .epochMicroseconds
        default: DateFormat(pattern: name)
        }
    }
}

extension ModelValue {
    /// The value as a store keeps it in an attribute; nil if it does not fit.
    fileprivate func storedDefault(of attribute: AttributeProperty) -> SQLValue? {
        if isDefault(of: attribute.type) { return stored(as: attribute.type) }
        guard case .string(let text) = self, let value = AttributeText.value(text, attribute.type) else { return nil }
        return value.isDefault(of: attribute.type) ? value.stored(as: attribute.type) : nil
    }
}
