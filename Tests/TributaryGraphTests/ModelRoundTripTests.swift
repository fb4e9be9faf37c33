import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@Suite struct ModelRoundTripTests {
    @Test("Random models are equal after they are written and read")
    func randomModelsReadBackEqual() throws {
        let seed = SeededGenerator.fresh().seed
        print("seed \(seed)")
        let folder = try TemporaryFolder()
        var generator = ModelGenerator(seed: seed)
        for round in 0..<200 {
            let model = generator.model()
            #expect(ModelSamples.faults(model) == [], "seed \(seed), round \(round)")
            let xml = ModelFile.write(model)
            let again = try ModelFile.read(folder.write(Array(xml.utf8), to: "contents"))
            let differing = zip(xml.split(separator: "\n"), ModelFile.write(again).split(separator: "\n")).first {
                $0 != $1
            }
            #expect(differing == nil, "seed \(seed), round \(round)")
            try #require((again == model) == true, "seed \(seed), round \(round)")
        }
    }

    @Test("The Library fixture is equal after it is written and read")
    func theFixtureReadsBackEqual() throws {
        let folder = try TemporaryFolder()
        let model = try ModelFile.read(ModelSamples.folder + "/Library.xcdatamodeld")
        let path = try folder.write(Array(ModelFile.write(model).utf8), to: "contents")
        #expect(try ModelFile.read(path) == model)
    }

    @Test("A model is written in the format of Xcode's model files")
    func theTextOfASmallModel() {
        var model = ModelDescription([EntityDescription("Book")])
        model.entities[0].attributes = [AttributeDescription("title", .string)]
        model.entities[0].attributes[0].defaultValue = .string("\"<&>\n\u{1}")
        #expect(
            ModelFile.write(model) == """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
                    <entity name="Book">
                        <attribute name="title" optional="YES" attributeType="String" defaultValueString="&quot;&lt;&amp;&gt;&#10;&#1;"/>
                    </entity>
                </model>

                """)
    }
}
