import Foundation
import Testing
import Tributary
import TributaryCLI

/// The texts of an import: its progress and its summary.
@Suite struct ImportReportTests {
    private func moment(
        _ read: Int, _ stored: Int, _ seconds: Double, phase: ImportPhase = .reading, rejected: Int = 0
    ) -> ImportProgress.Moment {
        ImportProgress.Moment(read: read, rejected: rejected, phase: phase, storedBytes: stored, seconds: seconds)
    }

    @Test("Progress estimates the remaining time from the share of bytes read")
    func theRestIsReckonedFromTheStoredBytes() {
        var progress = ImportProgress(totalBytes: 100_000_000)
        #expect(progress.line(moment(0, 0, 0)) == "0 records")
        #expect(progress.line(moment(1000, 1_000_000, 0.5)) == "1,000 records, 2,000 a second, 1 %")
        #expect(
            progress.line(moment(10_000, 20_000_000, 10, rejected: 3))
                == "10,000 records, 3 rejected, 1,000 a second, 20 %, 40 s left")
        #expect(progress.line(moment(50_000, 100_000_000, 50)) == "50,000 records, 1,000 a second, 100 %")
        #expect(
            progress.line(moment(50_000, 100_000_000, 51, phase: .buildingIndexes))
                == "50,000 records, building indexes for 0 s")
        #expect(
            progress.line(moment(50_000, 100_000_000, 56, phase: .buildingIndexes))
                == "50,000 records, building indexes for 5 s")
        #expect(
            progress.line(moment(50_000, 100_000_000, 57, phase: .applyingRepeatedKeys))
                == "50,000 records, applying repeated keys for 0 s")
    }

    @Test("The rate of a resumed import leaves out the records of earlier runs")
    func whatWasDoneBeforeSaysNothingAboutThePace() {
        var progress = ImportProgress(totalBytes: 100)
        #expect(progress.line(moment(900, 80, 0)) == "900 records")
        #expect(progress.line(moment(910, 90, 10)) == "910 records, 1 a second, 90 %, 10 s left")
    }

    @Test("The progress of a pipe shows rates, but no percentage")
    func aPipeHasARateOnly() {
        var progress = ImportProgress(totalBytes: nil)
        _ = progress.line(moment(0, 0, 0))
        #expect(progress.line(moment(1000, 30_000_000, 10)) == "1,000 records, 100 a second, 3 MB/s")
    }

    private var books: ImportSummary {
        var books = ImportSummary()
        (books.read, books.counts.inserted, books.counts.unchanged, books.counts.rejected) = (1010, 1000, 8, 2)
        (books.bytes, books.seconds, books.peakMemory, books.run) = (12_345_678, 2.5, 40 << 20, 3)
        return books
    }

    @Test("The summary is an equation, and marks counts that do not add up")
    func theBooksBalance() {
        #expect(SummaryReport.countsLine(books) == "1,010 read = 1,000 inserted + 8 unchanged + 2 rejected")
        #expect(SummaryReport.countsLine(ImportSummary()) == "0 read")
        var wrong = books
        wrong.counts.skipped = 1
        #expect(SummaryReport.countsLine(wrong) == "1,010 read ≠ 1,000 inserted + 8 unchanged + 1 skipped + 2 rejected")
        #expect(
            SummaryReport.text(books)
                == """
                1,010 read = 1,000 inserted + 8 unchanged + 2 rejected
                run 3: 12 MB in 2.5 s, 404 records a second, 40 MiB of memory

                """)
        var quick = books
        quick.seconds = 0.9
        #expect(
            SummaryReport.text(quick).hasSuffix("rejected\nrun 3: less than a second, 40 MiB of memory\n"),
            "\(SummaryReport.text(quick))")
        var resumed = books
        resumed.resumedAt = 5000
        #expect(SummaryReport.text(resumed).hasSuffix(" of memory, resumed after record 5,000\n"))
    }

    @Test("The exit code is 0 without rejects, 3 with rejects, and 1 for wrong counts")
    func theCodeTellsCleanRejectedAndFailedApart() {
        var clean = books
        #expect(SummaryReport.exitCode(clean) == 3)
        (clean.read, clean.counts.rejected) = (1008, 0)
        #expect(SummaryReport.exitCode(clean) == 0)
        clean.read = 1
        #expect(SummaryReport.exitCode(clean) == 1)
    }

    @Test("The JSON summary has exactly its documented keys")
    func jsonHasExactlyTheseKeys() throws {
        let line = SummaryReport.json(books)
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"read":1010,"inserted":1000,"updated":0,"unchanged":8,"duplicate":0,"skipped":0,"rejected":2,"#
                + #""bytes":12345678,"seconds":2.5,"rowsPerSecond":404.0,"peakMemory":41943040,"resumedAt":null,"run":3,"#
                + #""leftOut":[],"inferred":{},"unmatched":{},"mapping":{},"related":{},"dangling":{},"attention":["rejected"]}"#
                + "\n")
        var resumed = books
        resumed.resumedAt = 7
        let object = try JSONSerialization.jsonObject(with: Data(SummaryReport.json(resumed))) as? [String: Any]
        #expect(object?.count == 20 && object?["resumedAt"] as? Int == 7)
    }
}
