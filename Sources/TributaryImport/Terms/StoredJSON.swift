import Foundation

/// JSON in the tables of imports.
package enum StoredJSON {
    /// A value as text that is the same for equal values.
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            fatalError("internal error: a value cannot be encoded: \(error)")
        }
    }
}
