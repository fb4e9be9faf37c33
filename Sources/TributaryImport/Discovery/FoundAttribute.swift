import TributaryModel

/// The attribute of a model that fits the values that a profile has found at a path.
struct FoundAttribute: Equatable {
    /// The type of the attribute; JSON for values of several kinds.
    let type: AttributeType
    /// How dates are written, if not as ISO 8601.
    var dates: String?
    /// The member of the values that holds them, as in `{"$oid": "…"}`.
    var inner: String?

    private init(_ type: AttributeType, dates: String? = nil, inner: String? = nil) {
        (self.type, self.dates, self.inner) = (type, dates, inner)
    }

    /// The attribute for the values at a path; nil if all are null.
    init?(_ profile: PathProfile) {
        switch profile.type {
        case .nothing: return nil
        case .boolean: self.init(.boolean)
        case .integer: self.init(profile.forms.contains(.negativeZero) ? .json : .integer64)
        case .epochSeconds: self.init(.date, dates: "seconds")
        case .epochMilliseconds: self.init(.date, dates: "milliseconds")
        case .number: self.init(.double)
        case .decimal: self.init(profile.forms.isDisjoint(with: FoundAttribute.beyondDecimal) ? .decimal : .json)
        case .uuid: self.init(.uuid)
        case .date, .dateTime: self.init(profile.losesDates ? .string : .date)
        case .text, .url, .email, .ipAddress, .hexadecimal, .integerText, .numberText, .digits: self.init(.string)
        case .object: self = FoundAttribute(typed: profile) ?? FoundAttribute(.json)
        case .dictionary, .array, .mixed: self.init(.json)
        }
    }

    /// The attribute for objects with a typed value of Extended JSON; nil for other objects.
    private init?(typed profile: PathProfile) {
        let members = profile.children.filter { $0.count > 0 }
        guard members.count == 1, case .member(let name) = members[0].step, name.hasPrefix("$"),
            members[0].count == profile[.object].count, let value = FoundAttribute(members[0]), value.type != .json,
            value.inner == nil
        else { return nil }
        self.init(value.type, dates: value.dates, inner: name)
    }

    /// What a decimal number of 38 digits does not hold.
    private static let beyondDecimal: NumberForms = [
        .endlessInteger, .wideReal, .wideDecimal, .unbounded, .negativeZero,
    ]

    /// The attribute for the values of both.
    func joined(_ other: FoundAttribute?) -> FoundAttribute {
        guard let other, other != self else { return self }
        guard inner == nil, other.inner == nil else { return FoundAttribute(.json) }
        let types = Set([type, other.type])
        if types.isSubset(of: [.string, .uuid]) || types == [.string, .date] && dates == nil && other.dates == nil {
            return FoundAttribute(.string)
        }
        return FoundAttribute(.json)
    }
}

extension PathProfile {
    /// Whether dates may lie outside of the years 1 to 9999 in the time of Greenwich, or have more digits of a second than
    /// a double holds.
    fileprivate var losesDates: Bool {
        guard let texts = values?.texts, let first = texts.first, let last = texts.last else { return false }
        // Of seven digits a double keeps six.
        if texts.longest > "2026-01-02T03:04:05.123+00:00".utf8.count { return true }
        return first.text.hasPrefix("0000") || first.text.hasPrefix("0001-01-01") || last.text.hasPrefix("9999-12-31")
    }

    /// The kinds of its texts and numbers as a column without a model stores them.
    var scalarKinds: ValueKinds { self[.text].count > 0 ? forms.kinds.union(.text) : forms.kinds }

    /// Whether there is true or false.
    var hasBooleans: Bool { self[.yes].count + self[.no].count > 0 }

    /// The number of values that are neither null nor a container.
    var scalarCount: Int { count - self[.null].count - self[.object].count - self[.array].count }
}
