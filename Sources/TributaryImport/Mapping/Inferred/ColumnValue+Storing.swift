import TributaryJSON
import TributaryModel
import TributarySQLite
import TributaryStore

/// Values of columns, as they are read and stored.
extension ColumnValue {
    /// The plain value of JSON; nil for null, an array or an object.
    init?(_ json: JSON, unwraps: Bool) {
        switch json.kind {
        case .string:
            guard let text = try? String(json: json) else { return nil }
            self.init(.text, text)
        case .number: self.init(.number, json.rawText)
        case .boolean: self.init(.boolean, json.compactText)
        case .object where unwraps:
            switch ExtendedJSON.plain(json) {
            case .text(let text): self.init(.text, text)
            case .integer(let number): self.init(.number, "\(number)")
            case .real(let number): self.init(.number, "\(number)")
            case .null, nil: return nil
            }
        case .missing, .null, .array, .object: return nil
        }
    }

    /// The value as JSON.
    var json: String { kind == .text ? "\"\(String(decoding: text.jsonEscaped, as: UTF8.self))\"" : text }

    /// Whether it can be a key: truth values are numbers in SQLite, and may only be one of several values.
    func canBeKey(alone: Bool) -> Bool {
        switch kind {
        case .text: true
        case .number: !InferredNumber.isText(text, .exact)
        case .boolean: !alone
        }
    }

    /// The value as a column keeps it, and its kind; `type` is the stated one of the column.
    ///
    /// - Throws: `ImportError` if it is not of that type.
    func stored(
        in column: String, _ type: ColumnInference.ColumnType?
    ) throws(ImportError) -> (value: SQLValue, kind: ValueKinds) {
        var value = self
        switch type {
        case .text: value = ColumnValue(.text, text)
        case .integer, .real:
            let literal = kind == .boolean ? (text == "true" ? "1" : "0") : text
            value = ColumnValue(.number, literal)
            let isWhole = NumberLiteral(literal)?.canonical.flatMap { Int64($0) } != nil
            guard type == .integer ? isWhole : Double(literal)?.isFinite ?? false, NumberLiteral(literal) != nil else {
                throw ImportError(
                    .route, "the default of \(column) is not of its type \(type?.rawValue ?? "")",
                    hint: "change the default or the type")
            }
        case .numeric, .any, nil: break
        }
        switch value.kind {
        case .text: return (.text(value.text), .text)
        case .boolean: return (.integer(value.text == "true" ? 1 : 0), .integer)
        case .number: return InferredNumber.stored(literal: value.text)
        }
    }
}
