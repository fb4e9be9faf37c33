import Foundation

/// The property list that names the current version of a bundle.
enum CurrentVersion {
    private struct Binary: Decodable {
        let name: String?
        enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
    }

    /// The name of the current version with its extension; nil if the list has none.
    static func name(in bytes: [UInt8], file: String) throws -> String? {
        guard bytes.starts(with: "bplist".utf8) else {
            let root = try MarkupReader.read(bytes, file: file)
            guard let list = root.children("dict").first else { return nil }
            let index = list.children.firstIndex { $0.name == "key" && $0.text == "_XCCurrentVersionName" }
            guard let index, index + 1 < list.children.count, list.children[index + 1].name == "string" else {
                return nil
            }
            return list.children[index + 1].text
        }
        // Such a list has a few hundred bytes, so a larger file is refused without decoding it.
        guard bytes.count <= 4096, let list = try? PropertyListDecoder().decode(Binary.self, from: Data(bytes)) else {
            throw ModelError(["the property list cannot be read; save it as XML or remove it"], file: file)
        }
        return list.name
    }
}
