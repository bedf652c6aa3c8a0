import type { SignedFile } from '@signed-registry/verifier'
import { CheckDdc } from '../cards/index.js'
import { CheckEvidence } from '../evidence/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { CheckedFile } from './checked-file.js'
import { FileWork } from './file-work.js'
import { JudgeFile } from './judge-file.js'
import type { OpenFile } from './ports.js'

/** What cards are refused with: the file is none, is larger than any, or there is nothing that reads them. */
const NO_CARD: ReadonlySet<string> = new Set(['bodyTooLarge', 'cardNotParsed', 'cardsBusy'])

/** Judges a signed file of any kind; stores nothing. */
export class CheckFile {
  static readonly operation = operation({
    id: 'checkFile',
    group: 'documents',
    at: 'POST /checkFile',
    who: anyone(),
    summary: 'Judge a signed file: PDF, ASiC container, CMS, XML, card or evidence bundle; nothing is kept',
    description:
      'What the file is, its content tells. Each signature is judged over what its place in the file says, by the verifier alone, as POST /api/checkSignature does; no authority is asked. A PDF answers its revisions and what each changed, a container its files and what nobody signed.',
    upload: true,
    onlyOctets: true,
    answer: CheckedFile,
    refuses: ['evidenceNotRead', 'fileNotRead', 'processedSizeDiffers'],
  })
  static readonly inject = {
    work: FileWork,
    judging: JudgeFile,
    cards: CheckDdc,
    evidence: CheckEvidence,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof CheckFile.inject>) {}

  async execute(caller: Caller, { upload }: Input<typeof CheckFile.operation>): Promise<CheckedFile> {
    return this.use.work.withFile(caller, upload, async (open) => {
      const { found } = open
      if (found.is === 'evidence') return this.ofEvidence(caller, open)
      if (found.is === 'card') return (await this.ofCard(caller, open)) ?? this.ofFile(caller, open, found.file)
      return this.ofFile(caller, open, found.file)
    })
  }

  private async ofFile(caller: Caller, { size }: OpenFile, file: SignedFile): Promise<CheckedFile> {
    return { ...(await this.use.judging.judge(caller, file)), format: file.format, size }
  }

  private async ofEvidence(caller: Caller, open: OpenFile): Promise<CheckedFile> {
    const evidence = await this.use.evidence.execute(caller, { upload: open.whole() })
    return { ...this.nothingOfItself(open, evidence.outcome), format: 'evidence', evidence }
  }

  /** `undefined` for a PDF with files that are no card's. */
  private async ofCard(caller: Caller, open: OpenFile): Promise<CheckedFile | undefined> {
    try {
      const card = await this.use.cards.execute(caller, { upload: open.whole() })
      return { ...this.nothingOfItself(open, card.outcome), format: 'card', card }
    } catch (error) {
      if (error instanceof RegistryError && NO_CARD.has(error.code)) return undefined
      throw error
    }
  }

  private nothingOfItself({ size }: OpenFile, outcome: CheckedFile['outcome']): Omit<CheckedFile, 'format'> {
    const indication = { proved: 'TOTAL-PASSED', unknown: 'INDETERMINATE', wrong: 'TOTAL-FAILED' } as const
    return {
      ...{
        outcome,
        valid: outcome === 'proved',
        indication: indication[outcome],
        judgedAt: this.use.clock.now(),
        size,
      },
      ...{ documents: [], signatures: [], timeStamps: [], revisions: [], problems: [] },
    }
  }
}
