import Foundation

/// The property list that names the current version of a bundle.
struct CurrentVersion: Decodable {
    /// The name of the current version with its extension; nil if the list has none.
    let name: String?

    private enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }

    /// Reads the list, as XML or binary.
    ///
    /// Such a list has a few hundred bytes, so a larger file is refused without decoding it.
    init(_ bytes: [UInt8], file: String) throws {
        guard bytes.count <= 4096, let list = try? PropertyListDecoder().decode(Self.self, from: Data(bytes)) else {
            throw ModelError(["the property list cannot be read; save it as XML or remove it"], file: file)
        }
        self = list
    }
}
