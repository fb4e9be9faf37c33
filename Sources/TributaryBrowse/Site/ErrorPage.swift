import TributaryModel
import TributaryStore

/// The page of an error.
enum ErrorPage {
    /// The page; `isOutOfTime` tells that the error may be that of the time limit.
    static func page(of error: any Error, _ request: PageRequest, isOutOfTime: Bool) -> Page {
        let found: PageError =
            switch error {
            case let error as PageError: error
            case _ where isOutOfTime:
                PageError(
                    503, "This takes too long",
                    "The database did not answer within the time that a page has. Nothing is shown, since a part would look like all.",
                    advice: "Narrow the filter, or sort by the key or a column with an index.")
            case let error as StoreError: PageError(500, "The database cannot be read", "\(error)")
            case is FilterError, is FetchError: PageError(400, "This cannot be shown", "\(error)")
            default: PageError(500, "The database cannot be read", "\(error)", advice: "Load the page again.")
            }
        return Page(
            found.heading, "error",
            [
                "heading": .text(found.heading), "message": .text(found.message), "advice": .text(found.advice),
            ], status: found.status)
    }
}
