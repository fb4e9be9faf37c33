import Foundation

/// Writes and reads profiles as JSON.
package enum ProfileCoding {
    /// The version of the form.
    static let version = 1

    /// A count that is possible, and of which many can be added.
    static let mostCount = 1 << 44

    /// The profile as one JSON object with its members in order; without values nothing of the values themselves.
    package static func encode(_ profile: DumpProfile, withoutValues: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.userInfo[.hidesValues] = withoutValues
        return Array(try encoder.encode(profile))
    }

    /// The profile of JSON that `encode` has written.
    package static func decode(_ bytes: [UInt8], from name: String) throws -> DumpProfile {
        do {
            return try JSONDecoder().decode(DumpProfile.self, from: Data(bytes))
        } catch let error as ImportError {
            throw error
        } catch {
            let reason = (error as? DecodingError).map(ProfileCoding.reason) ?? "\(error)"
            throw ImportError(
                .route, "\(name) is not a profile: \(reason)", hint: "write one with 'tributary inspect --json'")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(place(context)): no member \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): place(context)
        @unknown default: "\(error)"
        }
    }
}

extension CodingUserInfoKey {
    /// Whether nothing of the values themselves is written.
    static var hidesValues: CodingUserInfoKey {
        CodingUserInfoKey(rawValue: "hidesValues").unsafelyUnwrapped
    }
}

extension Encoder {
    var hidesValues: Bool { userInfo[.hidesValues] as? Bool ?? false }
}

extension KeyedDecodingContainer {
    /// A count that is not negative, and small enough to be added to others.
    func count(_ key: Key) throws -> Int {
        let count = try decodeIfPresent(Int.self, forKey: key) ?? 0
        guard (0...ProfileCoding.mostCount).contains(count) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(count) is not a count")
        }
        return count
    }

    func check(_ isValid: Bool, _ key: Key, _ reason: @autoclosure () -> String) throws {
        guard isValid else { throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason()) }
    }
}
