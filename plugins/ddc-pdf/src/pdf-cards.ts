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
import type { Piscina } from 'piscina'
import { drawn, sampleCard } from './card-content.js'
import type { Done, DrawnCard, Job } from './job.js'
import { readRecipe } from './recipe-text.js'

const require = createRequire(import.meta.url)
// What is not installed ends a start, although it is loaded with the first card.
const piscina = require.resolve('piscina')

/** How much one card may take. */
export interface CardLimits {
  /** Milliseconds for one card. */
  readonly timeoutMs: number
  /** Mebibytes of a drawing thread. */
  readonly memoryMb: number
  readonly threads: number
  /** Cards that wait for a thread; more are refused. */
  readonly waiting: number
  /** Pages of an original. */
  readonly pages: number
  /** Files of a card. */
  readonly files: number
  /** Bytes of all files of a card together. */
  readonly fileBytes: number
  /** Bytes that the streams of one PDF unpack to. */
  readonly unpackedBytes: number
}

const FAULTS: ReadonlySet<string> = new Set<CardFault>([
  'notPdf',
  'encrypted',
  'broken',
  'tooManyPages',
  'tooLarge',
  'tooManyAttachments',
  'noAttachments',
])

/** Cards as PDF, made and read in threads that are ended when they take too long or too much. */
export class PdfCards implements CardBuilder, CardParser, CardComparer {
  private pool: Piscina<Job, Done> | undefined

  constructor(
    private readonly limits: CardLimits,
    private readonly utcOffset: number,
  ) {}

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
    const { files, fileBytes, unpackedBytes } = this.limits
    return this.files({ do: 'parse', card, maxFiles: files, maxBytes: fileBytes, maxUnpacked: unpackedBytes })
  }

  async recipe(card: Uint8Array): Promise<CardRecipe | undefined> {
    const done = await this.run({ do: 'recipe', card, maxUnpacked: this.limits.unpackedBytes })
    return 'recipe' in done && done.recipe !== undefined ? readRecipe(done.recipe) : undefined
  }

  async compare(card: Uint8Array, again: Card): Promise<ComparedPages> {
    const { pages, unpackedBytes } = this.limits
    const rebuilt = drawn(again, this.utcOffset)
    const done = await this.run({ do: 'compare', card, again: rebuilt, maxPages: pages, maxUnpacked: unpackedBytes })
    if (!('pages' in done)) throw new CardError('broken')
    return done.pages
  }

  async close(): Promise<void> {
    await this.pool?.destroy()
  }

  /** Threads are begun by jobs, and end when they have none. */
  private threads(): Piscina<Job, Done> {
    const { Piscina }: typeof import('piscina') = require(piscina)
    return new Piscina<Job, Done>({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: this.limits.threads,
      maxQueue: this.limits.waiting,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb },
    })
  }

  private async draw(card: DrawnCard): Promise<Uint8Array> {
    const { pages, unpackedBytes } = this.limits
    const [file] = await this.files({ do: 'build', card, maxPages: pages, maxUnpacked: unpackedBytes })
    if (file === undefined) throw new CardError('broken')
    return file.bytes
  }

  private async files(job: Job): Promise<CardFile[]> {
    const done = await this.run(job)
    if (!('files' in done)) throw new CardError('broken')
    return [...done.files]
  }

  private async run(job: Job): Promise<Exclude<Done, { readonly fault: string }>> {
    const signal = AbortSignal.timeout(this.limits.timeoutMs)
    this.pool ??= this.threads()
    const done = await this.pool.run(job, { signal }).catch((cause: unknown) => {
      throw new CardError(signal.aborted ? 'timeout' : faultOf(cause), { cause })
    })
    if (!('fault' in done)) return done
    throw new CardError(isFault(done.fault) ? done.fault : 'broken', { cause: new Error(done.problem) })
  }
}

const isFault = (fault: string): fault is CardFault => FAULTS.has(fault)

/** What ended a thread, or kept it from beginning. */
function faultOf(cause: unknown): CardFault {
  const message = cause instanceof Error ? cause.message : ''
  if (message.includes('queue')) return 'busy'
  return message.includes('memory') ? 'tooLarge' : 'broken'
}
