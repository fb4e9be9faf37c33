import Foundation
import TributaryGraph

/// An object of the random tests, with attributes of most types and every kind of relationship.
class Piece: ManagedObject {
    @Attribute(.unique) var code: Int
    @Attribute var number: Int?
    @Attribute var small: Int16?
    @Attribute var medium: Int32?
    @Attribute var real: Double?
    @Attribute var single: Float?
    @Attribute var amount: Decimal?
    @Attribute var flag: Bool = false
    @Attribute var name: String?
    @Attribute var date: Date?
    @Attribute var blob: Data?
    @Attribute var uuid: UUID?
    @Attribute var link: URL?
    @Relationship var owner: Keeper?
    @Relationship var holder: Keeper?
    @Relationship var warden: Keeper?
    @Relationship var origin: Keeper?
    @Relationship var twin: Keeper?
    @Relationship(inverse: \Label.pieces) var labels: ToMany<Label>
    @Relationship(inverse: \Label.ranked) var ranks: OrderedToMany<Label>
    @Relationship(inverse: .itself) var friends: ToMany<Piece>
    @Relationship var pointer: Label?
    @Relationship var pointers: ToMany<Label>
}

/// A piece with one more attribute.
final class FinePiece: Piece {
    @Attribute var finish: String?
}

/// An owner of pieces, with a relationship for each delete rule.
final class Keeper: ManagedObject {
    @Attribute(.unique) var code: Int
    @Attribute var number: Int?
    @Attribute var name: String?
    @Relationship(inverse: \Piece.owner, onDelete: .cascade) var pieces: ToMany<Piece>
    @Relationship(inverse: \Piece.holder) var queue: OrderedToMany<Piece>
    @Relationship(inverse: \Piece.warden, onDelete: .deny) var ward: ToMany<Piece>
    @Relationship(inverse: \Piece.origin, onDelete: .noAction) var offspring: ToMany<Piece>
    @Relationship(inverse: \Piece.twin) var twin: Piece?
    @Relationship(inverse: \Keeper.above, onDelete: .cascade) var below: ToMany<Keeper>
    @Relationship var above: Keeper?
}

/// A label that many pieces share.
final class Label: ManagedObject {
    @Attribute(.unique) var code: Int
    @Attribute var name: String?
    @Relationship var pieces: ToMany<Piece>
    @Relationship var ranked: OrderedToMany<Piece>
}

/// The model of the random tests.
enum Workshop {
    static func model() throws -> Model { try Model(Piece.self, FinePiece.self, Keeper.self, Label.self) }
}
