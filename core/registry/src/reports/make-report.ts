import { reportNoteText, utc } from '@signed-registry/verifier'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { digestFrom } from '../kernel/digest-text.js'
import { type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { ReportSignatures } from '../signatures/index.js'
import { ReportLimits } from './limits.js'
import { NoteStamps } from './note-stamps.js'
import { MakeReportRequest, SignedReport } from './schema.js'
import { Statements } from './statements.js'

/** Characters of all XML together, as of one signature that is checked. */
const MOST_XML = 512 * 1024

/** Judges signatures and documents and reports on them under the registry's key; nothing is kept. */
export class MakeReport {
  static readonly operation = operation({
    id: 'makeReport',
    group: 'documents',
    summary: 'Report on signatures, signed by the registry; nothing is kept',
    description:
      'Anybody may ask. Signatures need not be registered, and are judged as checkSignature judges them; the registry signs only what it judged itself. Documents are not sent, their hashes are. Callers who are known get a time stamp over the note, as often in an hour as there are shares.',
    request: MakeReportRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: SignedReport,
  })
  static readonly inject = {
    reporting: ReportSignatures,
    statements: Statements,
    stamps: NoteStamps,
    clock: Clock,
    site: Site,
    limits: ReportLimits,
  }

  constructor(private readonly use: Injected<typeof MakeReport.inject>) {}

  async execute(caller: Caller, { request }: Input<typeof MakeReport.operation>): Promise<SignedReport> {
    const { reporting, statements, stamps, clock, site } = this.use
    this.bound(request)
    const { outcome, forms } = await reporting.report({
      language: request.language ?? 'ru',
      signatures: request.signatures.map(({ name, signature }) => ({ name, signed: signature })),
      documents: request.documents.map((document, index) => ({ ...document, digests: digestsOf(document, index) })),
    })
    const time = utc(clock.now())
    const note = statements.sign(reportNoteText({ origin: site.baseUrl, time }, forms))
    const timeStamp = note === undefined ? { state: 'notAsked' as const } : await stamps.stamp(note, caller)
    return { outcome, ...forms, ...(note !== undefined && { note }), timeStamp }
  }

  private bound({ signatures, documents }: MakeReportRequest): void {
    const { reportSignatures, reportDocuments } = this.use.limits
    if (signatures.length > reportSignatures) throw tooMany('signatures', reportSignatures)
    if (documents.length > reportDocuments) throw tooMany('documents', reportDocuments)
    const names = documents.map(({ name }) => name)
    if (new Set(names).size < names.length)
      throw requestErrors.error('invalidJsonStructure', { path: '/documents', problem: 'names must differ' })
    const xml = signatures.filter(({ signature }) => signature.trimStart().startsWith('<'))
    if (xml.reduce((sum, { signature }) => sum + signature.length, 0) > MOST_XML)
      throw requestErrors.error('bodyTooLarge', { limit: MOST_XML })
  }
}

const tooMany = (list: string, most: number) =>
  requestErrors.error('invalidJsonStructure', { path: `/${list}`, problem: `must not have more than ${most} items` })

const digestsOf = ({ digests }: MakeReportRequest['documents'][number], index: number): Map<string, Uint8Array> =>
  new Map(
    Object.entries(digests).map(([oid, text]) => {
      const digest = digestFrom(text)
      const path = `/documents/${index}/digests/${oid}`
      if (digest === undefined) throw requestErrors.error('invalidJsonStructure', { path })
      return [oid, digest]
    }),
  )
