package import TributaryStore
package import TributaryJSON

/// Returns why the target of a route cannot hold the row that was added last; nil if it can, and the row may then have the
/// form that the target has for it.
///
/// It is for one batch, which one thread fills.
package typealias RowCheck = (_ batch: RowBatch) -> JSONError?

/// Makes the check of the rows of a route; with nested objects, of those of a unit.
package typealias RowCheckMaker = @Sendable (_ route: Int) -> RowCheck
