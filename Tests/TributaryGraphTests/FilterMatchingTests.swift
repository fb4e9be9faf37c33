import Foundation
import Testing
import TributaryGraph

@Suite struct FilterMatchingTests {
    @Test(
        "Comparisons with nil or between unlike types have defined results",
        arguments: [
            ("nil == nil", true), ("nil != nil", false), ("nil == 1", false), ("nil != 1", true), ("1 != nil", true),
            ("nil < 1", false), ("nil > 1", false), ("1 < nil", false), ("nil <= nil", true), ("nil >= nil", true),
            ("nil <= 1", false), ("nil >= 1", false), ("1 <= nil", false),
            ("nil CONTAINS 'a'", false), ("nil BEGINSWITH ''", false), ("nil ENDSWITH ''", false),
            ("nil LIKE '*'", false),
            ("nil MATCHES '.*'", false), ("'' MATCHES ''", true), ("'a' MATCHES ''", false), ("nil IN {1}", false),
            ("nil IN 'a'", false), ("nil BETWEEN {1, 2}", false),
            ("1 BETWEEN nil", false), ("'a' CONTAINS nil", false), ("nil IN {1, nil}", true), ("NOT (nil < 3)", true),
            ("'1' == 1", false), ("'1' != 1", true), ("'1' < 2", false), ("'1' > 0", false), ("'1' IN {1}", false),
            ("1 == TRUE", true), ("0 == FALSE", true), ("2 == TRUE", false), ("1 == 1.0", true), ("2 < 2.5", true),
            ("21 ==[cd] 21.0", true), ("1 BEGINSWITH '1'", false), ("CAST(1, 'NSDate') == 1", false),
        ])
    func nothing(_ text: String, _ expected: Bool) throws {
        #expect(try filterHolds(text) == expected)
    }

    @Test("Numbers of different types are compared exactly")
    func numbersAreComparedExactly() throws {
        let large: Int64 = 9_007_199_254_740_993
        let one = Decimal(1)
        func matches(_ filter: Filter) throws -> Bool { try filter.matches(FilterItem("x")) }
        #expect(try !matches("\(large) == \(9_007_199_254_740_992.0)"))
        #expect(try matches("\(large) > \(9_007_199_254_740_992.0)"))
        #expect(try matches("\(Int64.max) < \(0x1p63)"))
        #expect(try matches("\(Int64.min) == \(-0x1p63)"))
        #expect(try matches("\(one / 10) == 0.1 AND \(one / 10) < 0.2 AND \(one) == 1 AND \(one) == TRUE"))
        #expect(try matches("\(Decimal(Int64.max)) == \(Int64.max) AND \(Decimal(Int64.max)) < \(UInt64.max)"))
        #expect(try !matches("\(Double.nan) == \(Double.nan) OR \(Double.nan) < 1 OR 1 <= \(Double.nan)"))
        #expect(try matches("\(Double.infinity) > \(Int64.max) AND \(Double.infinity) > \(one)"))
    }

    @Test(
        "Operators, functions and casts compute their values",
        arguments: [
            ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 == 9", true), ("7 / 2 == 3", true), ("7 / 2.0 == 3.5", true),
            ("7 / 0 == nil", true), ("7.0 / 0 == nil", true), ("-7 %% 3 == -1", true), ("2 ** 10 == 1024", true),
            ("2 ** -1 == 0.5", true), ("9223372036854775807 + 1 > 9223372036854775806", true), ("nil + 1 == nil", true),
            ("6 & 3 == 2", true), ("6 | 3 == 7", true), ("6 ^ 3 == 5", true), ("1 << 4 == 16", true),
            ("~0 == -1", true),
            ("16 >> 2 == 4", true), ("1.5 & 1 == nil", true), ("-(3) == -3", true), ("1 + TRUE == 2", true),
            ("CAST(10, 'NSDate') + 5 == CAST(15, 'NSDate')", true),
            ("CAST(10, 'NSDate') - CAST(4, 'NSDate') == 6", true), ("CAST('0.1', 'NSDecimalNumber') * 3 == 0.3", true),
            ("sqrt(16) == 4 AND abs(-3) == 3 AND floor(1.5) == 1 AND ceiling(1.5) == 2 AND trunc(-1.5) == -1", true),
            ("log(100) == 2 AND ln(1) == 0 AND exp(0) == 1 AND randomn(1) == 0 AND random() < 1", true),
            ("length('e\u{301}') == 2 AND uppercase('a') == 'A' AND lowercase('A') == 'a'", true),
            ("canonical('\u{c9}T\u{c9}') == 'ete' AND now() > CAST(0, 'NSDate') AND noindex:(1) == 1", true),
            ("sum({1, 2, 3}) == 6 AND sum(1, 2) == 3 AND count({}) == 0 AND average({1, 2}) == 1.5", true),
            ("min({3, nil, 2}) == 2 AND max({3, nil, 2}) == 3 AND median({1, 2, 10}) == 2 AND max({}) == nil", true),
            ("mode({1, 2, 2}) == {2} AND stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2", true),
            ("{1, 2} UNION {2, 3} == {1, 2, 3} AND {1, 2} INTERSECT {2, 3} == {2}", true),
            ("{1, 2} MINUS {2} == {1}", true),
            ("{1, 2}[0] == 1 AND {1, 2}[LAST] == 2 AND {1, 2}[SIZE] == 2 AND {1}[5] == nil AND {}[FIRST] == nil", true),
            ("CAST('12', 'NSNumber') == 12 AND CAST(12.7, 'Int64') == 12 AND CAST((12), 'NSString') == '12'", true),
            ("TERNARY(1 > 2, 'a', 'b') == 'b'", true),
            ("5 BETWEEN {1, 5}", true), ("5 BETWEEN {6, 1}", false), ("5 BETWEEN {5, 1}", false),
            ("'b' BETWEEN {'a', 'c'}", true),
        ])
    func computing(_ text: String, _ expected: Bool) throws {
        #expect(try filterHolds(text) == expected)
    }

    @Test(
        "Unsuitable operands, patterns and keys throw",
        arguments: [
            "'a' + 1 == 1", "length(1) == 1", "sqrt('a') == 1", "sum({'a'}) == 1", "1 BETWEEN {1}", "1 BETWEEN 2",
            "unknown == 1", "'a' MATCHES '('", "-('a') == 1", "'a'.b == 1", "{1}['a'] == 1",
        ])
    func faults(_ text: String) {
        #expect(throws: FilterError.self) { try filterHolds(text) }
    }

    @Test("Objects are equal by ID, and a path through nil gives nil")
    func objectsAreEqualById() throws {
        let boss = FilterItem("boss", ["name": "B"])
        let staff = FilterItem("staff", ["name": "S"], one: ["boss": boss, "deputy": nil])
        #expect(try ("boss == \(FilterReference("boss"))" as Filter).matches(staff))
        #expect(try ("SELF == \(FilterReference("staff"))" as Filter).matches(staff))
        #expect(try ("SELF IN \([FilterReference("x"), FilterReference("staff")])" as Filter).matches(staff))
        #expect(try ("boss != SELF AND boss.name == 'B'" as Filter).matches(staff))
        #expect(try ("deputy == nil AND deputy.name == nil AND deputy.boss.name != 'x'" as Filter).matches(staff))
        #expect(throws: FilterError.self) { try filterHolds("boss.salary == 1", staff) }
    }

    @Test("Filters are parsed as model files contain them")
    func everyLiteralOfAModelFileIsRead() throws {
        let names = ["employeeSalary >= 300 AND company == $company", "company.companyName == $companyName"]
        for name in names { #expect(try Filter(format: name).error == nil) }
    }
}
