import Foundation

extension FilterValue: CustomStringConvertible {
    /// The canonical text of the value; the text of an object cannot be read.
    public var description: String {
        switch self {
        case .null: "nil"
        case .integer(let number): String(number)
        case .double(let number): number.isFinite ? number.description : "CAST(\"\(number)\", \"Double\")"
        case .decimal(let number): "CAST(\"\(number)\", \"NSDecimalNumber\")"
        case .string(let text): text.quotedForFilter
        case .date(let date):
            "CAST(\(FilterValue.double(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
        case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case .url(let url): "CAST(\(url.absoluteString.quotedForFilter), \"NSURL\")"
        case .boolean(let flag): flag ? "TRUE" : "FALSE"
        case .list(let values): "{\(values.map(\.description).joined(separator: ", "))}"
        case .object(let reference): "OBJECT(\(reference.base))"
        }
    }
}
