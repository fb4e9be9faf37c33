import Foundation
import TributaryJSON

/// The files named on the command line, with the exact bytes of their names, which need not be UTF-8.
struct NamedFiles {
    /// The arguments that `next` has not returned yet.
    private var words: [[UInt8]] = (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { word in
            Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
        }
    }

    /// The file of the next argument whose text is `name`.
    mutating func next(_ name: String) -> FileSource {
        guard let index = words.firstIndex(where: { String(decoding: $0, as: UTF8.self) == name }) else {
            return FileSource(name)
        }
        return FileSource(pathBytes: words.remove(at: index))
    }
}
