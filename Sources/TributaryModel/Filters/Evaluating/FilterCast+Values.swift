import Foundation

extension FilterCast {
    /// The value converted to this type; null if that is not possible.
    package func cast(_ value: FilterValue) -> FilterValue {
        switch (self, value) {
        case (.string, _): string(value)
        case (.number, _): number(value)?.value ?? .null
        case (.integer, _): number(value)?.truncated.map(FilterValue.integer) ?? .null
        case (.double, _): number(value).map { .double($0.double) } ?? .null
        case (.decimal, _): decimal(value).map(FilterValue.decimal) ?? .null
        case (.boolean, _): number(value).map { .boolean($0.double != 0) } ?? .null
        case (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url): value
        case (.date, _): number(value).map { .date(Date(timeIntervalSinceReferenceDate: $0.double)) } ?? .null
        case (.data, .string(let text)): Data(base64Encoded: text).map(FilterValue.data) ?? .null
        case (.uuid, .string(let text)): UUID(uuidString: text).map(FilterValue.uuid) ?? .null
        case (.url, .string(let text)): URL(string: text).map(FilterValue.url) ?? .null
        case (.data, _), (.uuid, _), (.url, _): .null
        }
    }

    private func string(_ value: FilterValue) -> FilterValue {
        switch value {
        case .string: value
        case .integer(let number): .string(String(number))
        case .double(let number): .string(number.description)
        case .decimal(let number): .string("\(number)")
        case .boolean(let flag): .string(flag ? "1" : "0")
        case .uuid(let uuid): .string(uuid.uuidString)
        case .url(let url): .string(url.absoluteString)
        case .data(let data): String(data: data, encoding: .utf8).map(FilterValue.string) ?? .null
        case .date(let date): .string(date.timeIntervalSinceReferenceDate.description)
        default: .null
        }
    }

    private func number(_ value: FilterValue) -> FilterNumber? {
        switch value {
        case .string(let text):
            FilterNumber.literal(text) ?? (self == .double ? Double(text).map(FilterNumber.double) : nil)
        case .date(let date): .double(date.timeIntervalSinceReferenceDate)
        default: FilterNumber(value)
        }
    }

    private func decimal(_ value: FilterValue) -> Decimal? {
        guard case .string(let text) = value else { return number(value)?.asDecimal }
        if text == "NaN" { return Decimal.nan }
        return Double(text) == nil ? nil : Decimal(string: text)
    }
}
