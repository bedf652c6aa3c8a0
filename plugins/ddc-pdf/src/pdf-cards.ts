import { createRequire } from 'node:module'
import {
  type Card,
  type CardBuilder,
  type CardComparer,
  CardError,
  type CardFault,
  type CardFile,
  type CardLanguage,
  type CardParser,
  type CardRecipe,
  type ComparedPages,
  type SignatureCodes,
} from '@signed-registry/core'
import { drawn, sampleCard } from './card-content.js'
import type { DrawnCard, Job, JobFailure, JobResult } from './job.js'
import type { PdfBounds } from './open-pdf.js'
import { PdfProcesses, type ProcessesLimits } from './pdf-processes.js'
import { readRecipe } from './recipe-text.js'

// Fails at startup if a package is missing; otherwise only the first card would show it.
for (const name of ['pdf-lib', '@pdf-lib/fontkit']) createRequire(import.meta.url).resolve(name)

/** Limits for one card. */
export interface CardLimits extends ProcessesLimits {
  /** Pages of an original. */
  readonly pages: number
  /** Objects of an original. */
  readonly objects: number
  /** Files in a card. */
  readonly files: number
  /** Total bytes of the files in a card. */
  readonly fileBytes: number
  /** Total bytes of the decoded streams of one PDF. */
  readonly unpackedBytes: number
}

/** The pages of a card that is read are not looked at, but their number is limited. */
const MAX_PAGES_READ = 20_000
/** Objects of a card besides those of its original; 1,000 pages and 200 signatures need 15,000. */
const OBJECTS_OF_A_CARD = 50_000

const FAULTS: ReadonlySet<string> = new Set<CardFault>([
  'notPdf',
  'encrypted',
  'broken',
  'tooManyPages',
  'tooManyObjects',
  'tooLarge',
  'tooManyAttachments',
  'noAttachments',
])

/** Cards as PDF, made and read in processes that are killed when they exceed their limits. */
export class PdfCards implements CardBuilder, CardParser, CardComparer {
  private readonly processes: PdfProcesses

  constructor(
    private readonly limits: CardLimits,
    private readonly utcOffset: number,
  ) {
    this.processes = new PdfProcesses(limits)
  }

  async build(card: Card): Promise<Uint8Array> {
    return this.draw(drawn(card, this.utcOffset))
  }

  async sample(pdf: Uint8Array, languages: readonly CardLanguage[]): Promise<Uint8Array> {
    return this.draw(drawn(sampleCard(pdf, languages), this.utcOffset))
  }

  async codes(signature: SignatureCodes): Promise<Uint8Array[]> {
    const files = await this.files({ do: 'codes', signature })
    return files.map(({ bytes }) => bytes)
  }

  parse(card: Uint8Array): Promise<CardFile[]> {
    const { files, fileBytes } = this.limits
    return this.files({ do: 'parse', card, bounds: this.ofCards, maxFiles: files, maxBytes: fileBytes })
  }

  async recipe(card: Uint8Array): Promise<CardRecipe | undefined> {
    const done = await this.run({ do: 'recipe', card, bounds: this.ofCards })
    return 'recipe' in done && done.recipe !== undefined ? readRecipe(done.recipe) : undefined
  }

  async compare(card: Uint8Array, again: Card): Promise<ComparedPages> {
    const rebuilt = drawn(again, this.utcOffset)
    const job = { do: 'compare', card, bounds: this.ofCards, again: rebuilt, originals: this.ofOriginals } as const
    const done = await this.run(job)
    if (!('pages' in done)) throw new CardError('failed')
    return done.pages
  }

  close(): Promise<void> {
    return this.processes.close()
  }

  private async draw(card: DrawnCard): Promise<Uint8Array> {
    const [file] = await this.files({ do: 'build', card, bounds: this.ofOriginals })
    if (file === undefined) throw new CardError('failed')
    return file.bytes
  }

  private async files(job: Job): Promise<CardFile[]> {
    const done = await this.run(job)
    if (!('files' in done)) throw new CardError('failed')
    return [...done.files]
  }

  private async run(job: Job): Promise<Exclude<JobResult, JobFailure>> {
    const done = await this.processes.run(job)
    if (!('fault' in done)) return done
    throw new CardError(isFault(done.fault) ? done.fault : 'failed', { cause: new Error(done.problem) })
  }

  private get ofOriginals(): PdfBounds {
    const { pages, objects, unpackedBytes } = this.limits
    return { maxPages: pages, maxObjects: objects, maxUnpacked: unpackedBytes }
  }

  private get ofCards(): PdfBounds {
    const { objects, unpackedBytes } = this.limits
    return { maxPages: MAX_PAGES_READ, maxObjects: objects + OBJECTS_OF_A_CARD, maxUnpacked: unpackedBytes }
  }
}

const isFault = (fault: string): fault is CardFault => FAULTS.has(fault)
