public import TributaryGraph
public import TributaryImport

/// A class that says how records become its objects.
///
///     extension Author: Mapped {
///         static var mapping: Mapping {
///             var mapping = Mapping()
///             mapping["name"].paths = ["profile.full_name"]
///             return mapping
///         }
///     }
///
/// The options of an import come before it, and it comes before the `userInfo` of the model. A subclass has the mapping
/// of its superclass, or overrides it as a class property.
public protocol Mapped: ManagedObject {
    /// The rules of its properties.
    static var mapping: Mapping { get }
    /// The closures that an import calls; by default there are none.
    static var importHooks: ImportHooks { get }
}

extension Mapped {
    /// No rules: names are inferred.
    public static var mapping: Mapping { Mapping() }

    /// No closures.
    public static var importHooks: ImportHooks { ImportHooks() }
}
