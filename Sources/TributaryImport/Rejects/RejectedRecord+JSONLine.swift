package import TributaryStore
package import TributaryJSON

import Foundation

extension RejectedRecord {
    /// A reject of a run, before it is in a store.
    package init(_ reject: Reject, run: Int, route: ImportRoute?, keyName: String) {
        self.init()
        self.run = run
        (entity, at) = (route?.entityName, route?.path?.description)
        if let key = reject.key { (self.key, self.keyName) = (key, keyName) }
        let position = reject.error.position
        (file, byte, line, column) = (position?.file, position?.byte, position?.line, position?.column)
        (record, path) = (reject.record, reject.error.path)
        (code, reason) = (reject.error.code.rawValue, reject.error.reason)
        (start, length, raw) = (reject.offset, reject.length, reject.raw)
    }

    /// Reads a line of a file of rejects.
    init(_ line: Record) {
        self.init()
        func integer(_ key: String) -> Int? { try? (line[key] as JSON).require(Int.self) }
        func string(_ key: String) -> String? { try? (line[key] as JSON).require(String.self) }
        id = integer("reject").map(Int64.init) ?? 0
        (run, entity, at) = (integer("run") ?? 0, string("entity"), string("at"))
        (key, keyName) = (string("key"), string("keyAs"))
        (file, byte, self.line, column) = (string("file"), integer("byte"), integer("line"), integer("column"))
        (record, path) = (integer("record"), string("path"))
        (code, reason) = (string("code") ?? "", string("reason") ?? "")
        let bytes = string("rawBase64").flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        raw = string("raw").map { Array($0.utf8) } ?? bytes ?? []
        start = integer("start") ?? 0
        // Edited bytes may have another length, and are complete unless the line says otherwise.
        let isTruncated = (try? (line["truncated"] as JSON).require(Bool.self)) ?? false
        length = isTruncated ? max(raw.count + 1, integer("length") ?? 0) : raw.count
    }

    /// Appends the reject as one line of JSON, as in a file of rejects.
    ///
    ///     {"reject":7,"run":4,"entity":"User","file":"users.json","byte":211,"line":3,"column":17,"record":12,
    ///      "path":"$[11].name","code":"syntax.unexpected","reason":"found x, expected a value",
    ///      "start":190,"length":61,"raw":"{…}"}
    ///
    /// (on one line). Bytes that are not UTF-8 are in base64 under `rawBase64`; `truncated` says that only the first
    /// bytes are kept. `check` is a hash of the record, by which an edited line is recognized.
    public func appendJSONLine(to output: inout [UInt8]) {
        var writer = JSONLineWriter()
        if id > 0 { writer.add("reject", id) }
        writer.add("run", run)
        if let entity { writer.add("entity", entity) }
        if let at { writer.add("at", at) }
        if let key {
            writer.add("key", key)
            writer.add("keyAs", keyName ?? "")
        }
        var error = JSONError(.recoveryLost, reason)
        error.position = file.map { SourcePosition(file: $0, byte: byte ?? 0, line: line ?? 0, column: column ?? 0) }
        (error.record, error.path) = (record, path)
        writer.add(Reject(error: error, offset: start, length: length, raw: raw), code: code)
        writer.add("check", check)
        output += writer.finish()
    }

    /// A hash of the record and of what decides where it is imported, by which an edited line is recognized; the same in
    /// each run, for a source of any name.
    var check: String {
        var digest = ByteDigest()
        for text in [entity, at, key, key == nil ? nil : keyName] { digest.update(Array((text ?? "").utf8) + [0]) }
        digest.update(raw)
        return digest.text
    }

    /// Whether there is a whole record that can be imported.
    package var canBeRetried: Bool {
        !isTruncated && !raw.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// Whether both are the same reject of one store, even if one of them was edited.
    package func isSame(as other: RejectedRecord) -> Bool {
        (id, run, start, record) == (other.id, other.run, other.start, other.record)
            && (entity, file) == (other.entity, other.file)
    }
}
