/// An object that all children of a context retain, so that the context knows whether it has any.
package final class ChildMark: Sendable {}
