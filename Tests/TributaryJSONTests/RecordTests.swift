import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Values are read as the type of the left side.
@Suite struct RecordTests {
    @Test("A value is read as the type of the left side")
    func typedByTheLeftSide() throws {
        let record = try record(
            #"{"s":"x\u00e9\n","i":42,"d":1.5,"b":true,"n":null,"a":[1,2],"o":{"k":"v"},"u":"8-4","nest":{"in":{"x":[{"y":7}]}}}"#
        )
        let s: String? = record["s"]
        let i: Int = record["i"]
        let d: Double? = record["d"]
        let b: Bool = record["b"]
        let n: Int? = record["n"]
        let missing: Int? = record["nothing"]
        let a: [Int] = record["a"]
        let o: [String: String]? = record["o"]
        let y: Int? = record["nest"]["in"]["x"][0]["y"]
        #expect(s == "xé\n")
        #expect(i == 42)
        #expect(d == 1.5)
        #expect(b)
        #expect(n == nil && missing == nil)
        #expect(a == [1, 2])
        #expect(o == ["k": "v"])
        #expect(y == 7)
        #expect(record.failure == nil)
    }

    @Test("A missing value and null are distinguished")
    func missingAndNullAreTwoThings() throws {
        let record = try record(#"{"n":null,"o":{}}"#)
        #expect(record["n"].isNull && !record["n"].isMissing)
        #expect(record["m"].isMissing && !record["m"].isNull)
        #expect(record["o"]["x"]["y"].isMissing)
        #expect(record["n"].kind == .null && record["m"].kind == .missing)
        #expect(record["n"]["x"].isMissing)
    }

    @Test("A value of another type is nil, and the record remembers the first failure")
    func aWrongTypeIsRememberedNotSwallowed() throws {
        let chunk = try records("[{\"name\":17,\"tags\":[1,\"x\"]},{\"name\":\"ok\"}]")
        let name: String? = chunk[0]["name"]
        #expect(name == nil)
        let failure = try #require(chunk[0].failure)
        #expect(failure.code == .convertType)
        #expect(failure.reason == "found 17, expected a string")
        #expect(failure.path == "$[0].name")
        #expect(failure.record == 1)
        #expect(failure.position?.byte == 9)
        // The first failure is kept, and the other record has none.
        let tags: [Int]? = chunk[0]["tags"]
        #expect(tags == nil)
        #expect(chunk[0].failure == failure)
        let other: String? = chunk[1]["name"]
        #expect(other == "ok")
        #expect(chunk[1].failure == nil)
        chunk[0].clearFailure()
        #expect(chunk[0].failure == nil)
        let reject = chunk[0].reject(failure)
        #expect(reject.raw == Array("{\"name\":17,\"tags\":[1,\"x\"]}".utf8))
        #expect(reject.record == 1 && reject.offset == 1)
    }

    @Test("A required value that is missing or null fails the record")
    func aRequiredValueThatIsAbsentFailsTheRecord() throws {
        let record = try record(#"{"n":null,"in":{}}"#)
        let id: Int = record["id"]
        #expect(id == 0)
        #expect(record.failure?.code == .convertMissing)
        #expect(record.failure?.reason == "found no member id, expected a value")
        #expect(record.failure?.path == "$[0].id")
        record.clearFailure()
        let n: String = record["n"]
        #expect(n.isEmpty)
        #expect(record.failure?.reason == "found null, expected a value")
        let error = #expect(throws: JSONError.self) { try record["in"].require("deep", as: Int.self) }
        #expect(error?.path == "$[0].in.deep")
    }

    @Test("The failure of an element has the path to that element")
    func failuresOfElementsNameTheirPlace() throws {
        let record = try record(#"{"a":[{"b":1},{"b":[true,null]}]}"#)
        let error = #expect(throws: JSONError.self) { try record["a"][1]["b"].require([Bool].self) }
        #expect(error?.path == "$[0].a[1].b[1]")
        #expect(error?.code == .convertMissing)
        let optional = try record["a"][1]["b"].require([Bool?].self)
        #expect(optional == [true, nil])
    }

    @Test("Members and elements are iterated in the order of the source")
    func iterationKeepsTheOrder() throws {
        let record = try record(#"{"b":1,"a":{"x":[]},"b":3,"c":[[1],"two",null]}"#)
        #expect(record.members.map(\.key) == ["b", "a", "b", "c"])
        #expect(record.members.map(\.value.rawText) == ["1", "{\"x\":[]}", "3", "[[1],\"two\",null]"])
        #expect(record["c"].elements.map(\.kind) == [.array, .string, .null])
        #expect(record["c"].elements.count == 3)
        #expect(record["b"].elements.count == 0 && record["c"].members.count == 0)
        // The last one of duplicate keys counts.
        let b: Int? = record["b"]
        #expect(b == 3)
        #expect(record.duplicateKeys == 1)
    }

    @Test("The raw text of any value is as in the source")
    func rawBytesOfAnyPart() throws {
        let text = "[ {\"a\" : [ 1 , {\"b\":\"\\u0041\"} ] , \"c\":-1.50e+2,\"d\":true,\"e\":null} ]"
        let chunk = try records(text)
        let record = chunk[0]
        #expect(record.withRawBytes { String(decoding: $0, as: UTF8.self) } == String(text.dropFirst(2).dropLast(2)))
        #expect(record["a"].rawText == "[ 1 , {\"b\":\"\\u0041\"} ]")
        #expect(record["a"][1]["b"].rawText == "\"\\u0041\"")
        #expect(record["c"].rawText == "-1.50e+2")
        #expect(record["d"].rawText == "true")
        #expect(record["e"].rawText == "null")
        #expect(record["x"].rawText == "")
        #expect(record.value.compactText == "{\"a\":[1,{\"b\":\"\\u0041\"}],\"c\":-1.50e+2,\"d\":true,\"e\":null}")
        #expect("\(record["a"])" == "[1,{\"b\":\"\\u0041\"}]" && "\(record)" == record.value.compactText)
        #expect("\(record["absent"])".isEmpty)
    }

    @Test("A record knows its number, line, column, bytes and path")
    func placesOfRecords() throws {
        let text = "[\n{\"a\":1},\r\n  2,\n\n[\n3],\"four\"]"
        let chunk = try records(text)
        #expect(chunk.map(\.number) == [1, 2, 3, 4])
        #expect(chunk.map(\.line) == [2, 3, 5, 6])
        #expect(chunk.map(\.position.column) == [1, 3, 1, 4])
        for record in chunk {
            let bytes = Array(text.utf8)[record.offset..<record.offset + record.length]
            #expect(record.withRawBytes { Array($0) } == Array(bytes))
        }
        #expect(chunk.map { "\($0.path)" }.last == "\([PathStep.index(3)])")
    }

    @Test("A record of an object of records has its key as first member")
    func keyedRecords() throws {
        let chunk = try records("{\"al\\u0069ce\":{\"age\":1},\"bob\":[5]}", .members)
        #expect(chunk.map(\.key) == ["alice", "bob"])
        let key: String = chunk[0]["_key"]
        #expect(key == "alice")
        #expect(chunk[0].members.map(\.key) == ["_key", "age"])
        #expect(chunk[1]["_value"].rawText == "[5]")
        #expect(chunk[0].value.compactText == "{\"_key\":\"al\\u0069ce\",\"age\":1}")
        #expect(chunk[0].withRawBytes { String(decoding: $0, as: UTF8.self) } == "{\"age\":1}")
        #expect(chunk[1].path == [.key("bob")])
    }

    @Test("A key with escapes is found by its decoded text")
    func escapedAndPlainKeysAreTheSame() throws {
        let record = try record(#"{"\u0069d":1,"naïve":2,"a\"b":3,"":4}"#)
        let id: Int = record["id"]
        let naive: Int = record["naïve"]
        let quoted: Int = record["a\"b"]
        let empty: Int = record[""]
        let all: [Int] = [id, naive, quoted, empty]
        #expect(all == [1, 2, 3, 4])
        #expect(record["i"].isMissing && record["idx"].isMissing)
    }

    enum Color: String, JSONConvertible { case red, green }

    struct Point: JSONConvertible, Equatable {
        let x, y: Double
        init(json: JSON) throws {
            x = try json.require("x")
            y = try json.require("y")
        }
    }

    struct User: Decodable, Equatable {
        let id: Int
        let name: String
        let key: String?
        enum CodingKeys: String, CodingKey { case id, name, key = "_key" }
    }

    @Test("Enums and types with own conversions are read, and their failures remembered")
    func ownTypes() throws {
        let record = try record(#"{"c":"red","d":"blue","p":{"x":1,"y":2.5},"q":{"x":1}}"#)
        let color: Color? = record["c"]
        #expect(color == .red)
        let point: Point? = record["p"]
        #expect(point?.y == 2.5)
        #expect(record.failure == nil)
        let blue: Color? = record["d"]
        #expect(blue == nil)
        #expect(record.failure?.code == .convertFormat)
        record.clearFailure()
        let broken: Point? = record["q"]
        #expect(broken == nil)
        #expect(record.failure?.path == "$[0].q.y")
    }

    @Test("A record is read through Decodable, with its key")
    func decodable() throws {
        let chunk = try records("{\"u1\":{\"id\":1,\"name\":\"x\"}}", .members)
        let user: User = try chunk[0].decode()
        #expect(user.id == 1 && user.key == "u1")
        #expect(throws: (any Error).self) { try chunk[0].decode([Int].self) }
    }

    @Test("Text and keys with U+0000 are read completely")
    func textWithNULIsWhole() throws {
        let record = try record(#"{"a\u0000b":"x\u0000y"}"#)
        let text: String? = record["a\u{0}b"]
        #expect(text == "x\u{0}y")
        #expect(text?.utf8.count == 3)
    }

    @Test("Eight tasks can read one chunk at the same time")
    func chunksCanBeReadByManyThreads() async throws {
        let chunk = try records("[" + (0..<2000).map { "{\"id\":\($0),\"name\":\($0)}" }.joined(separator: ",") + "]")
        let sums = await withTaskGroup(of: Int.self) { group in
            for part in 0..<8 {
                group.addTask {
                    stride(from: part, to: chunk.count, by: 8).reduce(0) { sum, index in
                        let id: Int = chunk[index]["id"]
                        let wrong: String? = chunk[index]["name"]
                        return sum + id + (wrong == nil && chunk[index].failure != nil ? 0 : 1_000_000)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sums == (0..<2000).reduce(0, +))
    }
}
