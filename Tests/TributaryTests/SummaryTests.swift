import Testing
import Tributary

@Suite struct SummaryTests {
    @Test("A summary balances if its counts add up to the records read")
    func booksBalance() {
        var books = ImportSummary()
        (books.read, books.counts.inserted, books.counts.rejected) = (3, 2, 1)
        #expect(books.isBalanced)
        books.counts.updated = 1
        #expect(!books.isBalanced)
    }
}
