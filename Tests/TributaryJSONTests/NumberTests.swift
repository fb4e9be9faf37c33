import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Numbers are exact, whatever their size.
@Suite struct NumberTests {
    private func value(_ text: String) throws -> JSON { try record("{\"n\":\(text)}")["n"] }

    @Test(
        "A number with an integral value is read as an Int",
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("-42", -42), ("1.0", 1), ("1e3", 1000), ("1.5e1", 15), ("12000e-3", 12),
            ("-0.0", 0),
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("922337203685477580.7e1", Int.max),
            ("0e999999999999", 0),
        ])
    func integers(_ text: String, _ expected: Int) throws {
        #expect(try value(text).require(Int.self) == expected)
        #expect(try value(text).require(JSONNumber.self).exactly(Int.self) == expected)
    }

    @Test(
        "A fraction, a number beyond Int, and other types are errors for Int",
        arguments: [
            ("9223372036854775808", JSONError.Code.convertRange), ("-9223372036854775809", .convertRange),
            ("1e19", .convertRange),
            ("1.5", .convertType), ("1e-1", .convertType), ("1e999999999999", .convertRange), ("\"12\"", .convertType),
            ("true", .convertType),
        ])
    func whatIsNoInt(_ text: String, _ code: JSONError.Code) throws {
        let error = try #require(throws: JSONError.self) { try value(text).require(Int.self) }
        #expect(error.code == code)
    }

    @Test("Integers of other widths are read within their bounds and are errors beyond them")
    func otherWidths() throws {
        #expect(try value("255").require(UInt8.self) == 255)
        #expect(try value("-128").require(Int8.self) == -128)
        #expect(try value("18446744073709551615").require(UInt64.self) == .max)
        #expect(try value("65535").require(UInt16.self) == .max)
        for (text, type) in [("256", "UInt8"), ("-129", "Int8"), ("-1", "UInt"), ("18446744073709551616", "UInt64")] {
            let json = try value(text)
            #expect(throws: JSONError.self, "\(type)") {
                switch type {
                case "UInt8": _ = try json.require(UInt8.self)
                case "Int8": _ = try json.require(Int8.self)
                case "UInt": _ = try json.require(UInt.self)
                default: _ = try json.require(UInt64.self)
                }
            }
        }
    }

    @Test("A number is read as the nearest double, or is an error if out of range")
    func doublesAreTheNearest() throws {
        var random = SeededGenerator.fresh()
        for _ in 0..<20_000 {
            let digits = 1 + random.below(18)
            var text = random.once(in: 2) ? "-" : ""
            text += String(1 + random.below(9)) + (0..<digits).map { _ in String(random.below(10)) }.joined()
            if random.once(in: 2) {
                text.insert(".", at: text.index(text.endIndex, offsetBy: -1 - random.below(digits)))
            }
            if text.hasSuffix(".") { text += "0" }
            if random.once(in: 3) { text += "e\(random.below(40) - 20)" }
            #expect(try value(text).require(Double.self) == Double(text), "\(text), seed \(random.seed)")
        }
        #expect(try value("1e308").require(Double.self) == 1e308)
        #expect(try value("5e-324").require(Double.self) == .leastNonzeroMagnitude)
        #expect(try value("0e-999").require(Double.self) == 0)
        for text in ["1.8e308", "-1e400", "1e-400"] {
            #expect(throws: JSONError.self) { try value(text).require(Double.self) }
        }
        #expect(try value("0.1").require(Float.self) == 0.1)
        #expect(throws: JSONError.self) { try value("1e39").require(Float.self) }
    }

    @Test(
        "A number of up to 38 digits is read exactly as a Decimal",
        arguments: [
            "0", "0.1", "-123456789012345678901234567890.12345678", "99999999999999999999999999999999999999", "1e127",
            "-1e-127",
            "123.4500", "1E+2",
        ])
    func decimalsLoseNothing(_ text: String) throws {
        #expect(try value(text).require(Decimal.self) == Decimal(string: text))
    }

    @Test("A number that a Decimal cannot hold exactly is an error")
    func whatADecimalCannotHoldIsRefused() throws {
        for text in [
            "1" + String(repeating: "2", count: 38), "1e400", "1e-300", "0." + String(repeating: "7", count: 39),
        ] {
            #expect { try value(text).require(Decimal.self) } throws: { ($0 as? JSONError)?.code == .convertRange }
        }
    }

    /// Reading from JSON, parsing from text, and printing yield the same number.
    @Test("A Decimal prints like in Foundation and reads back as the same number")
    func decimalsAreWrittenAsFoundationWritesThem() throws {
        var random = SeededGenerator.fresh()
        for _ in 0..<3000 {
            var text = random.once(in: 3) ? "-" : ""
            let digits = (0..<1 + random.below(39)).map { _ in random.once(in: 3) ? "0" : "\(random.below(10))" }
            let whole = String(digits.joined().drop { $0 == "0" })
            text += whole.isEmpty ? "0" : whole
            if random.once(in: 2) { text += "." + (0...random.below(12)).map { _ in "\(random.below(10))" }.joined() }
            if random.once(in: 3) { text += "e\(random.below(280) - 140)" }
            let comment: Comment = "\(text), seed \(random.seed)"
            let decimal = try? value(text).require(Decimal.self)
            #expect(NumberLiteral(text)?.decimal == decimal.map { "\($0)" }, comment)
            guard let decimal else { continue }
            // Foundation parses its own output, but not every exponent.
            #expect(Decimal(string: "\(decimal)") == decimal, comment)
            #expect(NumberLiteral("\(decimal)")?.canonical == NumberLiteral(text)?.canonical, comment)
            if let same = Decimal(string: text), whole.count <= 38 { #expect(decimal == same, comment) }
        }
    }

    @Test("A JSONNumber keeps all digits of a number of any size")
    func numbersAsTheyStand() throws {
        let huge = "-123456789012345678901234567890123456789012345678901234567890"
        let number = try value(huge).require(JSONNumber.self)
        #expect(number.description == huge)
        #expect(number.isInteger)
        #expect(number.exactly(Int.self) == nil)
        #expect(try !value("0.5").require(JSONNumber.self).isInteger)
        #expect(
            try value("170141183460469231731687303715884105727").require(JSONNumber.self).exactly(Int128.self) == nil)
        #expect(
            try value("17014118346046923173168730371588410572").require(JSONNumber.self).exactly(Int128.self) != nil)
    }
}
