import Testing
import Tributary
import TributarySQLite

@Suite struct CoercionTests {
    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
        .json, .transformable,
    ]
    private let model: Model

    init() throws {
        var entity = EntityDescription("Thing")
        entity.attributes = CoercionTests.types.map { type in
            var attribute = AttributeDescription("a\(type)".filter { $0 != " " }, type)
            if type == .transformable { attribute.transformerName = "bytes" }
            return attribute
        }
        model = try Model(ModelDescription([entity]))
    }

    /// The value that a JSON text is coerced to, or the code of its error.
    private func outcome(_ json: String, as type: AttributeType, isKey: Bool = false) throws -> Outcome {
        let attribute = try #require(model["Thing"]?.attributes.first { $0.type == type })
        var options = ReadOptions()
        options.limits.depth = 600
        let reader = RecordReader(from: .text("[{\"v\":\(json)}]"), options: options)
        let chunk = try #require(try reader.next())
        do {
            return .value(try Coercion(attribute, isKey: isKey).value(chunk[0]["v"]))
        } catch let error as JSONError {
            #expect(error.path == "$[0].v")
            return .code(error.code)
        }
    }

    private enum Outcome: Equatable {
        case value(SQLValue)
        case code(JSONError.Code)
    }

    @Test("JSON values become the stored values of each attribute type")
    func valuesAreKeptAsTheStoreKeepsThem() throws {
        #expect(try outcome("true", as: .boolean) == .value(.integer(1)))
        #expect(try outcome("false", as: .boolean) == .value(.integer(0)))
        #expect(try outcome("-12", as: .integer64) == .value(.integer(-12)))
        #expect(try outcome("1.0", as: .integer32) == .value(.integer(1)))
        #expect(try outcome("1e3", as: .integer16) == .value(.integer(1000)))
        #expect(try outcome("0.1", as: .double) == .value(.real(0.1)))
        #expect(try outcome("0.1", as: .float) == .value(.real(Double(Float(0.1)))))
        #expect(try outcome("7", as: .double) == .value(.real(7)))
        #expect(try outcome("0.10", as: .decimal) == .value(.text("0.1")))
        #expect(try outcome("\"12345678901234567890.5\"", as: .decimal) == .value(.text("12345678901234567890.5")))
        #expect(try outcome("\"a\\u00e9\\u0000\"", as: .string) == .value(.text("aé\0")))
        #expect(try outcome("\"1970-01-02T00:00:00.5Z\"", as: .date) == .value(.real(86400.5)))
        #expect(try outcome("\"aGk=\"", as: .binary) == .value(.blob([104, 105])))
        #expect(
            try outcome("\"0f8fad5b-d9cb-469f-a165-70867728950e\"", as: .uuid)
                == .value(.text("0F8FAD5B-D9CB-469F-A165-70867728950E")))
        #expect(try outcome("\"https://a.b/c?d\"", as: .uri) == .value(.text("https://a.b/c?d")))
        #expect(try outcome("{ \"b\" : [ 1.50, \"x y\" ] }", as: .json) == .value(.text(#"{"b":[1.50,"x y"]}"#)))
    }

    @Test("Null and a missing value become null for every attribute type", arguments: types)
    func nothingIsNull(_ type: AttributeType) throws {
        #expect(try outcome("null", as: type) == .value(.null))
        let attribute = try #require(model["Thing"]?.attributes.first { $0.type == type })
        let chunk = try #require(try RecordReader(from: .text("[{}]")).next())
        #expect(try Coercion(attribute, isKey: true).value(chunk[0]["v"]) == .null)
    }

    @Test("A value of another JSON type or format is refused, not converted")
    func nothingIsCoerced() throws {
        #expect(try outcome("\"12\"", as: .integer64) == .code(.convertType))
        #expect(try outcome("12", as: .string) == .code(.convertType))
        #expect(try outcome("1.5", as: .integer64) == .code(.convertType))
        #expect(try outcome("1", as: .boolean) == .code(.convertType))
        #expect(try outcome("\"1\"", as: .double) == .code(.convertType))
        #expect(try outcome("true", as: .integer64) == .code(.convertType))
        #expect(try outcome("[]", as: .string) == .code(.convertType))
        #expect(try outcome("1714521600", as: .date) == .code(.convertType))
        #expect(try outcome("\"x\"", as: .transformable) == .code(.convertType))
        #expect(try outcome("\"tomorrow\"", as: .date) == .code(.convertFormat))
        #expect(try outcome("\"0x10\"", as: .decimal) == .code(.convertFormat))
        #expect(try outcome("\"1 \"", as: .decimal) == .code(.convertFormat))
        #expect(try outcome("\"no\"", as: .uuid) == .code(.convertFormat))
        #expect(try outcome("\"!\"", as: .binary) == .code(.convertFormat))
    }

    @Test("JSON is stored up to the depth that can be read back, and refused beyond it")
    func jsonIsReadableAgain() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try outcome(deep, as: .json) == .value(.text(deep)))
        #expect(try JSONText(deep).text == deep)
        #expect(try outcome("[\(deep)]", as: .json) == .code(.convertFormat))
        #expect(throws: JSONTextError.self) { try JSONText("[\(deep)]") }
        #expect(try outcome("\"\(String(repeating: "[\\\"{", count: 600))\"", as: .json) != .code(.convertFormat))
    }

    @Test("Numbers beyond the range of their attribute type are refused")
    func widthsAreKept() throws {
        #expect(try outcome("32767", as: .integer16) == .value(.integer(32767)))
        #expect(try outcome("32768", as: .integer16) == .code(.convertRange))
        #expect(try outcome("-2147483648", as: .integer32) == .value(.integer(-2_147_483_648)))
        #expect(try outcome("2147483648", as: .integer32) == .code(.convertRange))
        #expect(try outcome("9223372036854775807", as: .integer64) == .value(.integer(.max)))
        #expect(try outcome("9223372036854775808", as: .integer64) == .code(.convertRange))
        #expect(try outcome("1e39", as: .float) == .code(.convertRange))
        #expect(try outcome("1e309", as: .double) == .code(.convertRange))
        #expect(try outcome("1\(String(repeating: "2", count: 40))", as: .decimal) == .code(.convertRange))
    }

    @Test("A key converts text to a whole number, and a number to its shortest text")
    func keysMeetHalfway() throws {
        #expect(try outcome("\"12\"", as: .integer64, isKey: true) == .value(.integer(12)))
        #expect(try outcome("\"-9223372036854775808\"", as: .integer64, isKey: true) == .value(.integer(.min)))
        for text in ["", "012", " 12", "12 ", "1.0", "1e3", "+1", "0x1", "١٢", "--1", "-"] {
            #expect(try outcome("\"\(text)\"", as: .integer64, isKey: true) == .code(.convertFormat), "\(text)")
        }
        #expect(try outcome("\"40000\"", as: .integer16, isKey: true) == .code(.convertRange))
        for number in ["12", "12.0", "1.2e1", "120e-1"] {
            #expect(try outcome(number, as: .string, isKey: true) == .value(.text("12")), "\(number)")
        }
        #expect(try outcome("-0", as: .string, isKey: true) == .value(.text("0")))
        #expect(try outcome("1.50", as: .string, isKey: true) == .value(.text("1.5")))
        #expect(try outcome("-2.5e-3", as: .string, isKey: true) == .value(.text("-0.0025")))
        #expect(try outcome("1e500", as: .string, isKey: true) == .code(.convertRange))
        #expect(try outcome("true", as: .string, isKey: true) == .code(.convertType))
        #expect(try outcome("\"true\"", as: .boolean, isKey: true) == .code(.convertType))
    }

    @Test("A number for a date is refused with a hint to state its unit")
    func datesTellWhyNumbersAreRefused() throws {
        let attribute = try #require(model["Thing"]?.attributes.first { $0.type == .date })
        let chunk = try #require(try RecordReader(from: .text("[{\"v\":1}]")).next())
        let error = #expect(throws: JSONError.self) { try Coercion(attribute, isKey: false).value(chunk[0]["v"]) }
        #expect(error?.hint == "convert it in a setter with date(_:format:), from seconds or milliseconds")
    }
}
