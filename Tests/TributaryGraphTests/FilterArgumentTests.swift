import Foundation
import Testing
import TributaryGraph

@Suite struct FilterArgumentTests {
    @Test("Interpolated values become constants, whatever text they contain")
    func interpolatedValuesAreConstants() throws {
        let hostile = "x\" OR \"1\" == \"1"
        let filter: Filter = "age > \(7) AND \(key: "first name") BEGINSWITH[c] \(hostile)"
        #expect(filter.error == nil)
        #expect(
            filter
                == .and([
                    Filter(.keyPath(["age"]), .greater, .constant(7)),
                    Filter(
                        .keyPath(["first name"]), .beginsWith, .constant(.string(hostile)),
                        options: .caseInsensitive),
                ]))
        #expect(try Filter(format: filter.description) == filter)
    }

    @Test("Filters, expressions, lists and nil can be interpolated")
    func filtersAndExpressionsAreInterpolated() throws {
        let adult: Filter = "age > 17"
        let path = FilterExpression.keyPath(["a", "b"])
        #expect("NOT \(adult) AND \(path) IN \([1, 2])" as Filter == "NOT age > 17 AND a.b IN {1, 2}")
        #expect("(\(adult) OR b == 1)" as Filter == "age > 17 OR b == 1")
        let nothing: Int? = nil
        #expect("a == \(nothing)" as Filter == "a == nil")
        #expect("a % 2 == 1" as Filter == "modulus:by:(a, 2) == 1")
    }

    @Test("A malformed literal keeps its error and throws it when it is used")
    func malformedLiteralsAreRemembered() throws {
        let filter: Filter = "age >"
        let error = try #require(filter.error)
        #expect(error.position?.offset == 5)
        #expect(throws: error) { try filter.validate() }
        #expect(throws: error) { try filter.matches(FilterItem("x")) }
        #expect(throws: error) { try filter.substituting([:]) }
        #expect((filter && "a == 1").error == error)
        #expect(("a == 1 OR \(filter)" as Filter).error == error)
        #expect(("name == '\("x")'" as Filter).error?.code == .text)
        #expect(("\(key: "a..b") == 1" as Filter).error?.code == .argument)
    }

    @Test("Format specifiers insert keys, numbers, text, lists and filters")
    func formats() throws {
        let filter = try Filter(
            format:
                "%K == %@ AND a == %d AND b == %ld AND c == %llu AND d == %f AND e == %lf AND f == %s AND g == '%@'",
            "x.y", "it's", Int32(-1), 2, UInt64(3), 1.5, Float(0.5), "s")
        #expect(
            filter == """
                x.y == "it's" AND a == -1 AND b == 2 AND c == 3 AND d == 1.5 AND e == 0.5 AND f == "s" AND g == "%@"
                """)
        #expect(try Filter(format: "%@ IN names", arguments: ["a", "b"]) == "'a' IN names")
        #expect(try Filter(format: "%@ AND a == 1", Filter.always) == "TRUEPREDICATE AND a == 1")
        #expect(try Filter(format: "%K.b[0] == %i", "first name", 2.9) == "#'first name'.b[0] == 2")
    }

    @Test("A format with missing or unsuitable arguments fails to parse")
    func argumentsThatDoNotFit() {
        #expect(filterFailure("a == %@")?.description == "filter:1:6: an argument is missing; character 5")
        #expect(filterFailure("a == %d", "x")?.code == .argument)
        #expect(filterFailure("%K == 1", 1)?.code == .argument)
        #expect(filterFailure("a == %y", 1)?.code == .syntax)
        #expect(filterFailure("a == %")?.code == .syntax)
        #expect(filterFailure("a == %s", 1)?.code == .argument)
    }

    @Test("Variables are substituted, except those that a subquery binds")
    func variablesAreSubstituted() throws {
        let filter: Filter = "a == $a AND SUBQUERY(items, $x, $x.n == $a AND $x.m == $b).@count > 0"
        let expected: Filter = "a == 5 AND SUBQUERY(items, $x, $x.n == 5 AND $x.m == $b).@count > 0"
        #expect(try filter.substituting(["a": 5, "x": 6]) == expected)
        #expect(try filterHolds("1 == $a", variables: ["a": 1]))
        #expect(throws: FilterError.self) { try filterHolds("1 == $a") }
        #expect(try filterHolds("$a == nil", variables: ["a": nil]))
    }
}
