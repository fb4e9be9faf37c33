import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// A model of its own for attributes of JSON text.
private final class Place: ManagedObject {
    @Attribute var tags: JSONText?
    @Attribute var state: JSONText = .literal(#"{"a": [1]}"#)
}

/// JSON text as the value of an attribute.
@MainActor @Suite struct JSONTextTests {
    @Test(
        "Parsing removes white space outside strings and changes nothing else",
        arguments: [
            (" { \"b\" : [ 1 , 2.50 ,\t-0e+7 ] , \"a\" : { } }\r\n", "{\"b\":[1,2.50,-0e+7],\"a\":{}}"),
            ("\"a b\\\" c \\u0041\\/ \\\\\"", "\"a b\\\" c \\u0041\\/ \\\\\""), (" null ", "null"),
            ("[[ ],[\n]]", "[[],[]]"),
            ("123456789012345678901234567890.10", "123456789012345678901234567890.10"),
            ("\"\u{301}é😀\u{7f}\"", "\"\u{301}é😀\u{7f}\""),
            ("{\"a\":1, \"a\":2}", "{\"a\":1,\"a\":2}"), ("\"\\ud800\"", "\"\\ud800\""),
        ])
    func onlyBlanksGo(_ text: String, _ kept: String) throws {
        let json = try JSONText(text)
        #expect(json.text.utf8.elementsEqual(kept.utf8))
        #expect(try JSONText(json.text) == json)
    }

    @Test(
        "Invalid JSON is refused with its line, column and byte",
        arguments: [
            ("", "JSON:1:1: found the end, expected a value; byte 0"),
            ("[1,]", "JSON:1:4: found ], expected a value; byte 3"),
            ("{\"a\":1,}", "JSON:1:8: found }, expected a key; byte 7"),
            ("[1\n 2]", "JSON:2:2: found 2, expected , or ]; byte 4"),
            ("{\"a\" 1}", "JSON:1:6: found 1, expected :; byte 5"),
            ("01", "JSON:1:2: found 1, expected the end; byte 1"),
            ("-", "JSON:1:2: found the end, expected a digit; byte 1"),
            ("1.", "JSON:1:3: found the end, expected a digit; byte 2"),
            ("1e+", "JSON:1:4: found the end, expected a digit; byte 3"),
            ("+1", "JSON:1:1: found +, expected a value; byte 0"),
            ("NaN", "JSON:1:1: found N, expected a value; byte 0"),
            ("nul", "JSON:1:1: found n, expected a value; byte 0"),
            ("True", "JSON:1:1: found T, expected a value; byte 0"),
            ("\"a", "JSON:1:3: found the end, expected a quote; byte 2"),
            ("\"\\x\"", "JSON:1:3: found x, expected an escape; byte 2"),
            ("\"\\u12g4\"", "JSON:1:6: found g, expected four hex digits; byte 5"),
            ("\"\t\"", "JSON:1:2: found \\u0009, expected an escape instead of a control character; byte 1"),
            ("\u{FEFF}1", "JSON:1:1: found \u{FEFF}, expected a value; byte 0"),
            ("[é]", "JSON:1:2: found é, expected a value; byte 1"),
            ("'a'", "JSON:1:1: found ', expected a value; byte 0"),
            ("1 2", "JSON:1:3: found 2, expected the end; byte 2"),
        ])
    func whatIsNoJSONIsRefused(_ text: String, _ message: String) {
        let error = #expect(throws: JSONTextError.self) { try JSONText(text) }
        #expect(error?.description == message)
    }

    @Test("An invalid JSON literal traps")
    func literalsTrap() async {
        await #expect(processExitsWith: .failure) { _ = JSONText.literal("[1,") }
    }

    @Test("JSON may be nested 512 levels deep, and no deeper")
    func depthHasALimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONText(nested(511))
        let deepest = try JSONText(nested(512))
        #expect(deepest[0]?.text == nested(511))
        let error = #expect(throws: JSONTextError.self) { try JSONText(nested(513)) }
        #expect(error?.expected == "no more than 512 levels" && error?.offset == 512)
        #expect(throws: JSONTextError.self) { try JSONText(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("Members and elements are read as strings, numbers, Booleans and null")
    func valuesAreRead() throws {
        let json = try JSONText(
            #"{"s":"a\n\u00e9\ud83d\ude00\"","n":[1,2.5,-0,1e3,9223372036854775808,0.1],"b":true,"z":null,"s2":"\#u{301}x","a":1,"a":2,"":[]}"#
        )
        #expect(json["s"]?.string == "a\né😀\"" && json["s2"]?.string?.unicodeScalars.count == 2)
        #expect(json["n"]?.elements?.map(\.integer) == [1, nil, 0, 1000, nil, nil])
        #expect(json["n"]?.elements?.map(\.double) == [1, 2.5, 0, 1000, 9223372036854775808, 0.1])
        #expect(json["n"]?[5]?.decimal == Decimal(string: "0.1") && json["n"]?[4]?.numberText == "9223372036854775808")
        #expect(json["b"]?.bool == true && json["z"]?.isNull == true && json["z"]?.bool == nil)
        #expect(json["a"]?.integer == 2 && json[""]?.elements?.isEmpty == true && json["x"] == nil)
        #expect(json.members?.map(\.key) == ["s", "n", "b", "z", "s2", "a", "a", ""])
        #expect(json["n"]?[6] == nil && json["n"]?[-1] == nil && json[0] == nil && json.elements == nil)
        #expect(json["b"]?["x"] == nil && json["s"]?.integer == nil && json["n"]?.members == nil)
        #expect(try JSONText("\"\\ud800\"").string == nil && JSONText("\"\\ud800\\u0041\"").string == nil)
        #expect(try json["n"]?.decode([Double].self).count == 6)
    }

    @Test("A number is read as a decimal only if all its digits fit")
    func decimalsAreExactOrNone() throws {
        var random = SeededGenerator.fresh()
        for _ in 0..<500 {
            let digits = (0..<(1 + random.below(44))).map { _ in String(random.below(10)) }.joined()
            let whole = digits.drop { $0 == "0" }
            let power = random.below(60) - 30
            let text = (random.once(in: 2) ? "-" : "") + (whole.isEmpty ? "0" : String(whole)) + "e\(power)"
            let significant = String(whole.reversed().drop { $0 == "0" })
            let decimal = try JSONText(text).decimal
            #expect((decimal != nil) == (significant.count <= 38), "seed \(random.seed): \(text)")
            guard let decimal else { continue }
            let found = "\(decimal)".filter { $0 != "-" && $0 != "." }.drop { $0 == "0" }
            let kept = String(found.reversed().drop { $0 == "0" })
            #expect(kept == significant, "seed \(random.seed): \(text) \(decimal)")
        }
        #expect(
            try JSONText("1e127").decimal != nil && JSONText("1e400").decimal == nil && JSONText("1e400").double == nil)
        #expect(try JSONText("0.000").decimal == 0)
    }

    @Test("JSONText and Foundation accept the same texts, except trailing commas")
    func agreesWithFoundation() throws {
        var random = SeededGenerator.fresh()
        let pieces = [
            "[", "]", "{", "}", ",", ":", "\"a\"", "1", "-2.5", "true", "null", " ", "\"\\u00e9\"", "\"\\n", "0", ".",
        ]
        var valid = 0
        for _ in 0..<20_000 {
            let text = (0..<(1 + random.below(7))).map { _ in random.pick(pieces) }.joined()
            let ours = try? JSONText(text)
            let theirs = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            // Foundation accepts a trailing comma.
            let isLenient = text.filter { $0 != " " }.contains(/,[\]}]/)
            if (ours != nil) != (theirs != nil), ours != nil || !isLenient {
                Issue.record("seed \(random.seed): \(text)")
            }
            if ours != nil { valid += 1 }
        }
        #expect(valid > 500, "seed \(random.seed)")
    }

    @Test("Encoded values have sorted keys")
    func encodedValuesHaveSortedKeys() throws {
        let json = try JSONText(encoding: ["b": [1], "a": [2, 3], "/": []])
        #expect(json.text == #"{"/":[],"a":[2,3],"b":[1]}"#)
        #expect(try json.decode([String: [Int]].self)["a"] == [2, 3])
    }

    @Test("A JSON attribute stores compact text and refuses invalid JSON")
    func attributesKeepIt() throws {
        let model = try Model(ModelDescription(of: Place.self))
        let entity = try #require(model["Place"])
        #expect(entity.attributes.map(\.type) == [.json, .json])
        let tags = try #require(entity.attribute(named: "tags"))
        #expect(entity.attribute(named: "state")?.declaration.defaultValue == .string(#"{"a":[1]}"#))
        let manager = try ContextManager(model: model, classes: [Place.self], store: .memory)
        let place = manager.mainContext.insert(Place.self)
        #expect(place.tags == nil && place.state["a"]?[0]?.integer == 1)
        place.tags = try JSONText("[1, 2]")
        #expect(place.tags?.text == "[1,2]")
        try Row.temporary(2) { row in
            try tags.write(.string(" [1 ] "), to: row)
            #expect(tags.filterValue(in: row) == .string("[1]"))
            #expect(throws: AttributeError.self) { try tags.write(.string("[1"), to: row) }
        }
        let filter = try \Place.tags == JSONText("[ 1 ]")
        #expect(filter == (try Filter(format: "tags == '[1]'")))
    }

    @Test("A default value is converted to its attribute's type, or reported")
    func defaultsAreKeptAsTheirType() throws {
        var entity = makeEntity(
            "E",
            [
                makeAttribute("j", .json, default: .string("[1, 2]")),
                makeAttribute("d", .double, default: .integer(3)), makeAttribute("p", .decimal, default: .integer(4)),
            ])
        let model = try Model(ModelDescription([entity]))
        let resolved = try #require(model["E"])
        let manager = try ContextManager(model: model, store: .memory)
        let object = try manager.mainContext.insert(entity: "E")
        #expect(resolved.attributes.map { object[$0.name] } == ["[1,2]", 3.0, .decimal(4)])
        entity.attributes[0].defaultValue = .string("[1,")
        #expect(
            ModelSamples.faults(ModelDescription([entity])) == [
                "entity \"E\": attribute \"j\" of type JSON has a default value of another type; correct or remove it"
            ])
    }
}
