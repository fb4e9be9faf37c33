import Foundation
import TributarySQLite

/// Conversion between filter values and SQL values.
enum FilterCodec {
    /// The filter value of an SQL value of a kind.
    static func decode(_ value: SQLValue, as kind: FilterKind) -> FilterValue {
        switch (kind, value) {
        case (_, .null): .null
        case (.boolean, .integer(let number)): .boolean(number != 0)
        case (.date, .integer(let number)): .date(Date(timeIntervalSince1970: Double(number)))
        case (.date, .real(let number)): .date(Date(timeIntervalSince1970: number))
        case (.moment, .integer(let number)): .date(Date(timeIntervalSinceReferenceDate: Double(number)))
        case (.moment, .real(let number)): .date(Date(timeIntervalSinceReferenceDate: number))
        case (.real, .integer(let number)): .double(Double(number))
        case (_, .integer(let number)): .integer(number)
        case (_, .real(let number)): .double(number)
        case (.number, .text("nan")): .double(.nan)
        case (.number, .text("NaN")): .decimal(.nan)
        case (.number, .text(let text)): Decimal(string: text).map(FilterValue.decimal) ?? .null
        case (.uuid, .text(let text)): UUID(uuidString: text).map(FilterValue.uuid) ?? .null
        case (.url, .text(let text)): URL(string: text).map(FilterValue.url) ?? .null
        case (.any, .text(let text)): unpacked(text).first ?? .null
        case (_, .text(let text)): .string(text)
        case (_, .blob(let bytes)): .data(Data(bytes))
        }
    }

    /// The SQL value of a filter value, with its kind; nil for lists and objects.
    static func encode(_ value: FilterValue) -> (kind: FilterKind, value: SQLValue)? {
        switch value {
        case .null: (.null, .null)
        case .integer(let number): (.integer, .integer(number))
        case .double(let number): number.isNaN ? (.number, "nan") : (.real, .real(number))
        case .decimal(let number): (.number, .text("\(number)"))
        case .string(let text): (.string, .text(text))
        case .date(let date):
            date.timeIntervalSinceReferenceDate.isNaN
                ? (.null, .null) : (.moment, .real(date.timeIntervalSinceReferenceDate))
        case .data(let data): (.data, .blob(Array(data)))
        case .uuid(let uuid): (.uuid, .text(uuid.uuidString))
        case .url(let url): (.url, .text(url.absoluteString))
        case .boolean(let flag): (.boolean, .integer(flag ? 1 : 0))
        case .list, .object: nil
        }
    }

    // MARK: Several values in one text

    /// The value as text with its kind and length; a concatenation of such texts is a list.
    static func packed(_ value: FilterValue) -> String {
        guard let (kind, value) = encode(value) else { return "00:" }
        let text: String =
            switch value {
            case .null: ""
            case .integer(let number): String(number)
            case .real(let number): String(number)
            case .text(let text): text
            case .blob(let bytes): Data(bytes).base64EncodedString()
            }
        return "\(kind.rawValue)\(text.utf8.count):\(text)"
    }

    /// The values of a packed text.
    static func unpacked(_ text: String) -> [FilterValue] {
        var values: [FilterValue] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst(), let kind = FilterKind(rawValue: Character(Unicode.Scalar(first))) {
            let digits = rest.prefix { $0 != UInt8(ascii: ":") }
            let count = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            rest = rest.dropFirst(digits.count + 1)
            values.append(decode(String(decoding: rest.prefix(count), as: UTF8.self), packed: kind))
            rest = rest.dropFirst(count)
        }
        return values
    }

    private static func decode(_ text: String, packed kind: FilterKind) -> FilterValue {
        switch kind {
        case .null: .null
        case .integer, .boolean: Int64(text).map { decode(.integer($0), as: kind) } ?? .null
        case .real, .moment: Double(text).map { decode(.real($0), as: kind) } ?? .null
        case .data: Data(base64Encoded: text).map(FilterValue.data) ?? .null
        default: decode(.text(text), as: kind)
        }
    }
}
