/// The public calls of the five replaced libraries, by the name of the library in the headings of `docs/seeds.md`.
enum SeedCalls {
    static let all: [(library: String, calls: String)] = [
        ("SQKDataKit", sqk), ("RZVinyl", rz), ("KarthVader", karth), ("DLData", dl), ("DKDBManager", dkdb),
    ]

    private static let sqk = """
        initWithStoreType:managedObjectModel:orderedManagedObjectModelNames:storeURL: storeType managedObjectModel
        modelNames storeURL persistentStoreCoordinator mainContext newPrivateContext destroyAndRebuildPersistentStore:
        shouldMergeOnSave sqk_storeCoordinatorWithStoreType: iterativeMigrateURL: sqk_entityName
        sqk_entityDescriptionInContext: sqk_insertInContext: sqk_fetchRequest sqk_propertyDescriptionForName:context:
        sqk_insertOrFetchWithKey:value:context:error:
        sqk_insertOrUpdate:uniqueModelKey:uniqueRemoteKey:propertySetterBlock:privateContext:error: sqk_deleteObject
        sqk_deleteAllObjectsInContext:error: initWithContextManager: performWorkWithPrivateContext: completeAndSave
        completeOperationBySavingContext: addError: error start isAsynchronous isExecuting isFinished
        SQKDataKitErrorDomain initWithFetchRequest: initWithManagedObjects: initWithManagedObject: fetchRequest
        managedObjects managedObjectContext delegate fetchedObjectsBlock savedObjectsBlock insertedObjectsBlock
        deletedObjectsBlock filterReturnedObjectsBlock performFetch: performFetch:notify: deleteObjects:
        fetchedObjects:error: didSaveObjects: didInsertObjects: didDeleteObjects: sqk_indexesOfObjects
        SQKFetchedTableViewController SQKFetchedCollectionViewController
        """

    private static let rz = """
        defaultStack setDefaultStack: initWithModelName:configuration:storeType:storeURL:options:
        initWithModel:storeType:storeURL:persistentStoreCoordinator:options: DisableAutoLightweightMigration
        DeleteDatabaseIfUnreadable DisableWriteAheadLog EnableAutoStalePurge DisableTopLevelContext LogOnUnchangedSave
        mainManagedObjectContext managedObjectModel persistentStoreCoordinator backgroundManagedObjectContext
        temporaryManagedObjectContext performBlockUsingBackgroundContext:completion:
        ensureContextNotificationsForFetchedResultsController: purgeStaleObjectsWithCompletion: rzv_newObject
        rzv_objectWithPrimaryKeyValue:createNew: rzv_objectWithAttributes:createNew: rzv_all rzv_allSorted: rzv_where:
        rzv_where:sort: rzv_count rzv_countWhere: rzv_delete rzv_deleteAll rzv_deleteAllWhere: rzv_coreDataStack
        rzv_primaryKey rzv_stalenessPredicate rzv_objectInContext: rzv_entityName rzv_saveToStoreAndWait:
        rzv_saveToStoreWithCompletion: rzv_forEntity:inContext:where:sort:
        rzv_forEntity:inContext:where:sort:sectionNameKeyPath:cacheName: RZVPred RZVKeySort rzi_objectFromDictionary:
        rzi_objectsFromArray: rzi_importValuesFromDict: rzi_existingObjectForDict: rzi_shouldImportValue:forKey:
        rzv_externalPrimaryKey rzv_shouldAlwaysCreateNewObjectOnImport rzi_performImport: rzi_currentThreadImportContext
        """

    private static let karth = """
        sqlFileName dataModelName migration defaultConfiguration configuration sharedInstance mainContext
        persistantStoreCoordinator writeContext transaction transactionMain entityName commit fetch firstObject parse
        primaryKey classForKey keyForJSONKey specialKeyPaths
        """

    private static let dl = """
        initWithDataStoreModelName: initWithDataStoreModelName:andStoreAlias: dataDelegate dataManagerSupportsUndo:
        dataManagerSupportsLightweightMigration: dataManager:createdObjects:updatedObjects:deletedObjects:
        entityWithName: fetchAll:matching:sortedBy: fetchOne: fetchCount:matching: fetchRequestNamed:
        executeFetchRequest:error: executeFetchRequestNamed: executeFetchOneRequestNamed: countForRequestNamed:
        deleteEntity: seedDataStore: beginUndoGroup endUndoGroup undoGroup redoGroup undo redo rollback commit
        flushPendingData purgeDataStore managedObjectModel managedObjectContext persistentStoreCoordinator
        dataStoreModelName dataStoreAlias dataStoreAttemptSoftRetry:afterError: dataStoreSupportsUndo:
        dataStoreSupportsLightweightMigration: coreDataStore sharedDataStoreWithModelName:andAlias:
        dataStoreWithModelName: commitAllStores rollbackAllStores purgeStoreNamed: generateUniqueID generateUniqueNumber
        seedDataStore:fromSeedURL: DLImageValueTransformer DLDataStoreFetchException DLDataSeederException CommitFailure
        DegenerateUniqueID UniqueIDRetrievalFailure
        """

    private static let dkdb = """
        verbose allowUpdate resetStoredEntities needForcedUpdate sharedInstance storedIdentifiers entityClassNames
        setupCoreDataStackWithName setupDatabaseWithName: setupDatabaseWithName:didResetDatabase: setup cleanUp
        eraseDatabaseForStoreName: saveWithBlock: saveWithBlock:completion: saveWithBlockAndWait:
        saveEntityAsNotDeprecated removeAllStoredIdentifiers removeAllStoredIdentifiersForClass:
        removeDeprecatedEntitiesInContext: removeDeprecatedEntitiesInContext:forClass: deleteAllEntitiesInContext:
        deleteAllEntitiesForClass:inContext: dump dumpInContext: dumpCount dumpCountInContext:
        crudEntityWithDictionary:inContext: crudEntityInContext: crudEntitiesWithArray:inContext:
        saveEntityAfterCreation:status: uniqueIdentifier invalidReason shouldUpdateEntityWithDictionary:inContext:
        sortingAttributeName primaryPredicateWithDictionary: all allInContext: count countInContext: entityInContext:
        entityInDefaultContext updateWithDictionary:inContext: deleteIfInvalidInContext:
        deleteEntityWithReason:inContext: removeDeprecatedEntitiesFromArray:inContext: hasValidContext doesExist
        hasBeenDeleted isValidInCurrentContext DKDBManagedObjectState
        """
}
