import Foundation
package import TributaryStore
package import TributaryJSON
package import TributarySQLite

extension RowChange {
    /// The texts before and after the number of the run, with which a line begins.
    static var lineStart: (run: [UInt8], table: [UInt8]) { (Array("{\"run\":".utf8), Array(",\"table\":".utf8)) }

    /// The change as one JSON object on a line; bytes become Base64.
    package func jsonLine(run: Int) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("run", run)
        writer.add("table", table)
        writer.add("change", kind.rawValue)
        writer.add("key", json: RowChange.object(key))
        if kind != .inserted { writer.add("old", json: RowChange.object(old)) }
        if kind != .deleted { writer.add("new", json: RowChange.object(new)) }
        return writer.finish()
    }

    private static func object(_ values: [Value]) -> [UInt8] {
        var writer = JSONLineWriter()
        for value in values { writer.add(value.column, value.value) }
        return Array(writer.finish().dropLast())
    }
}

extension JSONLineWriter {
    /// Adds a value of a column.
    package mutating func add(_ name: String, _ value: SQLValue) {
        switch value {
        case .null: addNull(name)
        case .integer(let number): add(name, number)
        case .real(let number): add(name, number)
        case .text(let text): add(name, text)
        case .blob(let bytes): add(name, Data(bytes).base64EncodedString())
        }
    }
}
