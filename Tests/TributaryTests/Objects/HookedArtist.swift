import TributaryGraph
import TributaryJSON

import Tributary

/// An artist whose hook writes down what it was asked, and uses some values itself.
final class HookedArtist: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var firstName: String?
    @Attribute var zipCode: String?
    @Attribute var color: String?
    @Attribute var secret: String?
    /// The names and values of the members of which its hook was asked.
    @Attribute var asked: String = ""
    @Relationship var genre: HookedGenre?
    @Relationship var songs: OrderedToMany<HookedSong>
    @Relationship var label: HookedLabel?
}

final class HookedGenre: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
}

final class HookedSong: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var title: String?
    @Relationship var writer: HookedGenre?
}

/// A label, which the hook of an artist imports itself.
final class HookedLabel: ManagedObject {
    @Attribute var name: String?
    @Attribute var city: String?
}

extension HookedArtist: Mapped {
    static var mapping: Mapping {
        var mapping = Mapping()
        mapping["zipCode"].paths = ["zip"]
        mapping["color"].paths = ["colour", "profile.color"]
        mapping["songs"].paths = ["tracks"]
        mapping.ignored = ["secret", "private", "profile.extra"]
        return mapping
    }

    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.shouldImport { (value, name, artist: HookedArtist) in
            artist.asked += "\(name)=\(value.compactText) "
            switch name {
            case "zip": return value.kind == .string && value.compactText.dropFirst().dropLast().allSatisfy(\.isNumber)
            case "genre":
                guard value.kind == .string, let context = artist.context else { return true }
                let name = value.compactText.replacing("\"", with: "")
                artist.genre = try HookedGenre.first(in: context, where: "name == \(name)")
                return false
            case "label":
                guard let context = artist.context else { return true }
                artist.label = try context.import(value, as: HookedLabel.self).last
                return false
            case "full": artist.firstName = value.compactText.replacing("\"", with: "")
            case "no_profile": return false
            default: break
            }
            return !value.compactText.contains("refused")
        }
        return hooks
    }
}

extension HookedSong: Mapped {
    static var importHooks: ImportHooks {
        var hooks = ImportHooks()
        hooks.shouldImport { (_, name, _: HookedSong) in name != "writer" }
        return hooks
    }
}
