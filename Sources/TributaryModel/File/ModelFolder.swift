import Foundation

/// File system access for model files.
enum ModelFolder {
    /// The kind of the file at a path; nil if there is none, or if it is special, such as a pipe, which may never end.
    static func kind(of path: String) -> FileAttributeType? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
        let kind = attributes?[.type] as? FileAttributeType
        return kind == .typeRegular || kind == .typeDirectory ? kind : nil
    }

    /// The bytes of a file; throws for compiled models and files above the limit.
    static func bytes(of path: String) throws -> [UInt8] {
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            let size = try FileManager.default.attributesOfItem(atPath: resolved)[.size] as? Int ?? 0
            guard size <= MarkupLimits.bytes else {
                throw ModelError(
                    ["the file exceeds the limit of \(MarkupLimits.bytes) bytes for model files"], file: path)
            }
            let bytes = Array(try Data(contentsOf: URL(filePath: resolved)))
            guard !bytes.starts(with: "bplist".utf8) || name(of: path) == ".xccurrentversion" else {
                throw ModelError(
                    [
                        "the model is compiled or has the binary form from before Xcode 4.3; read the .xcdatamodeld it was made from"
                    ],
                    file: path)
            }
            return bytes
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(["the file cannot be read: \(error)"], file: path)
        }
    }

    /// Whether a file comes before another one by their names, in which numbers count by their value: `Library 2` comes
    /// before `Library 10`.
    static func precedes(_ one: String, _ other: String) -> Bool {
        NaturalOrder.precedes(name(of: one), name(of: other))
    }

    static func entries(of path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The last part of a path, without its extension.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        guard let point = last.lastIndex(of: "."), point != last.startIndex else { return last }
        return String(last[..<point])
    }
}
