// Made by "npm run generate" of the operations of the registry: change those.
import type { UploadInput } from './upload.js'

/** Stable names of refusals; `getStrings()` has their texts. */
export type ErrorCode =
  | 'accessDenied'
  | 'algorithmNotTrusted'
  | 'alreadyAuthenticatedWithTls'
  | 'alreadySent'
  | 'answerTooLargeToKeep'
  | 'appExchangeFailed'
  | 'appNotAuthorized'
  | 'archivalStarted'
  | 'archiveFailed'
  | 'archiveFull'
  | 'archiveNotFound'
  | 'archiveNotRead'
  | 'authenticationRequired'
  | 'badSignerCertificate'
  | 'bodyTooLarge'
  | 'canNotBeRecalled'
  | 'cardContentNotClean'
  | 'cardContentNotScanned'
  | 'cardDocumentNotRegistered'
  | 'cardNotBuilt'
  | 'cardNotParsed'
  | 'cardOfDifferentDocuments'
  | 'cardSignatureFormat'
  | 'cardSignaturesNotRegistered'
  | 'cardsBusy'
  | 'certificateIssuerUnknown'
  | 'certificatePathNotBuilt'
  | 'certificateSignatureAlgorithmNotSupported'
  | 'checkpointConflict'
  | 'checkpointInconsistent'
  | 'checkpointNotSigned'
  | 'checkpointSizesReversed'
  | 'checkpointUnreadable'
  | 'commentOrStatusRequired'
  | 'commentsClosed'
  | 'commentsLimitReached'
  | 'contentLengthNotSet'
  | 'dataNotStored'
  | 'databaseFull'
  | 'databaseUnavailable'
  | 'deadlinePassed'
  | 'digestAlgorithmNotSupported'
  | 'digestsUpdateRequired'
  | 'documentAlreadyReplaced'
  | 'documentDigestsAlreadyKnown'
  | 'documentDigestsNotKnown'
  | 'documentNotFound'
  | 'evidenceContentNotClean'
  | 'evidenceContentNotScanned'
  | 'evidenceNotBuilt'
  | 'evidenceNotProved'
  | 'evidenceNotRead'
  | 'evidenceNotSigned'
  | 'evidenceOfDifferentDocuments'
  | 'evidenceSignaturesNotRegistered'
  | 'evidenceTimesDiffer'
  | 'evidenceUnavailable'
  | 'evidenceWithoutOriginal'
  | 'featureNotAvailable'
  | 'fieldNotSupported'
  | 'fileNotProved'
  | 'fileNotRead'
  | 'fileNotRegistered'
  | 'foreignOrigin'
  | 'formNotParsed'
  | 'idempotencyKeyReused'
  | 'integrationAlreadySet'
  | 'integrationNotFound'
  | 'invalidAuthority'
  | 'invalidCertificateIndex'
  | 'invalidCertificateStatus'
  | 'invalidDeadline'
  | 'invalidDocumentIdentifier'
  | 'invalidDocumentSettings'
  | 'invalidDocumentTitle'
  | 'invalidFileName'
  | 'invalidHeaders'
  | 'invalidIdempotencyKey'
  | 'invalidIin'
  | 'invalidIntegrationParameters'
  | 'invalidJsonStructure'
  | 'invalidLogoFormat'
  | 'invalidLogoResolution'
  | 'invalidLogoSize'
  | 'invalidMethod'
  | 'invalidNonce'
  | 'invalidNotificationEmail'
  | 'invalidNotificationLanguage'
  | 'invalidOcspData'
  | 'invalidPackageIdentifier'
  | 'invalidPackageSettings'
  | 'invalidQueryParameter'
  | 'invalidReceiver'
  | 'invalidRoute'
  | 'invalidSignature'
  | 'invalidSignatureExportFormat'
  | 'invalidSignatureIdentifier'
  | 'invalidTspTimeStamp'
  | 'invalidUrl'
  | 'itemNotFound'
  | 'jsonNotParsed'
  | 'largeSignatureNotRead'
  | 'logNotFound'
  | 'logNotKept'
  | 'logNotWitnessed'
  | 'logUnreadable'
  | 'mailAddressNotFound'
  | 'mailLimitReached'
  | 'mailNotAvailable'
  | 'mailServerTakesNothing'
  | 'moreSignaturesThanLimit'
  | 'noSignaturesInFormat'
  | 'nonceToSign'
  | 'notOrganization'
  | 'notReady'
  | 'notSupportedDocumentType'
  | 'noteNotVerified'
  | 'ocspServerProblem'
  | 'operationExpired'
  | 'operationNotFound'
  | 'originalsTooLarge'
  | 'otherSigner'
  | 'packageNotFound'
  | 'packageWithoutDocuments'
  | 'processedSizeDiffers'
  | 'qrInvalidState'
  | 'qrNotActive'
  | 'qrOtherEndpoint'
  | 'qrTaken'
  | 'qrTimeout'
  | 'qrTooMany'
  | 'qrVersionTooLow'
  | 'rangeNotSatisfiable'
  | 'rateLimitReached'
  | 'remindedTooSoon'
  | 'reminderNotPossible'
  | 'remindersLimitReached'
  | 'replacedByStranger'
  | 'requestFieldNotText'
  | 'requestFieldTooLarge'
  | 'serviceBusy'
  | 'setOrderNonconforming'
  | 'shareTaken'
  | 'signatureAlgorithmNotSupported'
  | 'signatureAlreadySubmitted'
  | 'signatureDoesNotConform'
  | 'signatureDoesNotCorrespond'
  | 'signatureMissing'
  | 'signatureNotFound'
  | 'signatureNotParsed'
  | 'signatureTypeNotSupported'
  | 'signaturesCountDiffers'
  | 'signaturesInOtherFormat'
  | 'signaturesLimitReached'
  | 'signaturesNotOverDocument'
  | 'signedDataNotStored'
  | 'signedFilesBusy'
  | 'signedFilesUnavailable'
  | 'signerCertificateNotValidNow'
  | 'signingDeadlinePassed'
  | 'statementKeyMissing'
  | 'statusCanNotBeChanged'
  | 'templateNotFound'
  | 'tlsCertificateDisabled'
  | 'tlsCertificateNotListed'
  | 'tlsCertificateNotUsable'
  | 'tlsCertificatePending'
  | 'tooManyJsonValues'
  | 'tooManyNotificationEmails'
  | 'tooManyTemplates'
  | 'tooManyWaitingItems'
  | 'tspServerProblem'
  | 'unexpected'
  | 'unsupportedMediaType'
  | 'webhookNotFound'
  | 'wholePackageRequired'
  | 'witnessBehind'

export type PublicLog = {
  /** name of the log in its checkpoints */ readonly origin: string
  /** key that its checkpoints are signed by, as C2SP signed-note writes it; absent until one is signed */ readonly verifierKey?: string
  /** prefix of its checkpoint and tiles (C2SP tlog-tiles) */ readonly address: string
  /** entries of the checkpoint; 0 without one */ readonly size: number
  /** the newest, a signed note (C2SP tlog-checkpoint); absent until one is signed, and where the database is older than one that was */ readonly checkpoint?: string
  /** key that this registry cosigns the logs of others by, at /api/witness (C2SP tlog-cosignature); absent where it is no witness */ readonly witnessKey?: string
  /** of the newest time stamp over a checkpoint */ readonly stampedAt?: number
  /** how the log came from its first key to the present one, the oldest first */ readonly keyChanges: readonly {
    readonly formerKey: string
    readonly changedAt: number
    /** signed by the former key and by the one after it */ readonly checkpoint: string
  }[]
  /** logs that this one has succeeded, since a restored database could not go on with them */ readonly earlier: readonly {
    readonly origin: string
    readonly verifierKey?: string
    readonly address: string
    readonly endedAt: number
    /** how it came from its first key to its last one, the oldest first */ readonly keyChanges: readonly {
      readonly formerKey: string
      readonly changedAt: number
      /** signed by the former key and by the one after it */ readonly checkpoint: string
    }[]
  }[]
}

export type WitnessedCheckpoint = { /** signed by its log and cosigned by this registry */ readonly checkpoint: string }

export type DocumentList = {
  /** exact; with searchQuery as far as matches were counted, at most 1000 */ readonly documentsTotal: number
  readonly documents: readonly DocumentListItem[]
  /** ours, with searchQuery: more may match, also where this page is empty: repeat the query with this searchCursor to search on; absent at the end */ readonly searchCursor?: string
}

export type DocumentListItem = {
  readonly documentId: string
  /** milliseconds since the UNIX epoch */ readonly storedAt: number
  readonly title: string
  readonly description: string
  readonly dataArchived: boolean
  /** bytes; 0 when unknown */ readonly signedDataSize: number
  readonly registrator?: Registrator
  readonly signaturesTotal: number
  /** ours: with digestsEnding=true: when the last of its fixed hashes ends, milliseconds */ readonly digestsTrustedUntil?: number
  /** with includeSignatures=true, as far as the page has room for them */ readonly signatures?: readonly Signature[]
}

export type Registrator = {
  /** BIN */ readonly businessId: string
  /** base64 of the mutual-TLS certificate */ readonly certificate: string
}

export type Signature = {
  /** IIN of the signer */ readonly userId: string
  /** BIN of the signer */ readonly businessId?: string
  /** object identifier */ readonly signAlgorithm: string
  /** object identifier */ readonly certSignAlgorithm: string
  /** lower-case hexadecimal */ readonly serialNumber: string
  /** milliseconds since the UNIX epoch */ readonly from: number
  /** milliseconds since the UNIX epoch */ readonly until: number
  /** RFC 4514 */ readonly subject: string
  /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
  /** RFC 4514 */ readonly issuer: string
  /** array of RDNs in the order of the certificate */ readonly issuerStructure: readonly (readonly NameAttribute[])[]
  readonly policyIds: readonly string[]
  /** names of RFC 5280 section 4.2.1.3 */ readonly keyUsages: readonly string[]
  readonly extKeyUsages: readonly string[]
  readonly subjectAltName?: string
  readonly subjectAltNameStructure?: readonly { readonly type: string; readonly value: string }[]
  /** object identifier */ readonly keyStorage?: string
  readonly signType: 'cms' | 'xml'
  readonly tsp?: Tsp
  readonly ocsp?: Ocsp
  /** milliseconds since the UNIX epoch */ readonly storedAt: number
  readonly signId: number
  /** absent where the signature is over all of the document as it stands */ readonly coverage?: SignatureCoverage
}

export type NameAttribute = {
  /** object identifier */ readonly oid: string
  /** textual type name */ readonly name: string
  /** true when value is base64 of binary data */ readonly valueInB64: boolean
  readonly value: string
}

export type Tsp = {
  /** milliseconds since the UNIX epoch */ readonly timeStamp: number
  /** object identifier */ readonly timeStampPolicy: string
  /** object identifier */ readonly signAlgorithm: string
  /** object identifier */ readonly certSignAlgorithm: string
  /** lower-case hexadecimal */ readonly serialNumber: string
  /** milliseconds since the UNIX epoch */ readonly from: number
  /** milliseconds since the UNIX epoch */ readonly until: number
  /** RFC 4514 */ readonly subject: string
  /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
  /** RFC 4514 */ readonly issuer: string
  /** array of RDNs in the order of the certificate */ readonly issuerStructure: readonly (readonly NameAttribute[])[]
  readonly policyIds: readonly string[]
  /** names of RFC 5280 section 4.2.1.3 */ readonly keyUsages: readonly string[]
  readonly extKeyUsages: readonly string[]
}

export type Ocsp = {
  /** milliseconds since the UNIX epoch */ readonly producedAt: number
  /** milliseconds since the UNIX epoch */ readonly thisUpdate: number
  /** milliseconds since the UNIX epoch */ readonly nextUpdate?: number
  readonly certStatus: 'good'
  /** object identifier */ readonly signAlgorithm: string
  /** object identifier */ readonly certSignAlgorithm: string
  /** lower-case hexadecimal */ readonly serialNumber: string
  /** milliseconds since the UNIX epoch */ readonly from: number
  /** milliseconds since the UNIX epoch */ readonly until: number
  /** RFC 4514 */ readonly subject: string
  /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
  /** RFC 4514 */ readonly issuer: string
  /** array of RDNs in the order of the certificate */ readonly issuerStructure: readonly (readonly NameAttribute[])[]
  readonly policyIds: readonly string[]
  /** names of RFC 5280 section 4.2.1.3 */ readonly keyUsages: readonly string[]
  readonly extKeyUsages: readonly string[]
}

export type SignatureCoverage =
  | {
      /** bytes of one revision of the document, such as a PDF */ readonly of: 'ranges'
      /** from, and to but not including */ readonly ranges: readonly (readonly number[])[]
      /** OID to base64 of what the signature itself is over: no hash of the document, but where references are of an XML signature */ readonly digests: Readonly<
        Record<string, string>
      >
    }
  | {
      /** a list of files by their hashes */ readonly of: 'references'
      /** what it calls the document */ readonly uris: readonly string[]
      /** OID to base64 of what the signature itself is over: no hash of the document, but where references are of an XML signature */ readonly digests: Readonly<
        Record<string, string>
      >
    }

export type RegisterDocumentRequest = {
  readonly title?: string
  readonly description?: string
  readonly signType?: 'cms' | 'xml'
  /** CMS: DER in base64, or PEM; XML: the signature element */ readonly signature?: string
  readonly emailNotifications?: EmailNotifications
  readonly settings?: DocumentSettings
  readonly integrationRegisterAuto?: IntegrationRegisterAuto
  readonly send?: {
    /** IIN or BIN with prefix */ readonly to: string
    readonly comment?: string
    /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
    /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
  }
  /** documentId of an earlier version, which the signer or a colleague signed first; ours */ readonly replaces?: string
}

export type EmailNotifications = {
  readonly to: readonly string[]
  /** send without the attached document */ readonly doNotAttachDocument?: boolean
  /** ru, kk, en or combinations such as kk/en */ readonly language?: string
}

export type DocumentSettings = {
  readonly private?: boolean
  readonly signaturesLimit?: number
  readonly switchToPrivateAfterLimitReached?: boolean
  readonly unique?: readonly ('iin' | 'bin')[]
  readonly strictSignersRequirements?: boolean
  readonly sequentialSignersRequirements?: boolean
  readonly signersRequirements?: readonly {
    readonly iin?: string
    readonly bin?: string
    readonly authorities?: readonly string[]
    readonly ca?: string
  }[]
  /** milliseconds since the UNIX epoch; later signatures are refused; ours */ readonly signUntil?: number
  readonly publicDuringPreregistration?: boolean
  readonly publicWhileLessThanSignatures?: number
  readonly documentAccess?: readonly { readonly iin?: string; readonly bin?: string }[]
  /** anybody may read that it is registered, and signed by so many; ours */ readonly publicProof?: boolean
  readonly forceArchive?: boolean
  /** milliseconds */ readonly tempStorageAfterRegistration?: number
}

export type IntegrationRegisterAuto = {
  readonly documentTypeCode: string
  /** what the signers are, in the order of their signatures */ readonly signers: readonly string[]
}

export type RegisteredDocument = {
  readonly documentId: string
  readonly signId?: number
  /** base64 of the data that the CMS carried */ readonly data?: string
  readonly signedDataSize?: number
  /** OID of the algorithm to base64 of the hash */ readonly digests?: Readonly<Record<string, string>>
  /** present where recipients were asked for; for a package, in the answer for its last document */ readonly emailNotifications?: {
    /** originals go with the mails, as far as is known now */ readonly attached: boolean
    /** why no mails go out now */ readonly message?: string
  }
  readonly dataArchived?: boolean
  readonly tempStorage?: boolean
  readonly automaticallyCreatedUserSettings?: UserSettings
  readonly automaticallyCreatedOrgSettings?: OrganizationSettings
  /** the item that was sent; for a package, in the answer for its last document */ readonly outgoingId?: string
}

export type UserSettings = {
  /** IIN */ readonly userId: string
  readonly emailNotificationsEnabled: boolean
  /** about incoming and outgoing */ readonly emailNotificationsRoutingEnabled: boolean
  /** may be empty */ readonly email: string
  /** language of mails to this address, such as `kk/ru`; empty for that of the service; ours */ readonly notificationsLanguage: string
  /** mails about incoming and outgoing that are not wanted: what was received, comments, decisions, reminders, whose turn it is to sign; ours */ readonly notificationsOff: readonly (
    | 'received'
    | 'comments'
    | 'decisions'
    | 'reminders'
    | 'turns'
  )[]
  /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled: boolean
  /** may be empty */ readonly dataArchiveContactEmail: string
  /** bytes */ readonly dataArchiveQuota: number
  /** end of the additional quota */ readonly dataArchiveQuotaExpires?: number
  /** bytes stored */ readonly dataArchiveUsage: number
  /** 0 when never saved */ readonly modifiedAt: number
}

export type OrganizationSettings = {
  /** BIN */ readonly businessId: string
  readonly tlsCertificatesList: readonly ListedClientCertificate[]
  readonly documentsAccess: AccessControl
  readonly documentsList: AccessControl
  readonly documentsSettings: AccessControl
  readonly organizationSettings: AccessControl
  readonly documentsPackagesRoute: AccessControl
  readonly routedDocumentsPackagesView: AccessControl
  readonly webhooks: Webhooks
  /** 0 when never saved */ readonly modifiedAt: number
  /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled: boolean
  /** may be empty */ readonly dataArchiveContactEmail: string
  /** may be empty */ readonly subscriptionContactEmail: string
  /** may be empty */ readonly routingContactEmail: string
  /** ours */ readonly branding?: {
    /** base64 of a PNG image of at most 200x100 pixels */ readonly logo?: string
    /** such as #7a1f3d */ readonly color?: string
    readonly name?: { readonly ru: string; readonly kk: string; readonly en: string }
  }
  /** bytes */ readonly dataArchiveQuota: number
  /** end of the additional quota */ readonly dataArchiveQuotaExpires?: number
  /** bytes stored */ readonly dataArchiveUsage: number
}

export type ListedClientCertificate = {
  readonly description: string
  /** PEM */ readonly body: string
  readonly disabled: boolean
  /** ours: true where any certificate of the same key acts as well as this one */ readonly byKey: boolean
  readonly settings: ClientCertificateSettings
  /** ours: true until its holder has proved the key for this organization */ readonly pending?: boolean
}

export type ClientCertificateSettings = {
  readonly ddcHowToVerifyStrings?: { readonly ru?: string; readonly kk?: string }
  readonly qrOrganisationName?: { readonly ru: string; readonly kk: string; readonly en: string }
  /** base64 of a PNG image of at most 102x102 pixels */ readonly qrLogo?: string
  /** base64 of a PNG image of exactly 200x100 pixels */ readonly ddcLogo?: string
  readonly ddcLogoString?: { readonly ru?: string; readonly kk?: string }
  readonly ddcLogoDisable?: boolean
}

export type AccessControl = {
  /** OIDs; any one suffices */ readonly authorities: readonly string[]
  /** positions in tlsCertificatesList */ readonly tlsCertificatesIndices: readonly number[]
  /** IINs of employees */ readonly iins: readonly string[]
}

export type Webhooks = {
  /** standard notifications */ readonly urls: readonly string[]
  /** incoming and outgoing notifications */ readonly routingUrls: readonly string[]
}

export type AddSignatureRequest = {
  readonly signType?: 'cms' | 'xml'
  /** CMS: DER in base64, or PEM; XML: the signature element */ readonly signature: string
  readonly signatureEmailNotifications?: EmailNotifications
}

export type AddedSignature = {
  readonly documentId: string
  readonly signId: number
  /** base64 of the data that the CMS carried */ readonly data?: string
  readonly dataArchived: boolean
  readonly canBeArchived: boolean
  readonly automaticallyCreatedUserSettings?: UserSettings
  readonly automaticallyCreatedOrgSettings?: OrganizationSettings
}

export type DocumentResource = {
  readonly title: string
  readonly description: string
  /** bytes; 0 when unknown */ readonly signedDataSize: number
  readonly emailNotifications: EmailNotifications
  readonly signatureEmailNotifications: readonly SignatureEmailNotifications[]
  readonly settings: DocumentSettings
  readonly signaturesTotal: number
  readonly signatures: readonly Signature[]
  readonly dataArchived: boolean
  readonly tempStorage: boolean
  readonly canBeArchived: boolean
  readonly registrator?: Registrator
  /** the version that it replaces, for who may view that; ours */ readonly replaces?: string
  /** the version that replaces it, for who may view that; ours */ readonly replacedBy?: string
  /** present when it was sent; those that the caller received */ readonly incomingIds?: readonly string[]
  /** present when it was delivered; those that the caller sent */ readonly outgoingIds?: readonly string[]
}

export type SignatureEmailNotifications = {
  readonly signId: number
  readonly to: readonly string[]
  /** send without the attached document */ readonly doNotAttachDocument?: boolean
  /** ru, kk, en or combinations such as kk/en */ readonly language?: string
}

export type BuiltFileName = { readonly documentId: string; readonly fileName: string }

export type FixedDigests = {
  readonly documentId: string
  readonly signedDataSize: number
  /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
  /** present where recipients were asked for; for a package, in the answer for its last document */ readonly emailNotifications?: {
    /** originals go with the mails, as far as is known now */ readonly attached: boolean
    /** why no mails go out now */ readonly message?: string
  }
  readonly dataArchived: boolean
  readonly tempStorage: boolean
  readonly automaticallyCreatedUserSettings?: UserSettings
  readonly automaticallyCreatedOrgSettings?: OrganizationSettings
  /** the item that was sent; for a package, in the answer for its last document */ readonly outgoingId?: string
}

export type DocumentData = {
  readonly documentId: string
  /** base64 of the original */ readonly document: string
  /** bytes */ readonly signedDataSize: number
}

export type DocumentDigests = {
  readonly documentId: string
  /** when the document was registered, milliseconds */ readonly storedAt: number
  /** the package that the document is part of */ readonly packageId?: string
  /** absent until its original has come, milliseconds */ readonly digestsFixedAt?: number
  /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
  /** when the last of these hashes ends, milliseconds; absent where no day is known */ readonly trustedUntil?: number
  /** present where that is within a year: OID for POST /api/{id}/verify?digest=, with the original */ readonly furtherDigest?: string
}

export type DocumentProof = {
  readonly documentId: string
  /** when the document was registered, milliseconds */ readonly storedAt: number
  readonly signaturesTotal: number
  /** OIDs of the hashes that a file can be compared by */ readonly algorithms: readonly string[]
  /** whether the hash of the query is one of this document */ readonly matches?: boolean
}

export type ChangedDocument = { readonly documentId: string }

export type DocumentSettingsAudit = {
  readonly documentId: string
  readonly eventsTotal: number
  readonly events: readonly {
    readonly eventId: number
    readonly original: {
      readonly private?: boolean
      readonly signaturesLimit?: number
      readonly switchToPrivateAfterLimitReached?: boolean
      readonly unique?: readonly ('iin' | 'bin')[]
      readonly strictSignersRequirements?: boolean
      readonly sequentialSignersRequirements?: boolean
      readonly signersRequirements?: readonly {
        readonly iin?: string
        readonly bin?: string
        readonly authorities?: readonly string[]
        readonly ca?: string
      }[]
      /** milliseconds since the UNIX epoch; later signatures are refused; ours */ readonly signUntil?: number
      readonly publicDuringPreregistration?: boolean
      readonly publicWhileLessThanSignatures?: number
      readonly documentAccess?: readonly { readonly iin?: string; readonly bin?: string }[]
      /** anybody may read that it is registered, and signed by so many; ours */ readonly publicProof?: boolean
      readonly forceArchive?: boolean
      /** milliseconds */ readonly tempStorageAfterRegistration?: number
    }
    readonly modified: {
      readonly private?: boolean
      readonly signaturesLimit?: number
      readonly switchToPrivateAfterLimitReached?: boolean
      readonly unique?: readonly ('iin' | 'bin')[]
      readonly strictSignersRequirements?: boolean
      readonly sequentialSignersRequirements?: boolean
      readonly signersRequirements?: readonly {
        readonly iin?: string
        readonly bin?: string
        readonly authorities?: readonly string[]
        readonly ca?: string
      }[]
      /** milliseconds since the UNIX epoch; later signatures are refused; ours */ readonly signUntil?: number
      readonly publicDuringPreregistration?: boolean
      readonly publicWhileLessThanSignatures?: number
      readonly documentAccess?: readonly { readonly iin?: string; readonly bin?: string }[]
      /** anybody may read that it is registered, and signed by so many; ours */ readonly publicProof?: boolean
      readonly forceArchive?: boolean
      /** milliseconds */ readonly tempStorageAfterRegistration?: number
    }
    readonly modifiedAt: number
    /** IIN; absent where an information system made the change */ readonly modifiedBy?: string
    /** BIN of the information system */ readonly modifiedByBusinessId?: string
    /** SHA-256 of the client certificate of the information system, hexadecimal */ readonly modifiedByDigest?: string
  }[]
}

export type ExportedSignature = {
  readonly documentId: string
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signFormat: number
  readonly signature: string
}

export type VerifiedDocument = {
  readonly documentId: string
  readonly dataArchived: boolean
  readonly tempStorage: boolean
  /** how many signatures were proved */ readonly signaturesTotal: number
  /** when, in milliseconds since the UNIX epoch */ readonly verifiedAt: number
  readonly proof?: ProvedUntil
}

export type ProvedUntil = {
  /** the latest time at which one of the signatures is proved to have existed, milliseconds */ readonly since: number
  /** timeStamp: by the time stamps over the signatures alone; evidenceRecord: each by an evidence record (RFC 4998) over it as well */ readonly by:
    | 'timeStamp'
    | 'evidenceRecord'
  /** chains of the evidence record with the fewest: one for each digest */ readonly chains: number
  /** archive time stamps of the evidence record with the fewest */ readonly stamps: number
  /** until when that holds without a further renewal, milliseconds; absent where nothing ends */ readonly holdsUntil?: number
  /** signatures that the word of the registry alone dates: what proved their time had ended before it was renewed. More than 0 is no proof to others */ readonly ended: number
}

export type CheckRegistrationRequest = {
  readonly title?: string
  readonly description?: string
  readonly emailNotifications?: EmailNotifications
  readonly settings?: DocumentSettings
  readonly send?: {
    /** IIN or BIN with prefix */ readonly to: string
    readonly comment?: string
    /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
    /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
  }
  /** true before `POST /api/package` */ readonly isPackage?: boolean
}

export type FindExportedSignatureRequest = {
  readonly signType?: 'cms' | 'xml'
  /** CMS: DER in base64, or PEM; XML: the signature element */ readonly signature: string
}

export type FoundSignature = { readonly documentId: string; readonly signId: number }

export type FoundDocuments = {
  /** the newest first; only those that the caller may view: the oldest and the newest of those open to everybody, then the caller’s own */ readonly documents: readonly {
    readonly documentId: string
    readonly title: string
    /** milliseconds since the UNIX epoch */ readonly storedAt: number
    readonly signaturesTotal: number
  }[]
}

export type DocumentIdFromName = { readonly documentId: string }

export type NormalizedId = { readonly id: string; readonly type: 'document' }

export type CheckSignatureRequest = {
  /** CMS: DER in base64, or PEM; XML: the signature element, or a signed document */ readonly signature?: string
  /** hashes of a document: OID of the algorithm to base64 */ readonly digests?: Readonly<Record<string, string>>
  readonly signatures?: readonly {
    readonly name: string
    /** CMS: DER in base64, or PEM; XML: the signature element, or a signed document */ readonly signature: string
    /** what it is over where its place says so, as in a PDF: bytes of the file of that name, from, and to but not including; digests are of those */ readonly over?: {
      readonly name: string
      /** hashes of a document: OID of the algorithm to base64 */ readonly digests: Readonly<Record<string, string>>
      readonly ranges: readonly (readonly number[])[]
    }
  }[]
  /** what signatures may be over, each under a name of its own */ readonly documents?: readonly {
    readonly name: string
    /** hashes of a document: OID of the algorithm to base64 */ readonly digests: Readonly<Record<string, string>>
    readonly size?: number
  }[]
}

export type CheckedFiles = {
  /** wrong beats unknown, and unknown beats proved; a document that no signature is over, or that was added to since, leaves it unknown */ readonly outcome:
    | 'proved'
    | 'unknown'
    | 'wrong'
  /** true when every signature is TOTAL-PASSED */ readonly valid: boolean
  /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
    | 'TOTAL-PASSED'
    | 'INDETERMINATE'
    | 'TOTAL-FAILED'
    | 'unsupported'
  /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
  /** milliseconds since the UNIX epoch */ readonly judgedAt: number
  /** one for each signer */ readonly signatures: readonly CheckedSigner[]
  readonly documents: readonly {
    readonly name: string
    /** those that are over it, by their places from 0 */ readonly signatures: readonly number[]
    /** how much of it: part where it was added to after its last signature */ readonly signed:
      | 'whole'
      | 'part'
      | 'nothing'
    /** documents of any of its hashes that are registered, of those that the caller may view */ readonly registered: readonly {
      readonly documentId: string
      readonly title: string
      /** milliseconds since the UNIX epoch */ readonly storedAt: number
      readonly signaturesTotal: number
    }[]
  }[]
}

export type CheckedSigner = {
  /** the name of the file that it came in */ readonly file: string
  readonly registered?: {
    readonly documentId: string
    readonly signId: number
    /** milliseconds since the UNIX epoch, for callers who may view the document */ readonly storedAt?: number
  }
  /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
    | 'TOTAL-PASSED'
    | 'INDETERMINATE'
    | 'TOTAL-FAILED'
    | 'unsupported'
  /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
  /** validAt: good at a time that a time stamp proves; validNow: good now, nothing proves more; intact: the value is right for its key; refused: not even that */ readonly conclusion:
    | 'validAt'
    | 'validNow'
    | 'intact'
    | 'refused'
    | 'unsupported'
  /** the time that the conclusion is about, milliseconds */ readonly time: number
  /** carried: the signed bytes are part of what was sent; notCompared: no hash of the document was sent */ readonly document:
    | 'carried'
    | 'matches'
    | 'differs'
    | 'notCompared'
    | 'unknown'
  /** the name of the document that it is over */ readonly over?: string
  /** what of its file the signature is over */ readonly coverage?: {
    /** all of the document; bytes of one revision of a file, such as a PDF; what references name by URI */ readonly of:
      | 'content'
      | 'ranges'
      | 'references'
    /** from, and to but not including; what lies outside nobody signed */ readonly ranges?: readonly (readonly number[])[]
    readonly uris?: readonly string[]
  }
  /** what an XML signature is over; signature: a counter-signature, over another signature alone */ readonly covers?:
    | 'document'
    | 'element'
    | 'detached'
    | 'signature'
  readonly signType?: 'cms' | 'xml'
  /** what the document must hash to: OID of the algorithm to base64 */ readonly digests: Readonly<
    Record<string, string>
  >
  readonly signer?: HolderFacts
  readonly tsp?: Tsp
  readonly ocsp?: Ocsp
  /** what would have told more */ readonly missing: readonly (
    | 'document'
    | 'signingCertificate'
    | 'timeStamp'
    | 'status'
    | 'chainStatus'
    | 'timeStampStatus'
  )[]
  /** certificates that the verdict rests on and whose status nothing tells */ readonly unasked: readonly {
    /** RFC 4514 */ readonly subject: string
    /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
    /** RFC 4514 */ readonly issuer: string
    /** lower-case hexadecimal */ readonly serialNumber: string
  }[]
  /** evidence that was there and that the verdict does not rest on */ readonly unused: readonly {
    readonly kind:
      | 'timeStamp'
      | 'contentTimeStamp'
      | 'archiveTimeStamp'
      | 'evidenceRecord'
      | 'ocsp'
      | 'crl'
      | 'revocationValues'
    /** what is wrong with it, or notJudged */ readonly reason: string
    /** milliseconds since the UNIX epoch */ readonly time?: number
  }[]
  /** what is not judged here, and what to do about it */ readonly unsupported?: {
    readonly feature: string
    /** one sentence in English */ readonly advice: string
  }
  /** what was looked at, in this order; what is not here was not */ readonly checks: readonly {
    readonly check:
      | 'document'
      | 'signatureValue'
      | 'algorithms'
      | 'signerUsage'
      | 'signingCertificate'
      | 'timeStamp'
      | 'path'
      | 'status'
      | 'chainStatus'
    /** milliseconds since the UNIX epoch */ readonly at: number
    readonly outcome: 'passed' | 'failed'
    readonly reason?: string
  }[]
  /** the error that a registration would be refused with; GET /api/strings has its texts */ readonly refusal?: {
    readonly code: string
    readonly message: string
    readonly reason?: string
  }
}

export type HolderFacts = {
  /** IIN of the signer */ readonly userId?: string
  /** BIN of the signer */ readonly businessId?: string
  /** object identifier */ readonly signAlgorithm: string
  /** object identifier */ readonly certSignAlgorithm: string
  /** lower-case hexadecimal */ readonly serialNumber: string
  /** milliseconds since the UNIX epoch */ readonly from: number
  /** milliseconds since the UNIX epoch */ readonly until: number
  /** RFC 4514 */ readonly subject: string
  /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
  /** RFC 4514 */ readonly issuer: string
  /** array of RDNs in the order of the certificate */ readonly issuerStructure: readonly (readonly NameAttribute[])[]
  readonly policyIds: readonly string[]
  /** names of RFC 5280 section 4.2.1.3 */ readonly keyUsages: readonly string[]
  readonly extKeyUsages: readonly string[]
  readonly subjectAltName?: string
  readonly subjectAltNameStructure?: readonly { readonly type: string; readonly value: string }[]
  /** object identifier */ readonly keyStorage?: string
}

export type MakeReportRequest = {
  readonly signatures?: readonly {
    readonly name: string
    /** CMS: DER in base64, or PEM; XML: the signature element, or a signed document */ readonly signature: string
    /** what it is over where its place says so, as in a PDF: bytes of the file of that name, from, and to but not including; digests are of those */ readonly over?: {
      readonly name: string
      /** hashes of a document: OID of the algorithm to base64 */ readonly digests: Readonly<Record<string, string>>
      readonly ranges: readonly (readonly number[])[]
    }
  }[]
  /** what signatures may be over, each under a name of its own */ readonly documents?: readonly {
    readonly name: string
    /** hashes of a document: OID of the algorithm to base64 */ readonly digests: Readonly<Record<string, string>>
    readonly size?: number
  }[]
  /** ru unless given */ readonly language?: 'ru' | 'kk' | 'en'
}

export type SignedReport = {
  readonly outcome: 'proved' | 'unknown' | 'wrong'
  /** for people: one file without scripts */ readonly html: string
  /** validation report of ETSI TS 119 102-2 */ readonly xml: string
  /** for programs; a text, since the note has its hash */ readonly json: string
  /** signed note (C2SP) with the SHA-256 of html, xml and json; none without a statement key */ readonly note?: string
  readonly timeStamp: NoteTimeStamp
}

export type NoteTimeStamp = {
  /** notAsked: nobody asks an authority for a caller who is not known; limitReached: the caller had as many as there are in an hour; unavailable: the authority gave none */ readonly state:
    | 'made'
    | 'notAsked'
    | 'limitReached'
    | 'unavailable'
  /** base64 of a time-stamp token (RFC 3161) over the bytes of the note */ readonly token?: string
  readonly genTime?: number
}

export type PublicStatementKey = {
  /** name, key ID and Ed25519 key, as verifiers of signed notes (C2SP) take them */ readonly verifierKey: string
}

export type BuiltDdc = {
  readonly documentId: string
  /** base64 of the card, a PDF */ readonly ddc: string
  readonly dataArchived: boolean
}

export type PartnerCms = {
  readonly documentId: string
  /** base64 of the CMS with the original and every signature, DER */ readonly signature: string
  readonly dataArchived: boolean
}

export type SignatureQr = {
  readonly documentId: string
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signFormat: number
  readonly signature: string
  /** base64 of PNG images that together hold the signature, in order */ readonly qrCodes: readonly string[]
}

export type CheckedDdc = {
  /** of signatures and pages, the worst: wrong beats unknown, and unknown beats proved; pages that differ are wrong, pages that were not compared unknown */ readonly outcome:
    | 'proved'
    | 'unknown'
    | 'wrong'
  /** the files in the card are genuine: every signature is registered under this document, and is over the original; of the pages it says nothing */ readonly documentId?: string
  readonly original: {
    readonly name: string
    /** bytes */ readonly size: number
    /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
  }
  /** in the order of the card */ readonly signatures: readonly {
    /** of the file in the card */ readonly name: string
    readonly registered?: {
      readonly documentId: string
      readonly signId: number
      /** milliseconds since the UNIX epoch, for callers who may view the document */ readonly storedAt?: number
    }
    readonly verdict?: CheckedSignature
    /** why it is no signature at all */ readonly refusal?: { readonly code: string; readonly message: string }
  }[]
  readonly pages: CardPages
}

export type CheckedSignature = {
  /** true when every signature is TOTAL-PASSED */ readonly valid: boolean
  /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
    | 'TOTAL-PASSED'
    | 'INDETERMINATE'
    | 'TOTAL-FAILED'
    | 'unsupported'
  /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
  /** milliseconds since the UNIX epoch */ readonly judgedAt: number
  /** one for each signer */ readonly signatures: readonly CheckedSigner[]
}

export type CardPages = {
  /** same: the card is to the last page what the registry makes of the same state; differ: it was changed after it was made, and only the attached original counts; notCompared: nobody knows, and only the attached original counts */ readonly compared:
    | 'same'
    | 'differ'
    | 'notCompared'
  /** the pages that differ, from 1; none where something else in the file does */ readonly numbers?: readonly number[]
  /** why they were not compared: notRegistered; notSaid: the card does not say how it was made; otherDrawing: made by another version; otherSettings: with other names, links or settings; busy, timeout and the like */ readonly reason?: string
}

export type SampleDdc = { /** base64 of a sample card, a PDF */ readonly sampleDDC: string }

export type ParsedDdc = {
  readonly documentId: string
  /** in the order of the card */ readonly signIds: readonly number[]
  /** base64 of the original */ readonly document: string
  readonly dataArchived: boolean
}

export type PackageList = {
  readonly packagesTotal: number
  readonly packages: readonly PackageListItem[]
  /** ours, with searchQuery: more may match, also where this page is empty: repeat the query with this searchCursor to search on; absent at the end */ readonly searchCursor?: string
}

export type PackageListItem = {
  readonly packageId: string
  readonly title: string
  readonly description: string
  /** milliseconds since the UNIX epoch */ readonly storedAt: number
  readonly documentsIds: readonly string[]
  readonly registrator?: Registrator
}

export type RegisterPackageRequest = {
  /** may be empty */ readonly title: string
  /** may be empty */ readonly description: string
  readonly emailNotifications?: PackageEmailNotifications
  readonly settings?: PackageSettingsRequest
  readonly documentsSettings?: DocumentSettings
  readonly documents: readonly { readonly title: string; readonly description: string }[]
  readonly send?: {
    /** IIN or BIN with prefix */ readonly to: string
    readonly comment?: string
    /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
    /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
  }
}

export type PackageEmailNotifications = {
  readonly to: readonly string[]
  /** send without the attached documents */ readonly doNotAttachDocuments?: boolean
  /** ru, kk, en or combinations such as kk/en */ readonly language?: string
}

export type PackageSettingsRequest = {
  /** access is restricted */ readonly private?: boolean
  /** who else may see the package; not its documents */ readonly packageAccess?: readonly {
    readonly iin?: string
    readonly bin?: string
  }[]
  /** who else may change these settings */ readonly packageSettings?: readonly {
    readonly iin?: string
    readonly bin?: string
  }[]
  /** all documents are signed together or none */ readonly signWholePackage?: boolean
}

export type RegisteredPackage = {
  readonly packageId: string
  readonly documentsIds: readonly string[]
  /** where nobody was authenticated: give it to POST /api/{id}/data of each document */ readonly dataSecret?: string
}

export type Package = {
  readonly packageId: string
  readonly title: string
  readonly description: string
  /** milliseconds since the UNIX epoch */ readonly storedAt: number
  readonly documentsIds: readonly string[]
  readonly registrator?: Registrator
  readonly emailNotifications: PackageEmailNotifications
  readonly signatureEmailNotifications: readonly SignedPackageNotifications[]
  readonly settings: PackageSettings
  readonly documentsSettings: DocumentSettings
  /** the original of every document is archived */ readonly dataArchived: boolean
  /** the original of every document is archived or in temporary storage */ readonly dataStored: boolean
  /** present when it was sent; those that the caller received */ readonly incomingIds?: readonly string[]
  /** present when it was delivered; those that the caller sent */ readonly outgoingIds?: readonly string[]
}

export type SignedPackageNotifications = {
  readonly signIds: readonly number[]
  readonly to: readonly string[]
  readonly doNotAttachDocuments: boolean
  /** ru, kk, en or combinations such as kk/en */ readonly language?: string
}

export type PackageSettings = {
  /** access is restricted */ readonly private: boolean
  /** who else may see the package; not its documents */ readonly packageAccess: readonly {
    readonly iin?: string
    readonly bin?: string
  }[]
  /** who else may change these settings */ readonly packageSettings: readonly {
    readonly iin?: string
    readonly bin?: string
  }[]
  /** all documents are signed together or none */ readonly signWholePackage: boolean
}

export type SignPackageRequest = {
  /** one for each document, in their order */ readonly signatures: readonly {
    readonly signType?: 'cms' | 'xml'
    /** CMS: DER in base64, or PEM; XML: the signature element */ readonly signature: string
  }[]
  readonly signatureEmailNotifications?: PackageEmailNotifications
}

export type SignedPackage = { readonly packageId: string; readonly registrationResults: readonly AddedSignature[] }

export type ChangedPackage = { readonly packageId: string }

export type PackageSettingsAudit = {
  readonly packageId: string
  readonly eventsTotal: number
  readonly events: readonly {
    readonly eventId: number
    readonly original: {
      /** access is restricted */ readonly private?: boolean
      /** who else may see the package; not its documents */ readonly packageAccess?: readonly {
        readonly iin?: string
        readonly bin?: string
      }[]
      /** who else may change these settings */ readonly packageSettings?: readonly {
        readonly iin?: string
        readonly bin?: string
      }[]
      /** all documents are signed together or none */ readonly signWholePackage?: boolean
    }
    readonly modified: {
      /** access is restricted */ readonly private?: boolean
      /** who else may see the package; not its documents */ readonly packageAccess?: readonly {
        readonly iin?: string
        readonly bin?: string
      }[]
      /** who else may change these settings */ readonly packageSettings?: readonly {
        readonly iin?: string
        readonly bin?: string
      }[]
      /** all documents are signed together or none */ readonly signWholePackage?: boolean
    }
    readonly modifiedAt: number
    /** IIN; absent where an information system made the change */ readonly modifiedBy?: string
    /** BIN of the information system */ readonly modifiedByBusinessId?: string
    /** SHA-256 of the client certificate of the information system, hexadecimal */ readonly modifiedByDigest?: string
  }[]
}

export type EvidenceFile = {
  /** the identifier of the document or package, with the extension */ readonly fileName: string
  /** base64 of the bundle, a ZIP archive (docs/evidence.md) */ readonly evidence: string
}

export type SignatureInclusion = {
  readonly documentId: string
  readonly signId: number
  /** off: the registry keeps no log; absent: it is not in the log, as it should be only if it was registered while the registry kept none; pending: it is in no checkpoint yet; logged: the other fields prove it; changed: what the registry has is not what was logged; broken: the log cannot be read */ readonly state:
    | 'off'
    | 'absent'
    | 'pending'
    | 'logged'
    | 'changed'
    | 'broken'
  /** name of the log */ readonly origin?: string
  /** key of the log that signed the checkpoint, as the registry says: who doubts it has the key from elsewhere */ readonly verifierKey?: string
  /** prefix of its checkpoint and tiles (C2SP tlog-tiles) */ readonly address?: string
  /** number of the entry, from 0 */ readonly index?: number
  /** entries in the tree of the checkpoint */ readonly size?: number
  /** when the checkpoint was signed, which only the registry says, milliseconds */ readonly signedAt?: number
  /** time of the stamp over the checkpoint; absent until it has one, milliseconds */ readonly loggedBefore?: number
  /** the later of the times of the stamp over the signature and of the OCSP answer: the entry has the hashes of both, so it was made after them, milliseconds */ readonly loggedAfter?: number
  /** who cosigned the checkpoint, of the witnesses that the registry asks */ readonly witnesses?: readonly {
    readonly name: string
    /** milliseconds */ readonly time: number
  }[]
  /** C2SP tlog-proof; its extra data are the salt and the text of the entry */ readonly proof?: string
  /** base64 of the time-stamp token (RFC 3161) over the checkpoint in the proof */ readonly stamp?: string
}

export type CheckedEvidence = {
  /** of everything in the bundle, the worst: wrong beats unknown, and unknown beats proved; without the original it is unknown */ readonly outcome:
    | 'proved'
    | 'unknown'
    | 'wrong'
  /** milliseconds since the UNIX epoch */ readonly judgedAt: number
  readonly problems: readonly {
    /** such as fileChanged, formChanged or noteWrong (docs/evidence.md, "Problems") */ readonly code: string
    /** the file in the bundle that it is about */ readonly file?: string
  }[]
  /** the registry that made the bundle, as it says itself */ readonly statement: {
    /** trusted: by this registry; notTrusted: by the key that the bundle itself names, so what it says is only the word of its owner */ readonly signedBy:
      | 'trusted'
      | 'notTrusted'
      | 'otherKey'
      | 'wrong'
      | 'missing'
    readonly origin: string
    readonly name: string
    readonly statementKey: string
    readonly rules: string
    /** when the state of the documents last changed; UTC, RFC 3339 */ readonly asOf: string
  }
  readonly package?: {
    readonly packageId: string
    readonly title: string
    /** when it was registered; UTC, RFC 3339 */ readonly storedAt: string
  }
  readonly documents: readonly {
    /** in the registry that made the bundle */ readonly documentId: string
    readonly title: string
    /** when it was registered, as that registry says; UTC, RFC 3339 */ readonly storedAt: string
    /** bytes */ readonly size: number
    /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
    readonly original: 'inside' | 'notShown'
    /** by their places from 0 */ readonly signatures: readonly number[]
    /** documents of any of its hashes that are registered here, of those that the caller may view */ readonly registered: readonly {
      readonly documentId: string
      readonly title: string
      /** milliseconds since the UNIX epoch */ readonly storedAt: number
      readonly signaturesTotal: number
    }[]
  }[]
  readonly signatures: readonly {
    /** the name of the file that it came in */ readonly file: string
    readonly registered?: {
      readonly documentId: string
      readonly signId: number
      /** milliseconds since the UNIX epoch, for callers who may view the document */ readonly storedAt?: number
    }
    /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
      | 'TOTAL-PASSED'
      | 'INDETERMINATE'
      | 'TOTAL-FAILED'
      | 'unsupported'
    /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
    /** validAt: good at a time that a time stamp proves; validNow: good now, nothing proves more; intact: the value is right for its key; refused: not even that */ readonly conclusion:
      | 'validAt'
      | 'validNow'
      | 'intact'
      | 'refused'
      | 'unsupported'
    /** the time that the conclusion is about, milliseconds */ readonly time: number
    /** carried: the signed bytes are part of what was sent; notCompared: no hash of the document was sent */ readonly document:
      | 'carried'
      | 'matches'
      | 'differs'
      | 'notCompared'
      | 'unknown'
    /** the name of the document that it is over */ readonly over?: string
    /** what of its file the signature is over */ readonly coverage?: {
      /** all of the document; bytes of one revision of a file, such as a PDF; what references name by URI */ readonly of:
        | 'content'
        | 'ranges'
        | 'references'
      /** from, and to but not including; what lies outside nobody signed */ readonly ranges?: readonly (readonly number[])[]
      readonly uris?: readonly string[]
    }
    /** what an XML signature is over; signature: a counter-signature, over another signature alone */ readonly covers?:
      | 'document'
      | 'element'
      | 'detached'
      | 'signature'
    readonly signType?: 'cms' | 'xml'
    /** what the document must hash to: OID of the algorithm to base64 */ readonly digests: Readonly<
      Record<string, string>
    >
    readonly signer?: HolderFacts
    readonly tsp?: Tsp
    readonly ocsp?: Ocsp
    /** what would have told more */ readonly missing: readonly (
      | 'document'
      | 'signingCertificate'
      | 'timeStamp'
      | 'status'
      | 'chainStatus'
      | 'timeStampStatus'
    )[]
    /** certificates that the verdict rests on and whose status nothing tells */ readonly unasked: readonly {
      /** RFC 4514 */ readonly subject: string
      /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
      /** RFC 4514 */ readonly issuer: string
      /** lower-case hexadecimal */ readonly serialNumber: string
    }[]
    /** evidence that was there and that the verdict does not rest on */ readonly unused: readonly {
      readonly kind:
        | 'timeStamp'
        | 'contentTimeStamp'
        | 'archiveTimeStamp'
        | 'evidenceRecord'
        | 'ocsp'
        | 'crl'
        | 'revocationValues'
      /** what is wrong with it, or notJudged */ readonly reason: string
      /** milliseconds since the UNIX epoch */ readonly time?: number
    }[]
    /** what is not judged here, and what to do about it */ readonly unsupported?: {
      readonly feature: string
      /** one sentence in English */ readonly advice: string
    }
    /** what was looked at, in this order; what is not here was not */ readonly checks: readonly {
      readonly check:
        | 'document'
        | 'signatureValue'
        | 'algorithms'
        | 'signerUsage'
        | 'signingCertificate'
        | 'timeStamp'
        | 'path'
        | 'status'
        | 'chainStatus'
      /** milliseconds since the UNIX epoch */ readonly at: number
      readonly outcome: 'passed' | 'failed'
      readonly reason?: string
    }[]
    /** the error that a registration would be refused with; GET /api/strings has its texts */ readonly refusal?: {
      readonly code: string
      readonly message: string
      readonly reason?: string
    }
    /** in the registry that made the bundle */ readonly signId: number
    /** when it was registered, as that registry says; UTC, RFC 3339 */ readonly storedAt: string
  }[]
  /** what the transparency log of the registry that made the bundle proves, of each signature and of the hashes of each document */ readonly log: readonly {
    /** in the registry that made the bundle */ readonly documentId: string
    /** of a signature; absent for the hashes of the document */ readonly signId?: number
    /** logged: the proof leads to the checkpoint, and the entry says what is in the bundle; wrong: it does not; else there is no proof, and the registry says why */ readonly state:
      | 'logged'
      | 'wrong'
      | 'absent'
      | 'pending'
      | 'changed'
      | 'broken'
    /** why it is wrong */ readonly reason?: string
    /** name of the log */ readonly origin?: string
    /** number of the entry, from 0 */ readonly index?: number
    /** entries in the tree of the checkpoint */ readonly size?: number
    /** time of the stamp over the checkpoint, where this registry trusts its authority, milliseconds */ readonly loggedBefore?: number
    /** time of the stamp over the signature, whose hash the entry has, where this registry trusts its authority, milliseconds */ readonly loggedAfter?: number
    /** the time of registration is more than five minutes outside of these two */ readonly isOutside?: boolean
    /** OIDs of hashes of the document that the entry does not have */ readonly notLogged?: readonly string[]
    /** notEstablished: the log that the bundle names signed the checkpoint; a policy of your own (signed-registry verify --policy) establishes trust */ readonly trust?:
      | 'notEstablished'
      | 'unknownLog'
  }[]
  /** what evidence records prove of the signatures that have one */ readonly records: readonly {
    /** in the registry that made the bundle */ readonly documentId: string
    readonly signId: number
    /** notProved: this registry does not trust an authority of it, or it was not renewed in time; wrong: it is broken, or about something else */ readonly state:
      | 'proved'
      | 'notProved'
      | 'wrong'
    /** why it proves nothing */ readonly reason?: string
    /** when the signature existed with all of its evidence at the latest, milliseconds */ readonly existedAt?: number
    /** until when that is proved without a further renewal; absent where nothing on it ends, milliseconds */ readonly holdsUntil?: number
    readonly chains?: readonly {
      /** OID of the digest of its trees */ readonly digest: string
      /** when they were made, milliseconds */ readonly stamps: readonly number[]
    }[]
  }[]
}

export type ParsedEvidence = {
  /** in the order of the bundle */ readonly documents: readonly {
    /** in this registry */ readonly documentId: string
    /** in the order of the bundle */ readonly signIds: readonly number[]
    /** base64 of the original */ readonly document: string
    readonly dataArchived: boolean
  }[]
}

export type CheckedFile = {
  /** of everything in the file, the worst: wrong beats unknown, and unknown beats proved; what nobody signed leaves it unknown */ readonly outcome:
    | 'proved'
    | 'unknown'
    | 'wrong'
  /** true when every signature is TOTAL-PASSED */ readonly valid: boolean
  /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
    | 'TOTAL-PASSED'
    | 'INDETERMINATE'
    | 'TOTAL-FAILED'
    | 'unsupported'
  /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
  /** milliseconds since the UNIX epoch */ readonly judgedAt: number
  /** one for each signer; file is the name of its field or file */ readonly signatures: readonly {
    /** the name of the file that it came in */ readonly file: string
    readonly registered?: {
      readonly documentId: string
      readonly signId: number
      /** milliseconds since the UNIX epoch, for callers who may view the document */ readonly storedAt?: number
    }
    /** EN 319 102-1, 5.1.3: proved, not proved either way, wrong; unsupported: of a form that is not judged here */ readonly indication:
      | 'TOTAL-PASSED'
      | 'INDETERMINATE'
      | 'TOTAL-FAILED'
      | 'unsupported'
    /** EN 319 102-1, 5.1.3, tables 5 and 6 */ readonly subIndication?: string
    /** validAt: good at a time that a time stamp proves; validNow: good now, nothing proves more; intact: the value is right for its key; refused: not even that */ readonly conclusion:
      | 'validAt'
      | 'validNow'
      | 'intact'
      | 'refused'
      | 'unsupported'
    /** the time that the conclusion is about, milliseconds */ readonly time: number
    /** carried: the signed bytes are part of what was sent; notCompared: no hash of the document was sent */ readonly document:
      | 'carried'
      | 'matches'
      | 'differs'
      | 'notCompared'
      | 'unknown'
    /** the name of the document that it is over */ readonly over?: string
    /** what of its file the signature is over */ readonly coverage?: {
      /** all of the document; bytes of one revision of a file, such as a PDF; what references name by URI */ readonly of:
        | 'content'
        | 'ranges'
        | 'references'
      /** from, and to but not including; what lies outside nobody signed */ readonly ranges?: readonly (readonly number[])[]
      readonly uris?: readonly string[]
    }
    /** what an XML signature is over; signature: a counter-signature, over another signature alone */ readonly covers?:
      | 'document'
      | 'element'
      | 'detached'
      | 'signature'
    readonly signType?: 'cms' | 'xml'
    /** what the document must hash to: OID of the algorithm to base64 */ readonly digests: Readonly<
      Record<string, string>
    >
    readonly signer?: HolderFacts
    readonly tsp?: Tsp
    readonly ocsp?: Ocsp
    /** what would have told more */ readonly missing: readonly (
      | 'document'
      | 'signingCertificate'
      | 'timeStamp'
      | 'status'
      | 'chainStatus'
      | 'timeStampStatus'
    )[]
    /** certificates that the verdict rests on and whose status nothing tells */ readonly unasked: readonly {
      /** RFC 4514 */ readonly subject: string
      /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
      /** RFC 4514 */ readonly issuer: string
      /** lower-case hexadecimal */ readonly serialNumber: string
    }[]
    /** evidence that was there and that the verdict does not rest on */ readonly unused: readonly {
      readonly kind:
        | 'timeStamp'
        | 'contentTimeStamp'
        | 'archiveTimeStamp'
        | 'evidenceRecord'
        | 'ocsp'
        | 'crl'
        | 'revocationValues'
      /** what is wrong with it, or notJudged */ readonly reason: string
      /** milliseconds since the UNIX epoch */ readonly time?: number
    }[]
    /** what is not judged here, and what to do about it */ readonly unsupported?: {
      readonly feature: string
      /** one sentence in English */ readonly advice: string
    }
    /** what was looked at, in this order; what is not here was not */ readonly checks: readonly {
      readonly check:
        | 'document'
        | 'signatureValue'
        | 'algorithms'
        | 'signerUsage'
        | 'signingCertificate'
        | 'timeStamp'
        | 'path'
        | 'status'
        | 'chainStatus'
      /** milliseconds since the UNIX epoch */ readonly at: number
      readonly outcome: 'passed' | 'failed'
      readonly reason?: string
    }[]
    /** the error that a registration would be refused with; GET /api/strings has its texts */ readonly refusal?: {
      readonly code: string
      readonly message: string
      readonly reason?: string
    }
    /** names of the documents that it is over */ readonly documents: readonly string[]
  }[]
  /** what the file is, by its content */ readonly format:
    | 'cms'
    | 'xml'
    | 'pdf'
    | 'asic-s'
    | 'asic-e'
    | 'card'
    | 'evidence'
  /** bytes */ readonly size: number
  readonly documents: readonly {
    /** in the container; empty for what has none, such as a PDF */ readonly name: string
    /** bytes */ readonly size: number
    /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
    /** those that are over it, by their places from 0 */ readonly signatures: readonly number[]
    /** part where something was added that nobody signed */ readonly signed: 'whole' | 'part' | 'nothing'
    /** documents of any of its hashes that are registered, of those that the caller may view */ readonly registered: readonly {
      readonly documentId: string
      readonly title: string
      /** milliseconds since the UNIX epoch */ readonly storedAt: number
      readonly signaturesTotal: number
    }[]
  }[]
  /** over documents, and not over signatures */ readonly timeStamps: readonly {
    readonly name: string
    readonly documents: readonly string[]
    /** the moment that it proves, milliseconds since the epoch */ readonly time?: number
    readonly refusal?: { readonly code: string; readonly message: string; readonly reason?: string }
  }[]
  /** of a PDF, the oldest first */ readonly revisions: readonly {
    /** bytes from the beginning of the file */ readonly end: number
    /** those that are over the file up to here, by their places from 0 */ readonly signatures: readonly number[]
    /** those that are over the file up to here, by their places from 0 */ readonly timeStamps: readonly number[]
    /** of what was signed before */ readonly changes: readonly {
      /** what was changed (docs/signed-files.md, "What was added to a PDF") */ readonly kind:
        | 'signature'
        | 'signatureField'
        | 'documentTimeStamp'
        | 'evidence'
        | 'metadata'
        | 'formField'
        | 'annotation'
        | 'attachment'
        | 'page'
        | 'other'
      /** whether what was signed before still shows what its signers saw */ readonly harmless: boolean
      /** whether the certification of the document forbids it */ readonly forbidden: boolean
      /** of a field */ readonly name?: string
      /** from 1 */ readonly page?: number
      /** where it is seen: left, bottom, right, top; points */ readonly box?: readonly number[]
    }[]
  }[]
  readonly problems: readonly {
    /** such as signatureBroken (docs/signed-files.md, "Problems") */ readonly code: string
    /** the signature or file that it is about */ readonly name?: string
    readonly reason?: string
  }[]
  readonly card?: CheckedDdc
  readonly evidence?: CheckedEvidence
}

export type RegisteredFile = {
  /** what the file is, by its content */ readonly format: 'cms' | 'pdf' | 'asic-s' | 'asic-e'
  /** of several documents */ readonly packageId?: string
  readonly documents: readonly {
    readonly documentId: string
    /** in the container; empty for what has none, such as a PDF */ readonly name: string
    readonly signedDataSize: number
    /** OID of the algorithm to base64 of the hash */ readonly digests: Readonly<Record<string, string>>
    /** in the order of the file */ readonly signIds: readonly number[]
    readonly dataArchived: boolean
    readonly tempStorage: boolean
  }[]
}

export type SaveUserSettingsRequest = {
  readonly emailNotificationsEnabled?: boolean
  /** about incoming and outgoing */ readonly emailNotificationsRoutingEnabled?: boolean
  /** may be empty */ readonly email?: string
  /** language of mails to this address, such as `kk/ru`; empty for that of the service; ours */ readonly notificationsLanguage?: string
  /** mails about incoming and outgoing that are not wanted: what was received, comments, decisions, reminders, whose turn it is to sign; ours */ readonly notificationsOff?: readonly (
    | 'received'
    | 'comments'
    | 'decisions'
    | 'reminders'
    | 'turns'
  )[]
  /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
  /** may be empty */ readonly dataArchiveContactEmail?: string
}

export type SavedUserSettings = { readonly userId: string; readonly modifiedAt: number }

export type UserSettingsAudit = {
  readonly userId: string
  readonly eventsTotal: number
  readonly events: readonly {
    readonly eventId: number
    readonly original: {
      readonly emailNotificationsEnabled?: boolean
      /** about incoming and outgoing */ readonly emailNotificationsRoutingEnabled?: boolean
      /** may be empty */ readonly email?: string
      /** language of mails to this address, such as `kk/ru`; empty for that of the service; ours */ readonly notificationsLanguage?: string
      /** mails about incoming and outgoing that are not wanted: what was received, comments, decisions, reminders, whose turn it is to sign; ours */ readonly notificationsOff?: readonly (
        | 'received'
        | 'comments'
        | 'decisions'
        | 'reminders'
        | 'turns'
      )[]
      /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
      /** may be empty */ readonly dataArchiveContactEmail?: string
    }
    readonly modified: {
      readonly emailNotificationsEnabled?: boolean
      /** about incoming and outgoing */ readonly emailNotificationsRoutingEnabled?: boolean
      /** may be empty */ readonly email?: string
      /** language of mails to this address, such as `kk/ru`; empty for that of the service; ours */ readonly notificationsLanguage?: string
      /** mails about incoming and outgoing that are not wanted: what was received, comments, decisions, reminders, whose turn it is to sign; ours */ readonly notificationsOff?: readonly (
        | 'received'
        | 'comments'
        | 'decisions'
        | 'reminders'
        | 'turns'
      )[]
      /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
      /** may be empty */ readonly dataArchiveContactEmail?: string
    }
    readonly modifiedAt: number
  }[]
}

export type OrganizationPermissions = {
  readonly documentsAccess: boolean
  readonly documentsList: boolean
  readonly documentsSettings: boolean
  readonly organizationSettings: boolean
}

export type SaveOrganizationSettingsRequest = {
  readonly tlsCertificatesList?: readonly ClientCertificateRequest[]
  readonly documentsAccess?: AccessControlRequest
  readonly documentsList?: AccessControlRequest
  readonly documentsSettings?: AccessControlRequest
  readonly organizationSettings?: AccessControlRequest
  readonly documentsPackagesRoute?: AccessControlRequest
  readonly routedDocumentsPackagesView?: AccessControlRequest
  readonly packagesAccess?: AccessControlRequest
  readonly packagesList?: AccessControlRequest
  readonly packagesSettings?: AccessControlRequest
  readonly webhooks?: {
    /** standard notifications */ readonly urls?: readonly string[]
    /** incoming and outgoing notifications */ readonly routingUrls?: readonly string[]
  }
  /** ours; an empty object removes it */ readonly branding?: {
    /** base64 of a PNG image of at most 200x100 pixels */ readonly logo?: string
    /** such as #7a1f3d */ readonly color?: string
    readonly name?: { readonly ru: string; readonly kk: string; readonly en: string }
  }
  /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
  /** may be empty */ readonly dataArchiveContactEmail?: string
  /** may be empty */ readonly subscriptionContactEmail?: string
  /** may be empty */ readonly routingContactEmail?: string
}

export type ClientCertificateRequest = {
  readonly description?: string
  /** PEM: one CERTIFICATE block */ readonly body: string
  readonly disabled?: boolean
  /** ours: any certificate of the same key acts as well as this one; omitted it stays as it is for the key, false for a new one */ readonly byKey?: boolean
  readonly settings?: ClientCertificateSettings
}

export type AccessControlRequest = {
  /** OIDs; any one suffices */ readonly authorities?: readonly string[]
  /** positions in tlsCertificatesList */ readonly tlsCertificatesIndices?: readonly number[]
  /** IINs of employees */ readonly iins?: readonly string[]
}

export type SavedOrganizationSettings = { readonly businessId: string; readonly modifiedAt: number }

export type OrganizationSettingsAudit = {
  readonly businessId: string
  readonly eventsTotal: number
  readonly events: readonly {
    readonly eventId: number
    readonly original: {
      readonly tlsCertificatesList?: readonly ClientCertificate[]
      readonly documentsAccess?: AccessControl
      readonly documentsList?: AccessControl
      readonly documentsSettings?: AccessControl
      readonly organizationSettings?: AccessControl
      readonly documentsPackagesRoute?: AccessControl
      readonly routedDocumentsPackagesView?: AccessControl
      readonly packagesAccess?: AccessControl
      readonly packagesList?: AccessControl
      readonly packagesSettings?: AccessControl
      readonly webhooks?: Webhooks
      readonly branding?: OrganizationBranding
      /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
      /** may be empty */ readonly dataArchiveContactEmail?: string
      /** may be empty */ readonly subscriptionContactEmail?: string
      /** may be empty */ readonly routingContactEmail?: string
    }
    readonly modified: {
      readonly tlsCertificatesList?: readonly ClientCertificate[]
      readonly documentsAccess?: AccessControl
      readonly documentsList?: AccessControl
      readonly documentsSettings?: AccessControl
      readonly organizationSettings?: AccessControl
      readonly documentsPackagesRoute?: AccessControl
      readonly routedDocumentsPackagesView?: AccessControl
      readonly packagesAccess?: AccessControl
      readonly packagesList?: AccessControl
      readonly packagesSettings?: AccessControl
      readonly webhooks?: Webhooks
      readonly branding?: OrganizationBranding
      /** needs dataArchiveContactEmail */ readonly dataArchiveEnabled?: boolean
      /** may be empty */ readonly dataArchiveContactEmail?: string
      /** may be empty */ readonly subscriptionContactEmail?: string
      /** may be empty */ readonly routingContactEmail?: string
    }
    readonly modifiedAt: number
    /** IIN; absent where an information system made the change */ readonly modifiedBy?: string
    /** BIN of the information system */ readonly modifiedByBusinessId?: string
    /** SHA-256 of the client certificate of the information system, hexadecimal */ readonly modifiedByDigest?: string
  }[]
}

export type ClientCertificate = {
  readonly description: string
  /** PEM */ readonly body: string
  readonly disabled: boolean
  /** ours: true where any certificate of the same key acts as well as this one */ readonly byKey: boolean
  readonly settings: ClientCertificateSettings
}

export type OrganizationBranding = {
  /** base64 of a PNG image of at most 200x100 pixels */ readonly logo?: string
  /** such as #7a1f3d */ readonly color?: string
  readonly name?: { readonly ru: string; readonly kk: string; readonly en: string }
}

export type OrganizationSubscription = {
  readonly name: string
  /** 0 without expiry */ readonly expires: number
  readonly contactEmail?: string
  readonly features: readonly { readonly name: string; readonly enabled: boolean }[]
}

export type AuthenticationRequest = {
  /** the nonce that was signed; without it a new one is answered */ readonly nonce?: string
  /** CMS over the nonce: DER in base64, or PEM; or signed XML */ readonly signature?: string
  /** only answer who signed: no cookie, no profile */ readonly external?: boolean
  /** true, alone: ends the session */ readonly logout?: boolean
  /** alone, over mutual TLS: the organization for which the key of the certificate acts */ readonly businessId?: string
}

export type AuthenticationNonce = {
  /** base64 of the bytes to sign; usable once, for five minutes */ readonly nonce: string
}

export type AuthenticationResult = {
  /** IIN */ readonly userId: string
  /** BIN, for certificates of legal entities */ readonly businessId?: string
  readonly email?: string
  /** RFC 4514 */ readonly subject: string
  /** array of RDNs in the order of the certificate */ readonly subjectStructure: readonly (readonly NameAttribute[])[]
  readonly subjectAltName?: string
  readonly subjectAltNameStructure?: readonly { readonly type: string; readonly value: string }[]
  /** object identifier */ readonly signAlgorithm: string
  /** object identifier */ readonly keyStorage?: string
  readonly policyIds: readonly string[]
  readonly extKeyUsages: readonly string[]
  /** milliseconds since the UNIX epoch */ readonly certificateValidFrom: number
  /** milliseconds since the UNIX epoch */ readonly certificateValidUntil: number
}

export type ConfirmedSystem = { /** BIN */ readonly businessId: string }

export type AuthenticationLog = {
  /** IIN */ readonly userId: string
  /** BIN, for certificates of legal entities */ readonly businessId?: string
  readonly eventsTotal: number
  /** the newest 100, newest first */ readonly events: readonly AuthenticationEvent[]
}

export type AuthenticationEvent = {
  /** milliseconds since the UNIX epoch */ readonly authAt: number
  /** of the certificate, lower-case hexadecimal */ readonly serialNumber: string
  /** RFC 4514 */ readonly issuer: string
  readonly ip: string
}

export type SendRequest = {
  /** IIN or BIN with prefix */ readonly to: string
  readonly comment?: string
  /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
  /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
}

export type SentItem = { readonly outgoingId: string }

export type DocumentThread = {
  readonly documentId: string
  /** the newest last */ readonly steps: readonly ThreadStep[]
  /** older steps are left out */ readonly shortened?: true
  /** requirements to signers that no signature meets yet */ readonly awaited: readonly ThreadAwaited[]
  readonly you?: ThreadYou
}

export type ThreadStep = {
  /** milliseconds since the UNIX epoch */ readonly at: number
  readonly kind:
    | 'registered'
    | 'completed'
    | 'signed'
    | 'sent'
    | 'delivered'
    | 'opened'
    | 'reminded'
    | 'commented'
    | 'accepted'
    | 'denied'
    | 'recalled'
    | 'failed'
    | 'replaced'
  /** IIN or BIN */ readonly party?: string
  /** as in a certificate */ readonly name?: string
  /** IIN of the person who signed for the party, an organization */ readonly by?: string
  /** as in a certificate */ readonly byName?: string
  /** IIN or BIN */ readonly to?: string
  /** as in a certificate */ readonly toName?: string
  readonly signId?: number
  /** for the sender */ readonly outgoingId?: string
  /** for the receiver */ readonly incomingId?: string
  /** the version that replaces it */ readonly documentId?: string
  /** what was signed, where it was not all documents of the package */ readonly documentsIds?: readonly string[]
  /** text of a comment, for both sides of its item */ readonly value?: string
}

export type ThreadAwaited = {
  readonly iin?: string
  readonly bin?: string
  readonly authorities?: readonly string[]
  readonly ca?: string
  /** as in a certificate */ readonly name?: string
  /** place from 1, where signers sign in order */ readonly order?: number
  /** may sign now */ readonly next: boolean
}

export type ThreadYou = {
  /** when the caller last signed it, all documents of a package */ readonly signedAt?: number
  readonly next: 'sign' | 'decide' | 'wait' | 'nothing'
  /** the newest item that the caller has not decided */ readonly incomingId?: string
}

export type IncomingList = {
  readonly incomingTotal: number
  readonly items: readonly IncomingItem[]
  /** ours, with searchQuery: more may match, also where this page is empty: repeat the query with this searchCursor to search on; absent at the end */ readonly searchCursor?: string
}

export type IncomingItem = {
  readonly incomingId: string
  readonly documentId?: string
  readonly document?: DocumentResource
  readonly packageId?: string
  readonly package?: Package
  /** with includeDetails=true, why there is no document or package: the caller may not view it, it is forgotten, or the page is full; ours */ readonly detailsLeftOut?:
    | 'closed'
    | 'forgotten'
    | 'pageFull'
  /** milliseconds */ readonly sentAt: number
  /** IIN or BIN */ readonly sender: string
  /** IIN or BIN */ readonly receiver: string
  /** as in a certificate of the sender; ours */ readonly senderName?: string
  /** as in a certificate; a person's only once they have opened or decided the item; ours */ readonly receiverName?: string
  readonly status: 'sending' | 'failed' | 'new' | 'denied' | 'accepted'
  /** a signature is wanted, not only acceptance; ours */ readonly toSign?: true
  /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
  /** milliseconds, when the receiver first read this item; ours */ readonly openedAt?: number
  /** the sender took it back before it was decided; its status is `failed`; ours */ readonly recalled?: true
  /** milliseconds, when the receiver had signed the document, or every document of the package; only in single items; ours */ readonly signedAt?: number
  readonly comments?: readonly ItemComment[]
}

export type ItemComment = {
  /** milliseconds */ readonly storedAt: number
  /** IIN or BIN */ readonly author: string
  /** as in a certificate of the author; ours */ readonly authorName?: string
  /** when the status was changed */ readonly status?: 'denied' | 'accepted'
  /** text of the comment */ readonly value?: string
}

export type CommentIncomingRequest = { readonly status?: 'denied' | 'accepted'; readonly comment?: string }

export type CommentedIncoming = { readonly incomingId: string }

export type OutgoingList = {
  readonly outgoingTotal: number
  readonly items: readonly OutgoingItem[]
  /** ours, with searchQuery: more may match, also where this page is empty: repeat the query with this searchCursor to search on; absent at the end */ readonly searchCursor?: string
}

export type OutgoingItem = {
  readonly outgoingId: string
  readonly documentId?: string
  readonly document?: DocumentResource
  readonly packageId?: string
  readonly package?: Package
  /** with includeDetails=true, why there is no document or package: the caller may not view it, it is forgotten, or the page is full; ours */ readonly detailsLeftOut?:
    | 'closed'
    | 'forgotten'
    | 'pageFull'
  /** milliseconds */ readonly sentAt: number
  /** IIN or BIN */ readonly sender: string
  /** IIN or BIN */ readonly receiver: string
  /** as in a certificate of the sender; ours */ readonly senderName?: string
  /** as in a certificate; a person's only once they have opened or decided the item; ours */ readonly receiverName?: string
  readonly status: 'sending' | 'failed' | 'new' | 'denied' | 'accepted'
  /** a signature is wanted, not only acceptance; ours */ readonly toSign?: true
  /** milliseconds, after which it can no longer be accepted; ours */ readonly deadline?: number
  /** milliseconds, when the receiver first read this item; ours */ readonly openedAt?: number
  /** the sender took it back before it was decided; its status is `failed`; ours */ readonly recalled?: true
  /** milliseconds, when the receiver had signed the document, or every document of the package; only in single items; ours */ readonly signedAt?: number
  readonly comments?: readonly ItemComment[]
  /** why the item has failed; ours */ readonly failure?: 'notCompletedInTime' | 'recalled'
  /** how often the receiver was reminded; ours */ readonly reminders: number
  /** how often the receiver can still be reminded; ours */ readonly remindersLeft: number
}

export type CommentOutgoingRequest = { readonly comment: string }

export type CommentedOutgoing = { readonly outgoingId: string }

export type RecallOutgoingRequest = { /** why, for the receiver */ readonly comment?: string }

export type RecalledOutgoing = { readonly outgoingId: string }

export type RemindedOutgoing = { readonly outgoingId: string; readonly remindersLeft: number }

export type PackageThread = {
  readonly packageId: string
  /** the newest last */ readonly steps: readonly ThreadStep[]
  /** older steps are left out */ readonly shortened?: true
  /** requirements to signers that no signature meets yet */ readonly awaited: readonly ThreadAwaited[]
  readonly you?: ThreadYou
}

export type Recipients = {
  readonly recipients: readonly {
    /** IIN or BIN */ readonly to: string
    /** as in certificates; of a person once they have acted */ readonly name?: string
    /** milliseconds */ readonly lastSentAt: number
  }[]
}

export type Templates = { readonly templates: readonly Template[] }

export type Template = {
  readonly templateId: string
  /** milliseconds */ readonly modifiedAt: number
  /** replaces the template of this name */ readonly name: string
  /** of the package */ readonly title?: string
  readonly description?: string
  readonly documents?: readonly string[]
  /** of the package */ readonly settings?: {
    /** access is restricted */ readonly private?: boolean
    /** who else may see the package; not its documents */ readonly packageAccess?: readonly {
      readonly iin?: string
      readonly bin?: string
    }[]
    /** who else may change these settings */ readonly packageSettings?: readonly {
      readonly iin?: string
      readonly bin?: string
    }[]
    /** all documents are signed together or none */ readonly signWholePackage?: boolean
  }
  readonly documentsSettings?: DocumentSettings
  readonly send?: {
    /** IIN or BIN with prefix */ readonly to?: string
    readonly comment?: string
    /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
    /** until the deadline */ readonly days?: number
  }
  readonly emails?: readonly string[]
}

export type SaveTemplateRequest = {
  /** replaces the template of this name */ readonly name: string
  /** of the package */ readonly title?: string
  readonly description?: string
  readonly documents?: readonly string[]
  /** of the package */ readonly settings?: {
    /** access is restricted */ readonly private?: boolean
    /** who else may see the package; not its documents */ readonly packageAccess?: readonly {
      readonly iin?: string
      readonly bin?: string
    }[]
    /** who else may change these settings */ readonly packageSettings?: readonly {
      readonly iin?: string
      readonly bin?: string
    }[]
    /** all documents are signed together or none */ readonly signWholePackage?: boolean
  }
  readonly documentsSettings?: DocumentSettings
  readonly send?: {
    /** IIN or BIN with prefix */ readonly to?: string
    readonly comment?: string
    /** a signature is wanted, not only acceptance; ours */ readonly toSign?: boolean
    /** until the deadline */ readonly days?: number
  }
  readonly emails?: readonly string[]
}

export type SavedTemplate = { readonly templateId: string }

export type DeletedTemplate = { readonly templateId: string }

export type CanceledProcedure = { readonly operationId: string }

export type DocumentProcedure = {
  readonly operationId: string
  readonly status: 'new' | 'meta' | 'data' | 'done' | 'fail' | 'canceled'
  readonly createdAt: number
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
  readonly description: string
  readonly errors?: {
    /** from the side of the mobile application */ readonly gov?: string
    /** of the processing of signatures */ readonly service?: string
    /** as gov */ readonly egov?: string
    /** as service */ readonly sigex?: string
  }
  /** IIN */ readonly userId?: string
  /** present when it is done */ readonly signId?: number
  readonly meta: readonly ProcedureMeta[]
  readonly signatureEmailNotifications?: EmailNotifications
}

export type ProcedureMeta = {
  /** at most 100 characters */ readonly name: string
  /** at most 500 characters */ readonly value: string
}

export type BeginDocumentProcedureRequest = {
  /** shown in the app */ readonly description: string
  readonly whenDone?: { /** address of a page or of an application, to go back to */ readonly backUrl?: string }
  /** how the app proves itself at API 2; Token where not given */ readonly authType?: 'None' | 'Token' | 'Eds'
  /** IIN: nobody else’s signature will do */ readonly userId?: string
  /** keep the originals of this request for the procedure alone, where none are stored */ readonly tempStorage?: boolean
  /** shown in the app; at most 20 */ readonly meta?: readonly ProcedureMeta[]
  readonly signatureEmailNotifications?: EmailNotifications
  /** base64 of the original, with tempStorage */ readonly document?: string
}

export type BegunProcedure = {
  readonly operationId: string
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
  /** base64 of a PNG image */ readonly qrCode: string
  /** opens the app of citizens on the same device */ readonly govMobileLaunchLink: string
  /** opens the app of organizations on the same device */ readonly govBusinessLaunchLink: string
  /** as govMobileLaunchLink */ readonly eGovMobileLaunchLink: string
  /** as govBusinessLaunchLink */ readonly eGovBusinessLaunchLink: string
}

export type BegunPhoneLogin = {
  readonly loginId: string
  /** 4 digits to be shown beside the code: the app shows the same, and people compare them */ readonly confirmationCode: string
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
  /** base64 of a PNG image */ readonly qrCode: string
  /** opens the app of citizens on the same device */ readonly govMobileLaunchLink: string
  /** opens the app of organizations on the same device */ readonly govBusinessLaunchLink: string
  /** as govMobileLaunchLink */ readonly eGovMobileLaunchLink: string
  /** as govBusinessLaunchLink */ readonly eGovBusinessLaunchLink: string
}

export type ProcedureState = {
  readonly status: 'new' | 'meta' | 'data' | 'done' | 'fail' | 'canceled'
  readonly createdAt: number
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
}

export type BeginRawProcedureRequest = {
  /** shown in the app */ readonly description: string
  readonly whenDone?: { /** address of a page or of an application, to go back to */ readonly backUrl?: string }
  /** how the app proves itself at API 2; Token where not given */ readonly authType?: 'None' | 'Token' | 'Eds'
}

export type BegunRawProcedure = {
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
  /** base64 of a PNG image */ readonly qrCode: string
  /** opens the app of citizens on the same device */ readonly govMobileLaunchLink: string
  /** opens the app of organizations on the same device */ readonly govBusinessLaunchLink: string
  /** as govMobileLaunchLink */ readonly eGovMobileLaunchLink: string
  /** as govBusinessLaunchLink */ readonly eGovBusinessLaunchLink: string
  /** POST there what is to be signed; the body is read when the app comes */ readonly dataURL: string
  readonly dataURLmTLS: string
  readonly dataURLAuto: string
  /** GET waits there for what the app returns */ readonly signURL: string
  readonly signURLmTLS: string
  /** signURL, or signURLmTLS for who asks by mutual TLS */ readonly signURLAuto: string
  /** GET tells the status at once, or as text/event-stream */ readonly stateURL: string
}

export type PackageProcedure = {
  readonly operationId: string
  readonly status: 'new' | 'meta' | 'data' | 'done' | 'fail' | 'canceled'
  readonly createdAt: number
  /** milliseconds since the UNIX epoch */ readonly expireAt: number
  readonly description: string
  readonly errors?: {
    /** from the side of the mobile application */ readonly gov?: string
    /** of the processing of signatures */ readonly service?: string
    /** as gov */ readonly egov?: string
    /** as service */ readonly sigex?: string
  }
  /** one list for each document */ readonly meta: readonly (readonly ProcedureMeta[])[]
  /** empty until it is done */ readonly signIds: readonly number[]
  readonly signatureEmailNotifications?: PackageEmailNotifications
}

export type BeginPackageProcedureRequest = {
  /** shown in the app */ readonly description: string
  readonly whenDone?: { /** address of a page or of an application, to go back to */ readonly backUrl?: string }
  /** how the app proves itself at API 2; Token where not given */ readonly authType?: 'None' | 'Token' | 'Eds'
  /** IIN: nobody else’s signature will do */ readonly userId?: string
  /** keep the originals of this request for the procedure alone, where none are stored */ readonly tempStorage?: boolean
  /** one list for each document, of at most 20 */ readonly meta?: readonly (readonly ProcedureMeta[])[]
  readonly signatureEmailNotifications?: PackageEmailNotifications
  /** base64 of the originals in their order, with tempStorage */ readonly documents?: readonly string[]
}

export type OrganizationWebhooks = { readonly businessId: string; readonly webhooks: readonly Webhook[] }

export type Webhook = {
  readonly webhookId: string
  readonly url: string
  /** where it stands in `webhooks` of the settings */ readonly lists: readonly ('urls' | 'routingUrls')[]
  /** proves webhooks by the rules of standardwebhooks.com */ readonly secret: string
  /** until when the secret before this one proves them as well */ readonly previousSecretUntil?: number
  /** since when nothing has arrived */ readonly failingSince?: number
  /** since when nothing is sent there; a ping that arrives ends it */ readonly pausedAt?: number
}

export type WebhookDeliveries = { readonly webhookId: string; readonly deliveries: readonly WebhookDelivery[] }

export type WebhookDelivery = {
  /** the header `webhook-id` of every attempt */ readonly deliveryId: string
  readonly createdAt: number
  readonly state: 'waiting' | 'sending' | 'delivered' | 'failed'
  readonly nextAttemptAt?: number
  /** what is posted */ readonly body: unknown
  /** oldest first */ readonly attempts: readonly {
    readonly startedAt: number
    readonly durationMs: number
    /** of HTTP; absent without an answer */ readonly status?: number
    /** the beginning of the answer */ readonly answer?: string
    readonly error?: string
  }[]
}

export type PingedWebhook = {
  readonly webhookId: string
  /** as in `webhook-id` of what is sent */ readonly deliveryId: string
}

export type ResendWebhooksRequest = {
  /** send this one again */ readonly deliveryId?: string
  /** send again all that were made from this moment on */ readonly since?: number
}

export type ResentWebhooks = {
  readonly webhookId: string
  /** those that are not under way just now */ readonly resent: number
}

export type RotatedWebhookSecret = {
  readonly webhookId: string
  readonly secret: string
  /** until when both secrets prove webhooks */ readonly previousSecretUntil: number
}

export type IntegrationDelivery = {
  readonly documentId: string
  readonly storedAt: number
  readonly source: 'registration' | 'request'
  /** when the original and all signatures were there; milliseconds */ readonly deliveryStartedAt?: number
  /** those that were begun */ readonly attempts: number
  /** when the last attempt after the first one began */ readonly lastRetriedAt?: number
  readonly status: 'new' | 'waiting' | 'sending' | 'delivered' | 'failed'
  readonly settings: IntegrationRegisterAuto
  /** absent once it is delivered */ readonly errors?: {
    /** what the authority said last against it */ readonly integration?: string
    /** why the last attempt without its answer failed */ readonly service?: string
  }
}

export type DocumentNotifications = {
  readonly documentId: string
  readonly notifications: readonly NotificationRecord[]
}

export type NotificationRecord = {
  readonly notificationId: string
  /** the address */ readonly to: string
  /** number of the type of mail in the specification: 1, 2, 6 or 7 */ readonly type: number
  /** `sent`: the mail server took it; `refused`: the mail server refused it for good; `withheld`: it was not given to the mail server, since the recipient wants no such mail or gets too many; `failed`: given up */ readonly state:
    | 'waiting'
    | 'sent'
    | 'refused'
    | 'withheld'
    | 'failed'
  readonly createdAt: number
  readonly sentAt?: number
  readonly nextAttemptAt?: number
  /** reply of the mail server to the last attempt that it refused */ readonly code?: number
  /** the address does not exist */ readonly mailboxNotFound?: boolean
  /** originals that went along */ readonly attached: number
  /** originals that were asked for and did not go along */ readonly notAttached: readonly {
    readonly documentId: string
    readonly reason: 'notKept' | 'tooLarge' | 'infected' | 'notScanned' | 'notRead'
  }[]
}

export type NotifyDocumentRequest = { readonly emailNotifications: EmailNotifications }

export type NotifiedDocument = {
  readonly documentId: string
  readonly emailNotifications: { /** originals go with the mails, as far as is known now */ readonly attached: boolean }
}

export type AcceptMailRequest = { readonly address: string }

export type MailAddresses = { readonly addresses: readonly MailAddress[] }

export type MailAddress = {
  /** IIN or BIN */ readonly owner: string
  /** of the settings */ readonly field: string
  readonly address: string
  /** since when nothing goes there: the address does not exist */ readonly bouncedAt?: number
  /** what its mail server said */ readonly bounceReason?: string
  /** kinds of mail that were refused by a link */ readonly refused: readonly (
    | 'registered'
    | 'signatures'
    | 'ownDocuments'
    | 'packages'
    | 'items'
  )[]
}

export type PackageNotificationsRecord = {
  readonly packageId: string
  readonly notifications: readonly NotificationRecord[]
}

export type NotifyPackageRequest = { readonly emailNotifications: PackageEmailNotifications }

export type NotifiedPackage = {
  readonly packageId: string
  readonly emailNotifications: { /** originals go with the mails, as far as is known now */ readonly attached: boolean }
}

export type ExternalServiceStat = {
  /** ocsp, tsp or another */ readonly protocol: string
  readonly url: string
  /** white: no recent calls; green: all succeeded; yellow: some failed; red: all failed */ readonly status:
    | 'white'
    | 'green'
    | 'yellow'
    | 'red'
}

export type Version = {
  readonly version: string
  /** seconds since the UNIX epoch */ readonly buildTimeStamp: string
  /** BIN; empty where the operator named none */ readonly licenseOwner: string
  /** UTC date */ readonly licenseUntil: string
}

export type Strings = {
  /** message text to translations */ readonly errorMessages: Readonly<
    Record<string, { readonly ru: string; readonly kk: string; readonly description: string }>
  >
  readonly consts: {
    readonly OIDs: Readonly<Record<string, Translation>>
    readonly policyOIDs: Readonly<Record<string, Translation>>
    readonly timeStampPolicyOIDs: Readonly<Record<string, Translation>>
    readonly extKeyUsageOIDs: Readonly<Record<string, Translation>>
    readonly signatureAlgorithmOIDs: Readonly<Record<string, Translation>>
    readonly ncaAuthorityOIDs: Readonly<Record<string, Translation>>
    readonly keyStorageOIDs: Readonly<Record<string, Translation>>
    readonly keyUsages: Readonly<Record<string, Translation>>
    readonly certificationAuthorities: Readonly<Record<string, Translation>>
    readonly subscriptions: Readonly<Record<string, Translation>>
    readonly subscriptionFeatures: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoDocumentTypes: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoSigners: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoSources: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoStatuses: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoIntegrationErrors: Readonly<Record<string, Translation>>
    readonly integrationRegisterAutoServiceErrors: Readonly<Record<string, Translation>>
  }
}

export type Translation = { readonly ru: string; readonly kk: string }

/** What each operation takes and answers. */
export interface Operations {
  /** Where the log of the registry is, and the key that it is verified by */ readonly getLog: {
    readonly input: Record<never, never>
    readonly answer: PublicLog
  }

  /** The last checkpoint of a log that this registry has cosigned as a witness */ readonly getWitnessedCheckpoint: {
    readonly input: { readonly originHash: string }
    readonly answer: WitnessedCheckpoint
  }

  /** List documents, newest first; read on with until set to the last storedAt until documents is empty, in a search with searchCursor until there is none */ readonly listDocuments: {
    readonly input: {
      readonly query?: {
        /** registered at this time or later, milliseconds */ readonly from?: number
        /** registered before this time, milliseconds */ readonly until?: number
        /** documents of the organization instead of your own */ readonly organization?: boolean
        /** only documents whose data is archived, or is not */ readonly dataArchived?: boolean
        /** words, or parts of them, of title, description, signers */ readonly searchQuery?: string
        /** ours: searchCursor of the answer before, to search on with the same query; empty to begin with what has the words of the query themselves, whatever has them inside longer words */ readonly searchCursor?: string
        readonly includeSignatures?: boolean
        /** ours: only documents whose original never came, or did */ readonly incomplete?: boolean
        /** ours: true for only documents whose original has to be brought again, since all of its fixed hashes are trusted for less than a year; dataArchived and incomplete then say nothing */ readonly digestsEnding?: boolean
      }
    }
    readonly answer: DocumentList
  }

  /** Register a document with its first signature */ readonly registerDocument: {
    readonly input: { readonly request: RegisterDocumentRequest; readonly upload?: UploadInput }
    readonly answer: RegisteredDocument
  }

  /** Add a signature to a document */ readonly addSignature: {
    readonly input: { readonly id: string; readonly request: AddSignatureRequest }
    readonly answer: AddedSignature
  }

  /** Read a document; read on with lastSignId until signatures is empty */ readonly getDocument: {
    readonly input: {
      readonly id: string
      readonly query?: { /** answer the signatures after this one */ readonly lastSignId?: number }
    }
    readonly answer: DocumentResource
  }

  /** Put the identifier of a document into a file name; its title where no name is given */ readonly buildFileName: {
    readonly input: { readonly id: string; readonly query?: { /** file name */ readonly name?: string } }
    readonly answer: BuiltFileName
  }

  /** Fix the hashes of a document, once, from its original */ readonly fixDigests: {
    readonly input: {
      readonly id: string
      readonly query?: {
        /** what POST /api/package answered, where nobody was authenticated */ readonly dataSecret?: string
      }
      readonly upload: UploadInput
    }
    readonly answer: FixedDigests
  }

  /** Read the stored original: JSON, or its bytes for who accepts application/octet-stream */ readonly getDocumentData: {
    readonly input: { readonly id: string }
    readonly answer: DocumentData
  }

  /** Read the hashes of a document, to compare an original with it without sending it */ readonly getDocumentDigests: {
    readonly input: { readonly id: string }
    readonly answer: DocumentDigests
  }

  /** Read that a document is registered and signed, and compare a hash with it */ readonly getDocumentProof: {
    readonly input: {
      readonly id: string
      readonly query?: { /** base64 of the hash of a file */ readonly digest?: string }
    }
    readonly answer: DocumentProof
  }

  /** Replace the settings of a document; what is omitted takes its default */ readonly changeDocumentSettings: {
    readonly input: { readonly id: string; readonly request: DocumentSettings }
    readonly answer: ChangedDocument
  }

  /** Read the changes of the settings of a document; read on with lastEventId until events is empty */ readonly getDocumentSettingsAudit: {
    readonly input: {
      readonly id: string
      readonly query?: { /** answer the events after this one */ readonly lastEventId?: number }
    }
    readonly answer: DocumentSettingsAudit
  }

  /** Export a signature */ readonly exportSignature: {
    readonly input: {
      readonly id: string
      readonly signId: number
      readonly query?: {
        /** 0: with its evidence in unsigned attributes (default); 1: as received; 2: CAdES-B-LT, with the certificates of its paths too. XML is answered as received */ readonly signFormat?: number
        /** PEM in place of base64 (default false) */ readonly cmsAsPem?: boolean
      }
    }
    readonly answer: ExportedSignature
  }

  /** Judge the original and all signatures again, from stored evidence */ readonly verifyDocument: {
    readonly input: {
      readonly id: string
      readonly query?: { /** OID of one more digest to compute, for a signature to come */ readonly digest?: string }
      readonly upload: UploadInput
    }
    readonly answer: VerifiedDocument
  }

  /** Check, before signing, that a registration will be accepted */ readonly checkRegistration: {
    readonly input: { readonly request: CheckRegistrationRequest }
    readonly answer: Record<never, never>
  }

  /** Find the document and the signId of an exported signature */ readonly findExportedSignature: {
    readonly input: { readonly request: FindExportedSignatureRequest }
    readonly answer: FoundSignature
  }

  /** Find documents by a hash of their original */ readonly findDocumentsByDigest: {
    readonly input: {
      readonly query: {
        /** base64 of the hash; of up to 16 hashes with commas between them: what has any of them is found */ readonly digest: string
      }
    }
    readonly answer: FoundDocuments
  }

  /** Take the identifier of a document out of a file name */ readonly idFromFileName: {
    readonly input: { readonly query: { /** file name */ readonly name: string } }
    readonly answer: DocumentIdFromName
  }

  /** Take the identifier of a document out of a link, a file name or a text with spaces */ readonly normalizeId: {
    readonly input: { readonly specialId: string }
    readonly answer: NormalizedId
  }

  /** Judge signatures over documents, registered or not; nothing is kept */ readonly checkSignature: {
    readonly input: { readonly request: CheckSignatureRequest }
    readonly answer: CheckedFiles
  }

  /** Report on signatures, signed by the registry; nothing is kept */ readonly makeReport: {
    readonly input: { readonly request: MakeReportRequest }
    readonly answer: SignedReport
  }

  /** Public key of what the registry signs itself */ readonly getStatementKey: {
    readonly input: Record<never, never>
    readonly answer: PublicStatementKey
  }

  /** Build a document card from the original */ readonly buildDdc: {
    readonly input: {
      readonly id: string
      readonly query?: {
        /** name of the original in the card; the title where not given */ readonly fileName?: string
        /** leave out the pages of the original; needed unless its name ends in .pdf */ readonly withoutDocumentVisualization?: boolean
        /** leave out the pages of the signatures */ readonly withoutSignaturesVisualization?: boolean
        /** leave out the codes that hold the signatures */ readonly withoutQRCodesInSignaturesVisualization?: boolean
        /** leave out the identifier of the document, and whatever has it: links, codes, names */ readonly withoutID?: boolean
        /** the code beside the identifier holds the link to the page of the document */ readonly qrWithIDLink?: boolean
        /** the caption beside the link says "verified at" instead of "signed at" */ readonly withLabelVerified?: boolean
        /** ru (default), kk, en, or several of them such as kk/ru/en */ readonly language?: string
      }
      readonly upload: UploadInput
    }
    readonly answer: BuiltDdc
  }

  /** Build one CMS with the original and all signatures */ readonly buildPartnerCms: {
    readonly input: { readonly id: string; readonly upload: UploadInput }
    readonly answer: PartnerCms
  }

  /** Read a signature as a set of QR codes */ readonly getSignatureQr: {
    readonly input: {
      readonly id: string
      readonly signId: number
      readonly query?: {
        /** 0: with its evidence in unsigned attributes (default); 1: as received; 2: CAdES-B-LT, with the certificates of its paths too. XML is answered as received */ readonly signFormat?: number
        /** PEM in place of base64 (default false) */ readonly cmsAsPem?: boolean
        /** 11 to 40; 25 where not given */ readonly qrVersion?: number
        /** M where not given */ readonly qrLevel?: 'L' | 'M' | 'Q' | 'H'
      }
    }
    readonly answer: SignatureQr
  }

  /** Judge the signatures of a document card, registered or not; nothing is kept */ readonly checkDdc: {
    readonly input: { readonly upload: UploadInput }
    readonly answer: CheckedDdc
  }

  /** Check that a PDF can be shown in a document card */ readonly checkPdfForDdc: {
    readonly input: {
      readonly query?: { /** as for buildDDC */ readonly language?: string }
      readonly upload: UploadInput
    }
    readonly answer: SampleDdc
  }

  /** Read a document card: the document, its signatures and the original */ readonly parseDdc: {
    readonly input: {
      readonly query?: {
        /** register signatures of the card that are not registered yet */ readonly registerUnknownSignatures?: boolean
      }
      readonly upload: UploadInput
    }
    readonly answer: ParsedDdc
  }

  /** List packages, newest first; read on with until set to the last storedAt until packages is empty, in a search with searchCursor until there is none */ readonly listPackages: {
    readonly input: {
      readonly query?: {
        /** milliseconds; packages registered from this time on */ readonly from?: number
        /** milliseconds; packages registered before this time */ readonly until?: number
        /** the packages of the organization; false by default */ readonly organization?: boolean
        /** words of the title or description, of which 2,000 are looked at for a page; ours */ readonly searchQuery?: string
        /** ours: searchCursor of the answer before, to search on with the same query; empty to begin with what has the words of the query themselves, whatever has them inside longer words */ readonly searchCursor?: string
      }
    }
    readonly answer: PackageList
  }

  /** Register a package and reserve identifiers for its documents */ readonly registerPackage: {
    readonly input: { readonly request: RegisterPackageRequest }
    readonly answer: RegisteredPackage
  }

  /** Read a package */ readonly getPackage: {
    readonly input: { readonly packageId: string }
    readonly answer: Package
  }

  /** Add a signature to every document of a package, or to none */ readonly signPackage: {
    readonly input: { readonly packageId: string; readonly request: SignPackageRequest }
    readonly answer: SignedPackage
  }

  /** Replace the settings of a package; what is omitted takes its default */ readonly changePackageSettings: {
    readonly input: { readonly packageId: string; readonly request: PackageSettingsRequest }
    readonly answer: ChangedPackage
  }

  /** Read who changed the settings of a package; read on with lastEventId until events is empty */ readonly getPackageSettingsAudit: {
    readonly input: {
      readonly packageId: string
      readonly query?: { /** answer the events after this one */ readonly lastEventId?: number }
    }
    readonly answer: PackageSettingsAudit
  }

  /** Build one file that proves a document without this registry, from its original */ readonly buildDocumentEvidence: {
    readonly input: { readonly id: string; readonly upload: UploadInput }
    readonly answer: EvidenceFile
  }

  /** Read one file that proves a document without this registry */ readonly getDocumentEvidence: {
    readonly input: {
      readonly id: string
      readonly query?: {
        /** leave stored originals out, although the caller may read them */ readonly withoutOriginal?: boolean
      }
    }
    readonly answer: EvidenceFile
  }

  /** Proof that a signature is in the transparency log of the registry */ readonly getSignatureInclusion: {
    readonly input: { readonly id: string; readonly signId: number }
    readonly answer: SignatureInclusion
  }

  /** Judge an evidence bundle, of this registry or another; nothing is kept */ readonly checkEvidence: {
    readonly input: { readonly upload: UploadInput }
    readonly answer: CheckedEvidence
  }

  /** Read one file that proves all documents of a package without this registry */ readonly getPackageEvidence: {
    readonly input: {
      readonly packageId: string
      readonly query?: {
        /** leave stored originals out, although the caller may read them */ readonly withoutOriginal?: boolean
      }
    }
    readonly answer: EvidenceFile
  }

  /** Take an evidence bundle in: documents, signatures and originals, and register what is unknown */ readonly parseEvidence: {
    readonly input: {
      readonly query?: {
        /** register documents and signatures that are not registered yet */ readonly registerUnknownSignatures?: boolean
      }
      readonly upload: UploadInput
    }
    readonly answer: ParsedEvidence
  }

  /** Judge a signed file: PDF, ASiC container, CMS, XML, card or evidence bundle; nothing is kept */ readonly checkFile: {
    readonly input: { readonly upload: UploadInput }
    readonly answer: CheckedFile
  }

  /** Register a signed file: PDF, ASiC container or CMS with its content */ readonly registerFile: {
    readonly input: {
      readonly query?: {
        /** of the document, or of the package; the documents of a container have their names */ readonly title?: string
        readonly description?: string
        /** only those may view it whom settings name */ readonly private?: boolean
      }
      readonly upload: UploadInput
    }
    readonly answer: RegisteredFile
  }

  /** Read your settings */ readonly getUserSettings: {
    readonly input: Record<never, never>
    readonly answer: UserSettings
  }

  /** Change your settings; omitted fields keep their values */ readonly saveUserSettings: {
    readonly input: { readonly request: SaveUserSettingsRequest }
    readonly answer: SavedUserSettings
  }

  /** Read the changes of your settings; read on with lastEventId until events is empty */ readonly getUserSettingsAudit: {
    readonly input: { readonly query?: { /** answer the events after this one */ readonly lastEventId?: number } }
    readonly answer: UserSettingsAudit
  }

  /** What you may do in the name of your organization */ readonly getOrganizationPermissions: {
    readonly input: Record<never, never>
    readonly answer: OrganizationPermissions
  }

  /** Read the settings of your organization */ readonly getOrganizationSettings: {
    readonly input: Record<never, never>
    readonly answer: OrganizationSettings
  }

  /** Change the settings of your organization; omitted fields keep their values */ readonly saveOrganizationSettings: {
    readonly input: { readonly request: SaveOrganizationSettingsRequest }
    readonly answer: SavedOrganizationSettings
  }

  /** Read the changes of the settings of your organization; read on with lastEventId until events is empty */ readonly getOrganizationSettingsAudit: {
    readonly input: { readonly query?: { /** answer the events after this one */ readonly lastEventId?: number } }
    readonly answer: OrganizationSettingsAudit
  }

  /** Read the subscription of your organization */ readonly getOrganizationSubscription: {
    readonly input: Record<never, never>
    readonly answer: OrganizationSubscription
  }

  /** Request a nonce ({}), authenticate by a signature over it, log out, or say for whom a system acts */ readonly authenticate: {
    readonly input: { readonly request: AuthenticationRequest }
    readonly answer: AuthenticationNonce | AuthenticationResult | ConfirmedSystem | Record<never, never>
  }

  /** Who is logged in */ readonly getAuthentication: {
    readonly input: Record<never, never>
    readonly answer: AuthenticationResult
  }

  /** When and from where the caller logged in */ readonly getAuthenticationLog: {
    readonly input: Record<never, never>
    readonly answer: AuthenticationLog
  }

  /** Send a document to a counterparty */ readonly sendDocument: {
    readonly input: { readonly id: string; readonly request: SendRequest }
    readonly answer: SentItem
  }

  /** Read where a document stands: what happened, who is awaited, what is next for the caller */ readonly getDocumentThread: {
    readonly input: { readonly id: string }
    readonly answer: DocumentThread
  }

  /** List incoming items, newest first; read on with until set to the last sentAt until items is empty, in a search with searchCursor until there is none */ readonly listIncoming: {
    readonly input: {
      readonly query?: {
        /** milliseconds; the beginning of time by default */ readonly from?: number
        /** milliseconds, exclusive; now by default */ readonly until?: number
        readonly status?: 'sending' | 'failed' | 'new' | 'denied' | 'accepted'
        /** words of the title and of the other party (name, IIN, BIN), of which 2,000 items are looked at for a page; ours */ readonly searchQuery?: string
        /** ours: searchCursor of the answer before, to search on with the same query; empty to begin with what has the words of the query themselves, whatever has them inside longer words */ readonly searchCursor?: string
        /** with the document or package of each item; such pages have fewer items */ readonly includeDetails?: boolean
      }
    }
    readonly answer: IncomingList
  }

  /** Read an incoming item with its comments */ readonly getIncoming: {
    readonly input: { readonly incomingId: string; readonly query?: { readonly includeDetails?: boolean } }
    readonly answer: IncomingItem
  }

  /** Accept, deny or comment an incoming item */ readonly commentIncoming: {
    readonly input: { readonly incomingId: string; readonly request: CommentIncomingRequest }
    readonly answer: CommentedIncoming
  }

  /** List outgoing items, newest first; read on with until set to the last sentAt until items is empty, in a search with searchCursor until there is none */ readonly listOutgoing: {
    readonly input: {
      readonly query?: {
        /** milliseconds; the beginning of time by default */ readonly from?: number
        /** milliseconds, exclusive; now by default */ readonly until?: number
        readonly status?: 'sending' | 'failed' | 'new' | 'denied' | 'accepted'
        /** words of the title and of the other party (name, IIN, BIN), of which 2,000 items are looked at for a page; ours */ readonly searchQuery?: string
        /** ours: searchCursor of the answer before, to search on with the same query; empty to begin with what has the words of the query themselves, whatever has them inside longer words */ readonly searchCursor?: string
        /** with the document or package of each item; such pages have fewer items */ readonly includeDetails?: boolean
      }
    }
    readonly answer: OutgoingList
  }

  /** Read an outgoing item with its comments */ readonly getOutgoing: {
    readonly input: { readonly outgoingId: string; readonly query?: { readonly includeDetails?: boolean } }
    readonly answer: OutgoingItem
  }

  /** Comment an outgoing item */ readonly commentOutgoing: {
    readonly input: { readonly outgoingId: string; readonly request: CommentOutgoingRequest }
    readonly answer: CommentedOutgoing
  }

  /** Recall an outgoing item before it is decided */ readonly recallOutgoing: {
    readonly input: { readonly outgoingId: string; readonly request: RecallOutgoingRequest }
    readonly answer: RecalledOutgoing
  }

  /** Remind the receiver of an outgoing item */ readonly remindOutgoing: {
    readonly input: { readonly outgoingId: string; readonly request: Record<never, never> }
    readonly answer: RemindedOutgoing
  }

  /** Send a package to a counterparty */ readonly sendPackage: {
    readonly input: { readonly packageId: string; readonly request: SendRequest }
    readonly answer: SentItem
  }

  /** Read where a package stands: what happened, who is awaited, what is next for the caller */ readonly getPackageThread: {
    readonly input: { readonly packageId: string }
    readonly answer: PackageThread
  }

  /** List to whom you have sent something, newest first */ readonly listRecipients: {
    readonly input: Record<never, never>
    readonly answer: Recipients
  }

  /** List your templates by name, or those of your organization */ readonly listTemplates: {
    readonly input: Record<never, never>
    readonly answer: Templates
  }

  /** Keep a template, or replace the one of its name */ readonly saveTemplate: {
    readonly input: { readonly request: SaveTemplateRequest }
    readonly answer: SavedTemplate
  }

  /** Delete a template */ readonly deleteTemplate: {
    readonly input: { readonly templateId: string }
    readonly answer: DeletedTemplate
  }

  /** Cancel the signing of a document by the app */ readonly cancelDocumentProcedure: {
    readonly input: { readonly id: string; readonly operationId: string }
    readonly answer: CanceledProcedure
  }

  /** How the signing of a document by the app stands: JSON, or every change as text/event-stream */ readonly getDocumentProcedure: {
    readonly input: { readonly id: string; readonly operationId: string }
    readonly answer: DocumentProcedure
  }

  /** Begin to sign a document by the mobile app: a QR code and links */ readonly beginDocumentProcedure: {
    readonly input: { readonly id: string; readonly request: BeginDocumentProcedureRequest }
    readonly answer: BegunProcedure
  }

  /** Begin to log in by the mobile app: a QR code and links */ readonly beginPhoneLogin: {
    readonly input: { readonly request: Record<never, never> }
    readonly answer: BegunPhoneLogin
  }

  /** Log in as who has signed in the mobile app */ readonly finishPhoneLogin: {
    readonly input: { readonly loginId: string; readonly request: Record<never, never> }
    readonly answer: AuthenticationResult
  }

  /** How a login by the mobile app stands: JSON at once, or every change as text/event-stream */ readonly getPhoneLogin: {
    readonly input: { readonly loginId: string }
    readonly answer: ProcedureState
  }

  /** Begin a raw procedure: a QR code and links for the app, addresses for the data and the result */ readonly beginRawProcedure: {
    readonly input: { readonly request: BeginRawProcedureRequest }
    readonly answer: BegunRawProcedure
  }

  /** Cancel a raw procedure */ readonly cancelRawProcedure: {
    readonly input: { readonly qrId: string }
    readonly answer: Record<never, never>
  }

  /** How a raw procedure stands: JSON at once, or every change for who accepts text/event-stream */ readonly getRawState: {
    readonly input: { readonly qrId: string }
    readonly answer: ProcedureState
  }

  /** Cancel the signing of a package by the app */ readonly cancelPackageProcedure: {
    readonly input: { readonly packageId: string; readonly operationId: string }
    readonly answer: CanceledProcedure
  }

  /** How the signing of a package by the app stands: JSON, or every change as text/event-stream */ readonly getPackageProcedure: {
    readonly input: { readonly packageId: string; readonly operationId: string }
    readonly answer: PackageProcedure
  }

  /** Begin to sign all documents of a package by the mobile app: a QR code and links */ readonly beginPackageProcedure: {
    readonly input: { readonly packageId: string; readonly request: BeginPackageProcedureRequest }
    readonly answer: BegunProcedure
  }

  /** Read the secrets of your webhooks, and how they fare */ readonly getWebhooks: {
    readonly input: Record<never, never>
    readonly answer: OrganizationWebhooks
  }

  /** List what was sent to a webhook; read on with until = createdAt of the last one until the list is empty */ readonly listWebhookDeliveries: {
    readonly input: {
      readonly webhookId: string
      readonly query?: { readonly until?: number; readonly state?: 'waiting' | 'sending' | 'delivered' | 'failed' }
    }
    readonly answer: WebhookDeliveries
  }

  /** Send a webhook to try an address; when it arrives, a paused address is used again */ readonly pingWebhook: {
    readonly input: { readonly webhookId: string }
    readonly answer: PingedWebhook
  }

  /** Send webhooks again, one or all since a moment; they keep their identifiers */ readonly resendWebhooks: {
    readonly input: { readonly webhookId: string; readonly request: ResendWebhooksRequest }
    readonly answer: ResentWebhooks
  }

  /** Change the secret of a webhook; the old one is valid beside it for a day */ readonly rotateWebhookSecret: {
    readonly input: { readonly webhookId: string }
    readonly answer: RotatedWebhookSecret
  }

  /** What has become of a document that is forwarded to the authority that registers vehicles */ readonly getIntegrationRegisterAuto: {
    readonly input: { readonly id: string }
    readonly answer: IntegrationDelivery
  }

  /** Forward a document to the authority that registers vehicles; the parameters are set once */ readonly setIntegrationRegisterAuto: {
    readonly input: { readonly id: string; readonly request: IntegrationRegisterAuto }
    readonly answer: IntegrationDelivery
  }

  /** List what became of the mails about a document; read on with until = createdAt of the last one until the list is empty */ readonly listDocumentNotifications: {
    readonly input: {
      readonly id: string
      readonly query?: {
        /** `createdAt` of the last one, to read on */ readonly until?: number
        /** what POST /api/package answered, where nobody was authenticated */ readonly dataSecret?: string
      }
    }
    readonly answer: DocumentNotifications
  }

  /** Send mail about a document */ readonly notifyDocument: {
    readonly input: { readonly id: string; readonly request: NotifyDocumentRequest }
    readonly answer: NotifiedDocument
  }

  /** Let mail go again to an address in your settings */ readonly acceptMail: {
    readonly input: { readonly request: AcceptMailRequest }
    readonly answer: MailAddresses
  }

  /** Show whether mail goes to the addresses in your settings */ readonly getMailAddresses: {
    readonly input: Record<never, never>
    readonly answer: MailAddresses
  }

  /** List what became of the mails about a package; read on with until = createdAt of the last one until the list is empty */ readonly listPackageNotifications: {
    readonly input: {
      readonly packageId: string
      readonly query?: {
        /** `createdAt` of the last one, to read on */ readonly until?: number
        /** what POST /api/package answered, where nobody was authenticated */ readonly dataSecret?: string
      }
    }
    readonly answer: PackageNotificationsRecord
  }

  /** Send mail about a package */ readonly notifyPackage: {
    readonly input: { readonly packageId: string; readonly request: NotifyPackageRequest }
    readonly answer: NotifiedPackage
  }

  /** How calls to external services went lately */ readonly getExternalServicesStats: {
    readonly input: Record<never, never>
    readonly answer: readonly ExternalServiceStat[]
  }

  /** Version of the service */ readonly getVersion: { readonly input: Record<never, never>; readonly answer: Version }

  /** Every message and constant with its translations */ readonly getStrings: {
    readonly input: Record<never, never>
    readonly answer: Strings
  }
}
export type OperationId = keyof Operations

/** Where each operation is found, below `/api`. */
export const ROUTES = {
  getLog: { method: 'GET', path: '/log' },
  getWitnessedCheckpoint: { method: 'GET', path: '/witness/:originHash/checkpoint' },
  listDocuments: { method: 'GET', path: '' },
  registerDocument: { method: 'POST', path: '' },
  addSignature: { method: 'POST', path: '/:id' },
  getDocument: { method: 'GET', path: '/:id' },
  buildFileName: { method: 'GET', path: '/:id/buildFileName' },
  fixDigests: { method: 'POST', path: '/:id/data' },
  getDocumentData: { method: 'GET', path: '/:id/data' },
  getDocumentDigests: { method: 'GET', path: '/:id/digests' },
  getDocumentProof: { method: 'GET', path: '/:id/proof' },
  changeDocumentSettings: { method: 'POST', path: '/:id/settings' },
  getDocumentSettingsAudit: { method: 'GET', path: '/:id/settingsAudit' },
  exportSignature: { method: 'GET', path: '/:id/signature/:signId' },
  verifyDocument: { method: 'POST', path: '/:id/verify' },
  checkRegistration: { method: 'POST', path: '/checkRegistration' },
  findExportedSignature: { method: 'POST', path: '/exported' },
  findDocumentsByDigest: { method: 'GET', path: '/findByDigest' },
  idFromFileName: { method: 'GET', path: '/idFromFileName' },
  normalizeId: { method: 'GET', path: '/normalizeId/:specialId' },
  checkSignature: { method: 'POST', path: '/checkSignature' },
  makeReport: { method: 'POST', path: '/makeReport' },
  getStatementKey: { method: 'GET', path: '/statementKey' },
  buildDdc: { method: 'POST', path: '/:id/buildDDC' },
  buildPartnerCms: { method: 'POST', path: '/:id/buildPartnerCMS' },
  getSignatureQr: { method: 'GET', path: '/:id/signature/:signId/qr' },
  checkDdc: { method: 'POST', path: '/checkDDC' },
  checkPdfForDdc: { method: 'POST', path: '/checkPDFForDDC' },
  parseDdc: { method: 'POST', path: '/parseDDC' },
  listPackages: { method: 'GET', path: '/package' },
  registerPackage: { method: 'POST', path: '/package' },
  getPackage: { method: 'GET', path: '/package/:packageId' },
  signPackage: { method: 'POST', path: '/package/:packageId' },
  changePackageSettings: { method: 'POST', path: '/package/:packageId/settings' },
  getPackageSettingsAudit: { method: 'GET', path: '/package/:packageId/settingsAudit' },
  buildDocumentEvidence: { method: 'POST', path: '/:id/evidence' },
  getDocumentEvidence: { method: 'GET', path: '/:id/evidence' },
  getSignatureInclusion: { method: 'GET', path: '/:id/signature/:signId/inclusion' },
  checkEvidence: { method: 'POST', path: '/checkEvidence' },
  getPackageEvidence: { method: 'GET', path: '/package/:packageId/evidence' },
  parseEvidence: { method: 'POST', path: '/parseEvidence' },
  checkFile: { method: 'POST', path: '/checkFile' },
  registerFile: { method: 'POST', path: '/registerFile' },
  getUserSettings: { method: 'GET', path: '/settings' },
  saveUserSettings: { method: 'POST', path: '/settings' },
  getUserSettingsAudit: { method: 'GET', path: '/settingsAudit' },
  getOrganizationPermissions: { method: 'GET', path: '/organizationPermissions' },
  getOrganizationSettings: { method: 'GET', path: '/organizationSettings' },
  saveOrganizationSettings: { method: 'POST', path: '/organizationSettings' },
  getOrganizationSettingsAudit: { method: 'GET', path: '/organizationSettingsAudit' },
  getOrganizationSubscription: { method: 'GET', path: '/organizationSubscription' },
  authenticate: { method: 'POST', path: '/auth' },
  getAuthentication: { method: 'GET', path: '/auth' },
  getAuthenticationLog: { method: 'GET', path: '/authLog' },
  sendDocument: { method: 'POST', path: '/:id/send' },
  getDocumentThread: { method: 'GET', path: '/:id/thread' },
  listIncoming: { method: 'GET', path: '/incoming' },
  getIncoming: { method: 'GET', path: '/incoming/:incomingId' },
  commentIncoming: { method: 'POST', path: '/incoming/:incomingId/comment' },
  listOutgoing: { method: 'GET', path: '/outgoing' },
  getOutgoing: { method: 'GET', path: '/outgoing/:outgoingId' },
  commentOutgoing: { method: 'POST', path: '/outgoing/:outgoingId/comment' },
  recallOutgoing: { method: 'POST', path: '/outgoing/:outgoingId/recall' },
  remindOutgoing: { method: 'POST', path: '/outgoing/:outgoingId/remind' },
  sendPackage: { method: 'POST', path: '/package/:packageId/send' },
  getPackageThread: { method: 'GET', path: '/package/:packageId/thread' },
  listRecipients: { method: 'GET', path: '/recipients' },
  listTemplates: { method: 'GET', path: '/templates' },
  saveTemplate: { method: 'POST', path: '/templates' },
  deleteTemplate: { method: 'DELETE', path: '/templates/:templateId' },
  cancelDocumentProcedure: { method: 'DELETE', path: '/:id/govOperation/:operationId' },
  getDocumentProcedure: { method: 'GET', path: '/:id/govOperation/:operationId' },
  beginDocumentProcedure: { method: 'POST', path: '/:id/govQr' },
  beginPhoneLogin: { method: 'POST', path: '/auth/govQr' },
  finishPhoneLogin: { method: 'POST', path: '/auth/govQr/:loginId' },
  getPhoneLogin: { method: 'GET', path: '/auth/govQr/:loginId' },
  beginRawProcedure: { method: 'POST', path: '/govQr' },
  cancelRawProcedure: { method: 'DELETE', path: '/govQr/:qrId' },
  getRawState: { method: 'GET', path: '/govQr/:qrId/state' },
  cancelPackageProcedure: { method: 'DELETE', path: '/package/:packageId/govOperation/:operationId' },
  getPackageProcedure: { method: 'GET', path: '/package/:packageId/govOperation/:operationId' },
  beginPackageProcedure: { method: 'POST', path: '/package/:packageId/govQr' },
  getWebhooks: { method: 'GET', path: '/organizationWebhooks' },
  listWebhookDeliveries: { method: 'GET', path: '/organizationWebhooks/:webhookId/deliveries' },
  pingWebhook: { method: 'POST', path: '/organizationWebhooks/:webhookId/ping' },
  resendWebhooks: { method: 'POST', path: '/organizationWebhooks/:webhookId/resend' },
  rotateWebhookSecret: { method: 'POST', path: '/organizationWebhooks/:webhookId/rotateSecret' },
  getIntegrationRegisterAuto: { method: 'GET', path: '/:id/integrationRegisterAuto' },
  setIntegrationRegisterAuto: { method: 'POST', path: '/:id/integrationRegisterAuto' },
  listDocumentNotifications: { method: 'GET', path: '/:id/notifications' },
  notifyDocument: { method: 'POST', path: '/:id/notify' },
  acceptMail: { method: 'POST', path: '/mailAddresses' },
  getMailAddresses: { method: 'GET', path: '/mailAddresses' },
  listPackageNotifications: { method: 'GET', path: '/package/:packageId/notifications' },
  notifyPackage: { method: 'POST', path: '/package/:packageId/notify' },
  getExternalServicesStats: { method: 'GET', path: '/externalServicesStats' },
  getVersion: { method: 'GET', path: '/version' },
  getStrings: { method: 'GET', path: '/strings' },
} as const satisfies Readonly<Record<OperationId, { method: string; path: string }>>

/** Operations that answer a file to those who accept its type. */
export const FILES = {
  getDocumentData: 'application/octet-stream',
  buildDdc: 'application/pdf',
  buildPartnerCms: 'application/cms',
  checkPdfForDdc: 'application/pdf',
  buildDocumentEvidence: 'application/zip',
  getDocumentEvidence: 'application/zip',
  getPackageEvidence: 'application/zip',
} as const

/** How each list is read on: by which parameter, made of which field of the last item. */
export const LISTS = {
  listDocuments: { items: 'documents', cursor: 'until', from: 'storedAt' },
  getDocument: { items: 'signatures', cursor: 'lastSignId', from: 'signId' },
  getDocumentSettingsAudit: { items: 'events', cursor: 'lastEventId', from: 'eventId' },
  listPackages: { items: 'packages', cursor: 'until', from: 'storedAt' },
  getPackageSettingsAudit: { items: 'events', cursor: 'lastEventId', from: 'eventId' },
  getUserSettingsAudit: { items: 'events', cursor: 'lastEventId', from: 'eventId' },
  getOrganizationSettingsAudit: { items: 'events', cursor: 'lastEventId', from: 'eventId' },
} as const
