import Foundation
import Testing
import TributaryGraph

@Suite struct FilterGrammarTests {
    /// The text that is parsed, and its canonical form.
    @Test(
        "A parsed filter has a canonical text, which parses to the same filter",
        arguments: [
            ("a = 1", "a == 1"),
            ("a <> 1", "a != 1"),
            ("a =< 1 or a => 2", "a <= 1 OR a >= 2"),
            ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
            ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
            ("a == 1 || b == 2 && !c == 3", "a == 1 OR (b == 2 AND NOT c == 3)"),
            ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
            ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
            ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND (b == 2 AND c == 3)"),
            ("((a == 1))", "a == 1"),
            ("(a) == (1)", "a == 1"),
            ("(a + 1) * 2 > 3", "(a + 1) * 2 > 3"),
            ("((a + 1)) * 2 > 3 AND (b == 1)", "(a + 1) * 2 > 3 AND b == 1"),
            ("a + 1 * 2 ** 3 == -4", "a + 1 * 2 ** 3 == -4"),
            ("a - (b - c) == a - b - c", "a - (b - c) == a - b - c"),
            ("a & 1 | 2 ^ 3 << 1 == ~b", "a & 1 | 2 ^ 3 << 1 == onesComplement(b)"),
            ("SOME tags.name == 'x'", "ANY tags.name == \"x\""),
            ("NONE tags.name == 'x'", "NOT ANY tags.name == \"x\""),
            ("ALL tags.n > 3", "ALL tags.n > 3"),
            ("a NOT IN {1, 2}", "NOT a IN {1, 2}"),
            ("a between {1, b}", "a BETWEEN {1, b}"),
            ("a BEGINSWITH[dc] 'x'", "a BEGINSWITH[cd] \"x\""),
            ("a ==[CI] 'x'", "a ==[c] \"x\""),
            ("a LIKE[caseinsensitive] 'x'", "a LIKE[c] \"x\""),
            ("#size == 1 AND #and.or == 2", "#size == 1 AND #and.or == 2"),
            ("size == 1 AND first == 2", "#size == 1 AND #first == 2"),
            (
                "a[FIRST] == a[last] AND a[SIZE] > 2 AND a[#first] == a[0]",
                "a[FIRST] == a[LAST] AND a[SIZE] > 2 AND a[#first] == a[0]"
            ),
            ("#\"odd key\".b == 1", "#\"odd key\".b == 1"),
            ("SELF == nil AND SELF.name != NULL", "SELF == nil AND name != nil"),
            ("a == YES OR a == false", "a == TRUE OR a == FALSE"),
            ("a == 0x1F AND b == 1.5e3", "a == 31 AND b == 1500.0"),
            ("a == 'it\\'s \"so\" \\u00e9\\x41\\101\\n'", "a == \"it's \\\"so\\\" éAA\\n\""),
            ("items.@count > 0 AND @sum.items.price > 1", "items.@count > 0 AND @sum.items.price > 1"),
            (
                "SUBQUERY(items, $x, $x.price > 3 AND $x.n == 1).@count > 0",
                "SUBQUERY(items, $x, $x.price > 3 AND $x.n == 1).@count > 0"
            ),
            ("TERNARY(a > 1, 'x', 'y') == 'x'", "TERNARY(a > 1, \"x\", \"y\") == \"x\""),
            ("CAST(a, 'NSDate') > CAST(1, 'NSDate')", "CAST(a, \"NSDate\") > CAST(1.0, \"NSDate\")"),
            ("add:to:(a, 1) == modulus:by:(a, 2)", "a + 1 == modulus:by:(a, 2)"),
            ("a %% 2 == 0", "modulus:by:(a, 2) == 0"),
            ("FUNCTION(a, 'uppercase:') == LOWERCASE(b)", "uppercase(a) == lowercase(b)"),
            ("a UNION b MINUS c == {}", "a UNION b MINUS c == {}"),
            ("--a == -(5) AND -(a + 1) == -b[0]", "--a == -(5) AND -(a + 1) == -b[0]"),
            ("\u{131}n in {1}", "\u{131}n IN {1}"),
            ("truepredicate OR FALSEPREDICATE", "TRUEPREDICATE OR FALSEPREDICATE"),
            ("a == -9223372036854775808", "a == -9223372036854775808"),
            ("a == 9223372036854775808", "a == CAST(\"9223372036854775808\", \"NSDecimalNumber\")"),
            ("\u{e9}t\u{e9} == '\u{1F600}'", "\u{e9}t\u{e9} == \"\u{1F600}\""),
        ])
    func canonicalText(_ text: String, _ canonical: String) throws {
        let filter = try Filter(format: text)
        #expect(filter.description == canonical)
        #expect(try Filter(format: canonical) == filter)
    }

    @Test("AND binds tighter than OR")
    func andBindsTighterThanOr() throws {
        guard case .or(let filters) = try Filter(format: "a == 1 OR b == 2 AND c == 3 OR d == 4").form else {
            Issue.record("not an OR")
            return
        }
        #expect(filters.count == 3)
        #expect(filters[1] == "b == 2 AND c == 3")
    }

    /// The text, the offset of its error, and the message.
    @Test(
        "A syntax error reports its offset, what was found and what was expected",
        arguments: [
            ("", 0, "found the end, expected a value"),
            ("a ==", 4, "found the end, expected a value"),
            ("a == AND b", 5, "found AND, expected a value"),
            ("a", 1, "found the end, expected an operator"),
            ("a == 1 b", 7, "found b, expected AND, OR or the end"),
            ("(a == 1", 7, "found the end, expected AND, OR or )"),
            ("(a + 1", 6, "found the end, expected an operator or )"),
            ("a AND b == 1", 2, "found AND, expected an operator"),
            ("a == 'x", 5, "found the end, expected a closing quote"),
            ("a == '\\ud800'", 5, "found '\\ud800', expected pairs of surrogates"),
            ("a NOT b", 6, "found b, expected IN"),
            ("a ==[x] 1", 5, "found x, expected the options c, d, n, l"),
            ("a == 12x", 5, "found 12x, expected a valid number"),
            ("a == foo(1)", 5, "found foo, expected a function of the filter language"),
            ("avg(a) > 1", 0, "found avg, expected a function of the filter language (write average(x))"),
            ("a IS NOT NULL", 2, "found IS, expected an operator (write x == nil or x != nil)"),
            ("a NOT LIKE 'b*'", 6, "found LIKE, expected IN (write NOT (x LIKE y))"),
            ("count(*) > 1", 6, "found *, expected a value (write count(SELF) for the number of rows)"),
            ("a == length(1, 2)", 5, "found 2 arguments, expected 1 for length"),
            ("a == $ b", 5, "found $, expected a name after $"),
            ("a == §", 5, "found §, expected a name, a value or an operator"),
            ("in == 1", 0, "found in, expected a value"),
            ("first name == 1", 6, "found name, expected an operator"),
            ("a == {1, 2", 10, "found the end, expected , or }"),
            ("SUBQUERY(a, b, c == 1).@count == 1", 12, "found b, expected a variable"),
        ])
    func errors(_ text: String, _ offset: Int, _ reason: String) throws {
        let error = try #require(filterFailure(text))
        #expect(error.reason == reason)
        #expect(error.position == FilterPosition(offset: offset, line: 1, column: offset + 1))
    }

    @Test("A syntax error reports its line, and unsupported keywords have their own code")
    func errorsKnowTheirLine() throws {
        let error = try #require(filterFailure("a == 1\n  AND b == \n"))
        #expect(error.description == "filter:3:1: found the end, expected a value; character 19")
        #expect(filterFailure("FETCH(a, b, c) == 1")?.code == .unsupported)
        #expect(filterFailure("ANYKEY == 1")?.code == .unsupported)
    }
}
