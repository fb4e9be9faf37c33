import Foundation
import TributaryJSON
import TributaryModel

/// Reading and writing mappings as JSON, with errors that name the wrong member.
enum MappingCoding {
    /// A text, a number or a truth value.
    struct Scalar: Codable {
        let value: ModelValue

        init(_ value: ModelValue) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self.value = .boolean(value)
            } else if let value = try? container.decode(Int64.self) {
                self.value = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self.value = .double(value)
            } else {
                value = .string(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .decimal(let value): try container.encode("\(value)")
            case .string(let value): try container.encode(value)
            case .date(let value): try container.encode(value.timeIntervalSince1970)
            case .data(let value): try container.encode(value.base64EncodedString())
            case .uuid(let value): try container.encode(value.uuidString)
            case .url(let value): try container.encode(value.absoluteString)
            }
        }
    }

    private struct AnyMember: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The members of an object, all of which must be known.
    static func container<Member: CodingKey & CaseIterable>(
        _ decoder: any Decoder, _ type: Member.Type
    ) throws -> KeyedDecodingContainer<Member> {
        let known = Member.allCases.map(\.stringValue)
        for key in try decoder.container(keyedBy: AnyMember.self).allKeys where !known.contains(key.stringValue) {
            let reason = "it is not one of \(known.joined(separator: ", "))"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: reason))
        }
        return try decoder.container(keyedBy: type)
    }

    /// Decodes a value from JSON.
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: [UInt8], from name: String) throws -> Value {
        func failure(_ path: [any CodingKey], _ reason: String) -> ImportError {
            let place = path.map { "." + Excerpt.escape($0.stringValue) }.joined()
            return ImportError(
                .route, "\(name): the mapping is wrong\(place.isEmpty ? "" : " at \(place)"): \(reason)",
                hint: "--print-map prints a mapping that can be edited")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(text))
        } catch DecodingError.typeMismatch(let expected, let context) {
            throw failure(context.codingPath, "expected \(MappingCoding.name(of: expected))")
        } catch DecodingError.valueNotFound(let expected, let context) {
            throw failure(context.codingPath, "found null, expected \(MappingCoding.name(of: expected))")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw failure(context.codingPath, "\(key.stringValue) is missing")
        } catch DecodingError.dataCorrupted(let context) {
            throw failure(context.codingPath, context.debugDescription)
        }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is any Numeric.Type: "a number"
        default: "an object"
        }
    }

    /// A value as JSON with sorted members.
    static func text(_ value: some Encodable, pretty: Bool = true) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        guard let data = try? encoder.encode(value) else { fatalError("internal error: a mapping cannot be encoded") }
        return String(decoding: data, as: UTF8.self)
    }
}
