/// Replaces NaN, Infinity and -Infinity outside of strings while a text is read.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class NonFiniteStream: StreamStage, @unchecked Sendable {
    let upstream: any ByteStream
    private let asText: Bool
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var outputStart = 0
    private var isInString = false
    private var isEscaped = false
    private var isAtEnd = false
    /// Whether the byte before is part of a word or number, in which no name begins.
    private var isInWord = false

    private static let names = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

    init(_ upstream: any ByteStream, asText: Bool) {
        self.upstream = upstream
        self.asText = asText
    }

    var isReady: Bool { outputStart < output.count || upstream.isReady }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        while outputStart == output.count {
            if isAtEnd { return 0 }
            let more = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { bytes, count in
                count = try upstream.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            isAtEnd = more.isEmpty
            input += more
            convert()
        }
        let count = min(target.count, output.count - outputStart)
        output.withUnsafeBytes {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[outputStart..<outputStart + count]))
        }
        outputStart += count
        return count
    }

    /// Moves input to the output; a name that may be incomplete stays.
    private func convert() {
        output.removeAll(keepingCapacity: true)
        outputStart = 0
        output.reserveCapacity(input.count + 64)
        var index = 0
        while index < input.count {
            let byte = input[index]
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                (isInString, isInWord) = (true, false)
            } else if !isInWord, byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "-") {
                let rest = input[index...]
                if !isAtEnd, NonFiniteStream.names.contains(where: { $0.count > rest.count && $0.starts(with: rest) }) {
                    break
                }
                if let name = NonFiniteStream.names.first(where: rest.starts) {
                    output += asText ? [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")] : Array("null".utf8)
                    index += name.count
                    isInWord = true
                    continue
                }
                isInWord = true
            } else {
                isInWord =
                    byte.isLetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "-")
            }
            output.append(byte)
            index += 1
        }
        input.removeFirst(index)
    }
}
