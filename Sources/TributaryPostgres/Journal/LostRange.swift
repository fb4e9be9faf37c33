/// The error of a commit into a range that another process has taken over, or of which the server has lost a commit.
///
/// The transaction is rolled back, and the journal says what is left.
struct LostRange: Error {}
