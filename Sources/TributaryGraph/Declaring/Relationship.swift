/// A relationship of a class of managed objects.
///
///     final class Author: ManagedObject {
///         @Relationship(inverse: \Book.author, onDelete: .cascade) var books: ToMany<Book>
///     }
///     final class Book: ManagedObject {
///         @Relationship var author: Author?
///     }
///
/// The inverse is declared on one side only. Setting one side sets the other at once.
@propertyWrapper
public struct Relationship<Value: RelationshipValue> {
    @usableFromInline let slot: UInt16

    @inlinable
    init(
        inverse: () -> AnyKeyPath?, onDelete rule: DeleteRule, isSymmetric: Bool, _ options: () -> [RelationshipOption]
    ) {
        let next = Declaring.nextSlot()
        slot = next & ~Declaring.describingFlag
        if next & Declaring.describingFlag != 0 { report(inverse(), rule, isSymmetric, options()) }
    }

    @usableFromInline
    func report(_ inverse: AnyKeyPath?, _ rule: DeleteRule, _ isSymmetric: Bool, _ options: [RelationshipOption]) {
        Declaring.collector?.relationships.append(
            .init(
                slot: slot, valueType: Value.self, inverse: inverse, isSymmetric: isSymmetric, options: options,
                deleteRule: rule))
    }

    /// A relationship whose inverse declares it, or that has no inverse.
    @inlinable
    public init(onDelete rule: DeleteRule = .nullify, _ options: @autoclosure () -> [RelationshipOption] = []) {
        self.init(inverse: { nil }, onDelete: rule, isSymmetric: false, { options() })
    }

    /// A relationship with an option, whose inverse declares it, or that has no inverse.
    @inlinable
    public init(onDelete rule: DeleteRule = .nullify, _ option: @autoclosure () -> RelationshipOption) {
        self.init(inverse: { nil }, onDelete: rule, isSymmetric: false, { [option()] })
    }

    /// A relationship with an inverse, and with any number of options or without.
    @inlinable
    public init(
        inverse: @autoclosure () -> AnyKeyPath, onDelete rule: DeleteRule = .nullify,
        _ options: @autoclosure () -> [RelationshipOption] = []
    ) {
        self.init(inverse: { inverse() }, onDelete: rule, isSymmetric: false, { options() })
    }

    /// A relationship with an inverse and an option.
    @inlinable
    public init(
        inverse: @autoclosure () -> AnyKeyPath, onDelete rule: DeleteRule = .nullify,
        _ option: @autoclosure () -> RelationshipOption
    ) {
        self.init(inverse: { inverse() }, onDelete: rule, isSymmetric: false, { [option()] })
    }

    /// A relationship that is its own inverse, as between friends.
    @inlinable
    public init(
        inverse _: SymmetricInverse, onDelete rule: DeleteRule = .nullify,
        _ options: @autoclosure () -> [RelationshipOption] = []
    ) {
        self.init(inverse: { nil }, onDelete: rule, isSymmetric: true, { options() })
    }

    /// Unavailable: relationships are properties of classes.
    @available(*, unavailable, message: "@Relationship can only be used in a subclass of ManagedObject")
    public var wrappedValue: Value {
        get { fatalError("@Relationship can only be used in a subclass of ManagedObject") }
        // Unreachable, because the compiler rejects every use.
        set { _ = newValue }
    }

    /// The destinations of the relationship of `object`.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get {
            let slot = object[keyPath: storage].slot
            // While a class is described, its key paths are traced and read no values.
            if object.registry == nil, let value: Value = KeyPathTrace.follow(slot, of: object) { return value }
            return Value.read(object, Int(slot))
        }
        set { newValue.write(object, Int(object[keyPath: storage].slot)) }
    }
}

/// Declares that a relationship is its own inverse.
public struct SymmetricInverse: Sendable {
    /// The relationship itself.
    public static let itself = SymmetricInverse()
}
