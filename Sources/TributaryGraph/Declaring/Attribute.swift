/// An attribute of a class of managed objects.
///
///     final class Author: ManagedObject {
///         @Attribute(.unique) var id: Int
///         @Attribute var name: String?
///         @Attribute(.indexed) var age: Int = 18
///     }
///
/// The value is in the object's row; the property stores only its slot. Options are evaluated when the class is
/// described, never when an object is made.
@propertyWrapper
public struct Attribute<Value: AttributeValue> {
    @usableFromInline let slot: UInt16

    @inlinable
    init(_ options: () -> [AttributeOption], default value: () -> Value?) {
        let next = Declaring.nextSlot()
        slot = next & ~Declaring.describingFlag
        if next & Declaring.describingFlag != 0 { report(options(), value()) }
    }

    @usableFromInline
    func report(_ options: [AttributeOption], _ value: Value?) {
        Declaring.collector?.attributes.append(
            .init(slot: slot, valueType: Value.self, options: options, defaultValue: value))
    }

    /// An attribute with any number of options, or without.
    @inlinable
    public init(_ options: @autoclosure () -> [AttributeOption] = []) { self.init({ options() }, default: { nil }) }

    /// An attribute with up to three options.
    @inlinable
    public init(
        _ one: @autoclosure () -> AttributeOption, _ two: @autoclosure () -> AttributeOption? = nil,
        _ three: @autoclosure () -> AttributeOption? = nil
    ) {
        self.init({ [one(), two(), three()].compactMap(\.self) }, default: { nil })
    }

    /// An attribute with a default value, and with any number of options or without.
    @inlinable
    public init(wrappedValue: @autoclosure () -> Value, _ options: @autoclosure () -> [AttributeOption] = []) {
        self.init({ options() }, default: { wrappedValue() })
    }

    /// An attribute with a default value and up to two options.
    @inlinable
    public init(
        wrappedValue: @autoclosure () -> Value, _ one: @autoclosure () -> AttributeOption,
        _ two: @autoclosure () -> AttributeOption? = nil
    ) {
        self.init({ [one(), two()].compactMap(\.self) }, default: { wrappedValue() })
    }

    /// Unavailable: attributes are properties of classes.
    @available(*, unavailable, message: "@Attribute can only be used in a subclass of ManagedObject")
    public var wrappedValue: Value {
        get { fatalError("@Attribute can only be used in a subclass of ManagedObject") }
        // Unreachable, because the compiler rejects every use.
        set { _ = newValue }
    }

    /// The value in the row of `object`.
    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        @inline(__always)
        get { Value.read(object.rowToRead(object[keyPath: storage].slot), Int(object[keyPath: storage].slot)) }
        // Always inlined, so that the key path becomes an offset in the object.
        @inline(__always)
        set {
            let slot = object[keyPath: storage].slot
            if let row = object.rowToWrite(slot, unless: { newValue.isEqual($0, Int(slot)) }) {
                newValue.write(row, Int(slot))
            }
        }
    }
}
