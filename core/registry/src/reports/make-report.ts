import { reportNoteText, utc } from '@signed-registry/verifier'
import type { LogVerdict } from '@signed-registry/verifier/evidence'
import { CheckSigned, filesToCheck } from '../checking/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { type ReportedInput, ReportSignatures } from '../signatures/index.js'
import { LoggedSignatures } from './logged-signatures.js'
import { NoteStamps } from './note-stamps.js'
import { MakeReportRequest, SignedReport } from './schema.js'
import { Statements } from './statements.js'

/** Verifies signatures and documents and makes a report signed by the registry's key; nothing is stored. */
export class MakeReport {
  static readonly operation = operation({
    id: 'makeReport',
    group: 'documents',
    at: 'POST /makeReport',
    who: anyone(),
    summary: 'Report on signatures, signed by the registry; nothing is kept',
    description:
      'Takes what checkSignature takes, and judges it alike: by configured trust, the evidence that signatures carry, and what is kept of those that are registered, for whoever may view their document; the registry signs only what it judged itself. Documents are not sent, their hashes are. Callers who are known get a time stamp over the note, as often in an hour as there are shares.',
    request: MakeReportRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: SignedReport,
  })
  static readonly inject = {
    reporting: ReportSignatures,
    checking: CheckSigned,
    logged: LoggedSignatures,
    statements: Statements,
    stamps: NoteStamps,
    clock: Clock,
    site: Site,
  }

  constructor(private readonly use: Injected<typeof MakeReport.inject>) {}

  async execute(caller: Caller, { request }: Input<typeof MakeReport.operation>): Promise<SignedReport> {
    const { reporting, checking, statements, stamps, clock, site } = this.use
    const { language = 'ru', ...given } = request
    const files = filesToCheck(given)
    const signatures: ReportedInput['signatures'][number][] = []
    const log: LogVerdict[] = []
    for (const one of files.signatures) {
      const known = await checking.kept(caller, { ...one, documents: [] })
      signatures.push({ ...one, evidence: known?.evidence })
      if (known !== undefined) log.push(...(await this.use.logged.of(one.name, known.registered)))
    }
    const { outcome, forms } = await reporting.report({ ...files, signatures, language, log })
    const time = utc(clock.now())
    const note = statements.sign(reportNoteText({ origin: site.baseUrl, time }, forms))
    const timeStamp = note === undefined ? { state: 'notAsked' as const } : await stamps.stamp(note, caller)
    return { outcome, ...forms, ...(note !== undefined && { note }), timeStamp }
  }
}
