import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@Suite struct ModelFileTests {
    private func read(_ xml: String) throws -> ModelDescription {
        let folder = try TemporaryFolder()
        return try ModelFile.read(folder.write(Array(xml.utf8), to: "model.xml"))
    }

    /// Returns the position and the faults of refused XML, without the folder's path.
    private func failure(_ xml: String) -> String {
        do {
            _ = try read(xml)
            return "read"
        } catch {
            let text = "\(error)"
            return text.range(of: "model.xml:").map { String(text[$0.upperBound...]) } ?? text
        }
    }

    @Test(
        "Malformed XML is refused with its position and the reason",
        arguments: [
            ("", "1:1: there is no XML element in the file"),
            ("<model>", "1:8: the file ends inside <model> of line 1"),
            ("<model/><model/>", "1:9: there is a second root element"),
            ("<model/>\n x", "2:3: there is text outside the root element"),
            ("<model>\n  <a>\n  </b>\n</model>", "3:3: found </b>, expected </a>"),
            ("</model>", "1:1: found </model>, but no element is open"),
            ("<model a='1' a='2'/>", "1:1: attribute \"a\" appears twice in <model>"),
            ("<model a=1/>", "1:10: expected a quoted value for attribute \"a\""),
            ("<model a='1'b='2'/>", "1:13: expected a space, \">\" or \"/>\" in <model>"),
            ("<model a='1/>", "1:10: the value of \"a\" has no end"),
            ("<model a='<'/>", "1:11: \"<\" must be written as \"&lt;\" here"),
            ("<model a='&x;'/>", "1:11: \"&x;\" is not a character"),
            ("<model a='&#xD800;'/>", "1:11: \"&#xD800;\" is not a character"),
            ("<model a='a & b'/>", "1:13: \"&\" must be written as \"&amp;\" here"),
            ("<model><!-- </model>", "1:12: a comment has no end"),
            ("<plist/>", "1:1: the root element is <plist>, expected <model>"),
            ("< model/>", "1:2: expected the name of an element"),
        ])
    func damagedXML(_ xml: String, _ expected: String) { #expect(failure(xml) == expected) }

    @Test("Model files that are nested too deep, too large or declare entities are refused")
    func hostileXML() {
        let deep = String(repeating: "<a>", count: 1_000_000)
        #expect(failure("<model>" + deep) == "1:200: elements are nested deeper than 64")
        let many = String(repeating: "<a/>", count: 600_000)
        #expect(failure("<model>" + many).hasSuffix("there are more than 500000 elements"))
        let huge = "<model a='" + String(repeating: "x", count: 100 << 20) + "'/>"
        #expect(failure(huge).hasSuffix("the file exceeds the limit of 33554432 bytes for model files"))
        #expect(
            failure("<!DOCTYPE m [<!ENTITY a 'b'>]><model/>")
                == "1:13: a DOCTYPE with declarations is refused; remove it")
    }

    @Test("A model file with random damage is read or throws a ModelError")
    func damageAnywhereIsNoTrap() throws {
        var generator = SeededGenerator.fresh()
        print("seed \(generator.seed)")
        let text = Array(try Data(contentsOf: URL(filePath: ModelSamples.folder + "/Legacy.xcdatamodel/contents")))
        let folder = try TemporaryFolder()
        for _ in 0..<400 {
            var damaged = text
            for _ in 0...generator.below(3) {
                let place = generator.below(damaged.count)
                switch generator.below(3) {
                case 0: damaged[place] = UInt8(generator.below(256))
                case 1: damaged.removeSubrange(place..<min(damaged.count, place + generator.below(30)))
                default: damaged.insert(generator.pick(Array("<>&;'\"/!?]=".utf8)), at: place)
                }
            }
            let path = try folder.write(damaged, to: "model.xml")
            do { _ = try Model(ModelFile.read(path)) } catch { #expect(error is ModelError) }
        }
    }

    @Test("Character references and whitespace in attributes are read as XML requires")
    func textIsKept() throws {
        let model = try read(
            "\u{FEFF}<model>\r\n<!-- <entity/> --><?pi ?><userInfo><entry key='a\tb\n&#9;&#x41;&quot;' value='é &#128512;'/></userInfo></model>"
        )
        #expect(model.userInfo == ["a b \tA\"": "é 😀"])
    }

    @Test("Model files in UTF-16 are read, and bytes that are not UTF-8 are refused")
    func utf16() throws {
        let folder = try TemporaryFolder()
        let xml = "<?xml version='1.0' encoding='UTF-16'?><model><entity name='Bücher'/></model>"
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let bytes = try #require(("\u{FEFF}" + xml).data(using: encoding))
            let path = try folder.write(bytes, to: "model.xml")
            #expect(try ModelFile.read(path).entities.map(\.name) == ["Bücher"])
        }
        let path = try folder.write([0x3C, 0xE9], to: "latin.xml")
        #expect(throws: ModelError(["the file is not UTF-8; save it as UTF-8"], file: path)) {
            try ModelFile.read(path)
        }
    }

    @Test("All invalid values of a model file are reported at once, with their lines")
    func wrongValuesAreSaidAtOnceWithTheirLines() {
        let xml = """
            <model>
            <entity name="E">
            <attribute name="a" attributeType="Integer 9"/>
            <attribute name="b" attributeType="Integer 64" defaultValueString="x"/>
            <attribute attributeType="String"/>
            <attribute name="c" attributeType="Date" defaultDateTimeInterval="today"/>
            <relationship name="r" maxCount="many" deletionRule="Maybe" destinationEntity="E"/>
            </entity>
            <fetchRequest name="f" entity="E" resultType="7"/>
            </model>
            """
        let text = failure(xml)
        for fault in [
            "line 3: entity \"E\": attribute \"a\" has the unknown type \"Integer 9\"; write one of",
            "line 4: entity \"E\": attribute \"b\" of type Integer 64 has \"x\" as defaultValueString, which is not a valid value",
            "line 5: attribute of entity \"E\" has no name; give it one",
            "line 6: entity \"E\": attribute \"c\" has \"today\" as defaultDateTimeInterval",
            "line 7: entity \"E\": relationship \"r\" has \"many\" as maxCount, which is not a whole number",
            "line 7: entity \"E\": relationship \"r\" has the deletion rule \"Maybe\"",
            "line 9: fetch request \"f\" has the result type 7; write 0, 1 or 2",
        ] { #expect(text.contains(fault), "\(fault)") }
    }

    @Test("Composite attributes that are recursive, too large or unnamed are refused")
    func compositesThatGrowOrTurnInCircles() {
        let attribute = "<attribute name='p' attributeType='Composite' compositeName='"
        let circle =
            "<model><entity name='E'>\(attribute)C'/></entity><compositeAttribute name='C'>\(attribute)C'/></compositeAttribute></model>"
        #expect(failure(circle).contains("contains itself through \"C\""))
        let levels = (0..<40).map { level in
            "<compositeAttribute name='C\(level)'>\(attribute)C\(level + 1)'/>\(attribute.replacingOccurrences(of: "'p'", with: "'q'"))C\(level + 1)'/></compositeAttribute>"
        }.joined()
        let growing =
            "<model><entity name='E'>\(attribute)C0'/></entity>\(levels)<compositeAttribute name='C40'/></model>"
        #expect(failure(growing).contains("has more than 1900 parts; make it an entity"))
        #expect(
            failure("<model><entity name='E'><attribute name='a' attributeType='Composite'/></entity></model>")
                .contains("without the name of a composite attribute"))
    }
}
