import Foundation
import TributaryJSON

/// Arrays and objects with typed values inside.
extension ExtendedJSON {
    /// A container that is being written.
    private enum Open {
        case members(JSON.Members.Iterator)
        case elements(JSON.Elements.Iterator)
    }

    /// Whether there are typed values inside of a container.
    static func isAnywhere(in container: JSON) -> Bool {
        container.withRawBytes(mayHoldDollar) && container.holdsTyped { plain($0) != nil }
    }

    /// Whether there is a dollar sign, perhaps as an escape: without one no member begins with it.
    private static func mayHoldDollar(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        if memchr(start, 0x24, bytes.count) != nil { return true }
        var next = start
        while let found = memchr(next, 0x5C, start + bytes.count - next) {
            let rest = UnsafeRawBufferPointer(start: found, count: start + bytes.count - UnsafeRawPointer(found))
            if rest.starts(with: "\\u0024".utf8) { return true }
            next = UnsafeRawPointer(found) + min(2, rest.count)
        }
        return false
    }

    /// Calls `body` with a value in compact JSON, if `unwraps` with plain values in place of typed ones.
    static func withBytes(
        _ value: JSON, unwraps: Bool, _ scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard unwraps, isAnywhere(in: value) else { return value.withCompactBytes(&scratch, body) }
        var plain: [UInt8] = []
        append(value, to: &plain, &scratch)
        plain.withUnsafeBytes(body)
    }

    /// Appends a value in compact JSON, with plain values in place of typed ones, at any depth; `scratch` is memory to reuse.
    static func append(_ value: JSON, to text: inout [UInt8], _ scratch: inout [UInt8]) {
        var open: [Open] = []
        write(value, to: &text, &scratch, &open)
        while let innermost = open.popLast() {
            let next: JSON
            switch innermost {
            case .members(var members):
                guard let member = members.next() else {
                    text.append(UInt8(ascii: "}"))
                    continue
                }
                if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
                write(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                open.append(.members(members))
                next = member.value
            case .elements(var elements):
                guard let element = elements.next() else {
                    text.append(UInt8(ascii: "]"))
                    continue
                }
                if text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
                open.append(.elements(elements))
                next = element
            }
            write(next, to: &text, &scratch, &open)
        }
    }

    /// Writes a value without contents, or the beginning of a container.
    private static func write(_ value: JSON, to text: inout [UInt8], _ scratch: inout [UInt8], _ open: inout [Open]) {
        switch (plain(value), value.kind) {
        case (.null?, _): text += "null".utf8
        case (.text(let plain)?, _): write(plain, to: &text)
        case (.integer(let number)?, _): text += "\(number)".utf8
        case (.real(let number)?, _): text += "\(number)".utf8
        case (nil, .object):
            text.append(UInt8(ascii: "{"))
            open.append(.members(value.members.makeIterator()))
        case (nil, .array):
            text.append(UInt8(ascii: "["))
            open.append(.elements(value.elements.makeIterator()))
        default: value.withCompactBytes(&scratch) { text.append(contentsOf: $0) }
        }
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        text += string.jsonEscaped
        text.append(UInt8(ascii: "\""))
    }
}
