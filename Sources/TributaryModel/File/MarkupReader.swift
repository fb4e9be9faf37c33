/// Reads the XML of model files, whose elements have no text.
///
/// Unlike a system parser, it reports the same errors at the same positions on every platform, and is safe for
/// untrusted files: entities cannot be declared, nothing outside the file is read, and depth and number of elements are
/// limited. A character reference may name any Unicode scalar, including control characters, so that every text can be
/// written and read back.
struct MarkupReader {
    let bytes: [UInt8]
    var index = 0
    private var line = 1
    private var lineIndex = 0
    private var open: [MarkupElement] = []
    private var count = 0

    /// The root element of a file; an error has the line and the column.
    package static func read(_ bytes: [UInt8], file: String) throws -> MarkupElement {
        let text = try MarkupText.utf8(bytes, file: file)
        var reader = MarkupReader(bytes: text)
        do {
            return try reader.document()
        } catch let error as MarkupError {
            let before = text[..<min(error.offset, text.count)]
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            throw ModelError([error.message], file: file, line: line, column: before.count - start + 1)
        }
    }

    private mutating func document() throws -> MarkupElement {
        var root: MarkupElement?
        let first = bytes[index...].first { !Self.isSpace($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { throw fail("a model is XML; this is JSON") }
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let text = try text(until: UInt8(ascii: "<"))
                guard !open.isEmpty || text.utf8.allSatisfy(Self.isSpace) else {
                    throw fail("there is text outside the root element")
                }
            } else if skip("<!--") {
                try skip(through: "-->", "a comment")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw fail("there is text outside the root element") }
                try skip(through: "]]>", "a CDATA section")
            } else if skip("<?") {
                try skip(through: "?>", "a processing instruction")
            } else if skip("<!DOCTYPE") {
                guard open.isEmpty, root == nil else { throw fail("a DOCTYPE must come first") }
                try skipDocumentType()
            } else if skip("</") {
                if let closed = try endTag() { root = closed }
            } else {
                guard root == nil else { throw fail("there is a second root element") }
                if let closed = try startTag() { root = closed }
            }
        }
        if let unclosed = open.last { throw fail("the file ends inside <\(unclosed.name)> of line \(unclosed.line)") }
        guard let root else { throw fail("there is no XML element in the file") }
        return root
    }

    /// Reads a start tag; returns the root element if the tag also closes it.
    private mutating func startTag() throws -> MarkupElement? {
        let start = index
        index += 1
        let name = try name("an element")
        var attributes: [String: String] = [:]
        var closes = false
        while true {
            let spaced = skipSpace()
            if skip("/>") {
                closes = true
                break
            }
            if skip(">") { break }
            guard spaced else { throw fail("expected a space, \">\" or \"/>\" in <\(name)>") }
            let key = try self.name("an attribute")
            _ = skipSpace()
            guard skip("=") else { throw fail("expected \"=\" after attribute \"\(key)\"") }
            _ = skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
                throw fail("expected a quoted value for attribute \"\(key)\"")
            }
            let quote = bytes[index]
            let valueStart = index
            index += 1
            let value = try text(until: quote)
            guard index < bytes.count else {
                throw MarkupError(message: "the value of \"\(key)\" has no end", offset: valueStart)
            }
            index += 1
            guard attributes.updateValue(value, forKey: key) == nil else {
                throw MarkupError(message: "attribute \"\(key)\" appears twice in <\(name)>", offset: start)
            }
        }
        count += 1
        guard count <= MarkupLimits.elements else {
            throw fail("there are more than \(MarkupLimits.elements) elements")
        }
        guard open.count < MarkupLimits.depth else {
            throw fail("elements are nested deeper than \(MarkupLimits.depth)")
        }
        open.append(MarkupElement(name: name, attributes: attributes, line: line(at: start)))
        return closes ? close() : nil
    }

    private mutating func endTag() throws -> MarkupElement? {
        let start = index - 2
        let name = try name("an element")
        _ = skipSpace()
        guard skip(">") else { throw fail("expected \">\" after </\(name)") }
        guard let element = open.last, element.name == name else {
            let expected = open.last.map { ", expected </\($0.name)>" } ?? ", but no element is open"
            throw MarkupError(message: "found </\(name)>\(expected)", offset: start)
        }
        return close()
    }

    /// Closes the innermost element and adds it to its parent; returns it if it is the root element.
    private mutating func close() -> MarkupElement? {
        guard let element = open.popLast() else { return nil }
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        return nil
    }

    /// The line of an offset, which must not be less than the offset of the previous call.
    private mutating func line(at offset: Int) -> Int {
        while lineIndex < offset {
            if bytes[lineIndex] == UInt8(ascii: "\n") { line += 1 }
            lineIndex += 1
        }
        return line
    }
}
