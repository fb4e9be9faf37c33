import Testing
import Tributary

@Suite struct SummaryTests {
    @Test func booksBalance() {
        var books = ImportSummary()
        (books.read, books.inserted, books.rejected) = (3, 2, 1)
        #expect(books.isBalanced)
        books.updated = 1
        #expect(!books.isBalanced)
    }
}
