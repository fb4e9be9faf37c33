#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The property list that names the current version of a bundle.
enum CurrentVersion {
    private struct Binary: Decodable {
        let name: String?
        enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
    }

    /// The name it gives, with the extension; nil if it gives none.
    static func name(in bytes: [UInt8], file: String) throws -> String? {
        guard bytes.starts(with: "bplist".utf8) else {
            let root = try MarkupReader.read(bytes, file: file)
            guard let list = root.children("dict").first else { return nil }
            let place = list.children.firstIndex { $0.name == "key" && $0.text == "_XCCurrentVersionName" }
            guard let place, place + 1 < list.children.count, list.children[place + 1].name == "string" else {
                return nil
            }
            return list.children[place + 1].text
        }
        // Such a list has some hundred bytes; more could only hurt.
        guard bytes.count <= 4096, let list = try? PropertyListDecoder().decode(Binary.self, from: Data(bytes)) else {
            throw ModelError(["the property list cannot be read; save it as XML or remove it"], file: file)
        }
        return list.name
    }
}
