/// What the children of a context hold, so that it is known whether there are any.
final class ChildMark: Sendable {}
