import Type from 'typebox'
import {
  asFileName,
  checkTitles,
  digestsToJson,
  documentErrors,
  SignatureStore,
  type WholeDocument,
} from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DataStates, uploadOf } from '../originals/index.js'
import { PackageLimits } from '../packages/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { fileErrors } from './errors.js'
import { FileWork } from './file-work.js'
import type { OpenFile } from './ports.js'
import { ProveSigned } from './prove-signed.js'
import { RegisterWhole } from './register-whole.js'
import { RegisteredFile } from './registered-file.js'
import { type RegistrableFile, registrable } from './registrable.js'

const RegisterFileQuery = Type.Object({
  title: Type.Optional(
    Type.String({ description: 'of the document, or of the package; the documents of a container have their names' }),
  ),
  description: Type.Optional(Type.String()),
  private: Type.Optional(Type.Boolean({ default: false, description: 'only those may view it whom settings name' })),
})
type RegisterFileQuery = NonNullable<Input<typeof RegisterFile.operation>['query']>

/** Registers the documents of a signed file with all of its signatures: one as a document, several as a package; all or nothing. */
export class RegisterFile {
  static readonly operation = operation({
    id: 'registerFile',
    group: 'documents',
    at: 'POST /registerFile',
    who: anyone(': the signatures are the proof'),
    summary: 'Register a signed file: PDF, ASiC container or CMS with its content',
    description:
      'A PDF becomes a document: the file to the end of its last signed revision. A container with one file becomes a document, one with several a package, with each signature under every document that it is over. Signatures have to be good as for POST /api: evidence is taken out of the file or asked for. Refused as a whole where anything in the file was changed, is signed by nobody or cannot be judged.',
    query: RegisterFileQuery,
    upload: true,
    onlyOctets: true,
    answer: RegisteredFile,
    refuses: [
      'badSignerCertificate',
      'featureNotAvailable',
      'fileNotProved',
      'fileNotRead',
      'fileNotRegistered',
      'invalidCertificateStatus',
      'invalidDocumentTitle',
      'invalidSignature',
      'processedSizeDiffers',
      'requestFieldTooLarge',
      'signatureAlreadySubmitted',
      'signatureDoesNotCorrespond',
      'signatureNotParsed',
    ],
  })
  static readonly inject = {
    work: FileWork,
    proving: ProveSigned,
    registering: RegisterWhole,
    signatures: SignatureStore,
    states: DataStates,
    limits: Limits,
    packageLimits: PackageLimits,
  }

  constructor(private readonly use: Injected<typeof RegisterFile.inject>) {}

  async execute(caller: Caller, { query = {}, upload }: Input<typeof RegisterFile.operation>): Promise<RegisteredFile> {
    const { title = '', description = '' } = query
    checkTitles(title, description, this.use.limits)
    return this.use.work.withFile(caller, upload, async (open) => {
      const file = registrable(open.found)
      this.assertFew(caller, file)
      const signatures = await this.use.proving.prove(file)
      const ofEach = file.documents.length > 1 ? { private: query.private === true } : query
      const whole = file.documents.map((one) => wholeOf(open, one, signatures.get(one.name) ?? [], ofEach))
      for (const one of whole) await this.refuseKnown(one)
      const { packageId, documents } = await this.use.registering.register(caller, whole, {
        title,
        description,
        isPrivate: query.private === true,
      })
      const answers: RegisteredFile['documents'] = []
      for (const [index, { documentId, signIds, size, digests }] of documents.entries())
        answers.push({
          ...{ documentId, name: file.documents[index]?.name ?? '', signedDataSize: size },
          ...{ digests: digestsToJson(digests), signIds, ...(await this.use.states.kept(documentId)) },
        })
      return { format: file.format, ...(packageId !== undefined && { packageId }), documents: answers }
    })
  }

  private assertFew({ kind }: Caller, { documents }: RegistrableFile): void {
    const { packageDocuments, anonymousPackageDocuments } = this.use.packageLimits
    const limit = kind === 'anonymous' ? anonymousPackageDocuments : packageDocuments
    if (documents.length > limit) throw fileErrors.error('fileNotRegistered', { reason: 'tooManyDocuments', limit })
  }

  /** Names the document that it is registered under: a client whose answer was lost finds it. */
  private async refuseKnown({ signatures }: WholeDocument): Promise<void> {
    for (const { fingerprint } of signatures) {
      const known = await this.use.signatures.findByFingerprint(fingerprint)
      if (known === undefined) continue
      const { documentId, signId } = known
      throw documentErrors.error('signatureAlreadySubmitted', { documentId, signId })
    }
  }
}

function wholeOf(
  open: OpenFile,
  document: RegistrableFile['documents'][number],
  [first, ...others]: readonly VerifiedSignature[],
  { title, description = '', private: isPrivate = false }: RegisterFileQuery,
): WholeDocument {
  if (first === undefined)
    throw fileErrors.error('fileNotProved', { problems: [{ code: 'notCovered', name: document.name }] })
  const { content } = first
  return {
    title: title ?? asFileName(document.name),
    description,
    settings: isPrivate ? { private: true } : {},
    original: content === undefined ? () => open.document(document) : () => uploadOf(content),
    signatures: [first, ...others],
  }
}
