import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { ContentScanner } from '../originals/index.js'
import type { Missing } from './missing-originals.js'

/** What the scanner has against an original; `undefined` for nothing. */
type Fault = Extract<Missing, 'infected' | 'notScanned'> | undefined

interface Verdict {
  readonly fault: Promise<Fault>
  readonly until: number
}

/** So long a verdict holds: the mails of one event leave within it, and a repeat hours later is scanned anew. */
const HOLDS_MS = 10 * 60 * 1000
const MAX_VERDICTS = 1000

/** Asks the scanner once about the original of a document that goes to many. */
export class ScanVerdicts {
  static readonly inject = { scanner: ContentScanner, clock: Clock, logger: Logger }
  /** By document, oldest first: its bytes never change. */
  private readonly known = new Map<string, Verdict>()

  constructor(private readonly use: Injected<typeof ScanVerdicts.inject>) {}

  /** True where there is anything to ask. */
  get canAsk(): boolean {
    return this.use.scanner !== undefined
  }

  faultOf(documentId: string, bytes: () => AsyncIterable<Uint8Array>): Promise<Fault> {
    const now = this.use.clock.now()
    const known = this.known.get(documentId)
    if (known !== undefined && known.until > now) return known.fault
    const fault = this.scan(documentId, bytes)
    this.known.delete(documentId)
    this.known.set(documentId, { fault, until: now + HOLDS_MS })
    const [oldest] = this.known.keys()
    if (oldest !== undefined && this.known.size > MAX_VERDICTS) this.known.delete(oldest)
    return fault
  }

  /** Without a verdict the original is left out, since a mail cannot be taken back, and the next mail asks again. */
  private async scan(documentId: string, bytes: () => AsyncIterable<Uint8Array>): Promise<Fault> {
    if (this.use.scanner === undefined) return undefined
    try {
      const { verdict } = await this.use.scanner.scan(bytes())
      if (verdict === 'clean') return undefined
      if (verdict === 'infected') return 'infected'
    } catch (error) {
      this.use.logger.warn('An original was not attached to a mail: it could not be scanned', { documentId, error })
    }
    this.known.delete(documentId)
    return 'notScanned'
  }
}
