extension StagingTable {
    /// The SQLSTATE of a new row without a value that it must have.
    static let incompleteRow = "T0001"
    private var writer: PostgresSQL { "pg_temp.\(name: name)" }
    private static let longestBlock = 64

    /// Indexes the numbers of rows.
    var numbering: PostgresSQL { "CREATE INDEX IF NOT EXISTS \(name: name + "_n") ON \(reference) (\(name: number))" }

    /// Makes a function that writes numbered rows as if one after the other, and passes those by that the table refuses.
    ///
    /// It writes blocks of rows, each in a subtransaction; after an error it tries a smaller block, down to one row. A
    /// round trip for each of them would cost more than a hundred times as much.
    func blockWriter(_ shape: Shape, appends: Bool) -> PostgresSQL {
        let write: PostgresSQL =
            appends
            ? "\(appending(shape)); GET DIAGNOSTICS i = ROW_COUNT" : "\(writing(shape)) INTO i, u, f"
        let checks: PostgresSQL =
            appends
            ? ""
            : """
            IF cardinality($3) > 0 AND EXISTS (\(newAmong)) THEN RAISE SQLSTATE 'T0001'; END IF;
            IF $5 AND $1 < $2 AND EXISTS (\(repeatedKeys(shape))) THEN RAISE SQLSTATE '21000'; END IF;
            """
        let body: PostgresSQL = """
            #variable_conflict use_column
            DECLARE i bigint := 0; u bigint := 0; f bigint := 0; size integer := \(PostgresSQL(number: Self.longestBlock));
            BEGIN
            inserted := 0; updated := 0; matched := 0;
            WHILE $1 <= $4 LOOP
              $2 := least($1 + size - 1, $4);
              BEGIN
                \(checks)
                \(write);
                inserted := inserted + i; updated := updated + u; matched := matched + f;
                $1 := $2 + 1;
                size := least(2 * size, \(PostgresSQL(number: Self.longestBlock)));
              EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE !~ '^(22|23|21000|54000|P0001|44000|T0001)' THEN RAISE; END IF;
                IF $1 < $2 THEN
                  size := ($2 - $1 + 1) / 2;
                ELSE
                  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, reason = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
                  place := $1; RETURN NEXT;
                  $1 := $1 + 1; size := 1;
                END IF;
              END;
            END LOOP;
            place := NULL; RETURN NEXT;
            END
            """
        return """
            CREATE OR REPLACE FUNCTION \(writer) (integer, integer, integer[], integer, boolean)
            RETURNS TABLE (inserted bigint, updated bigint, matched bigint, place integer, state text, reason text, detail text)
            LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS \(body.dollarQuoted)
            """
    }

    /// Writes the rows from `$1` to `$4`; `$3` are those that cannot be new, `$5` is whether keys may repeat.
    ///
    /// It returns the refused rows, then one with the counts and no place.
    var writingBlocks: PostgresSQL {
        "SELECT * FROM \(writer)($1::integer, 0, $2::integer[], $3::integer, $4::boolean)"
    }
}

extension PostgresSQL {
    /// The text as a string of SQL, between marks that it does not contain.
    fileprivate var dollarQuoted: PostgresSQL {
        var number = 0
        while text.contains("$t\(number)$") { number += 1 }
        let mark: PostgresSQL = "$t\(PostgresSQL(number: number))$"
        return "\(mark)\(self)\(mark)"
    }
}
