import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { ContentScanner } from '../originals/index.js'
import type { Missing } from './missing-originals.js'

/** Why the scanner rejects an original; `undefined` for a clean one. */
type Fault = Extract<Missing, 'infected' | 'notScanned'> | undefined

interface Verdict {
  readonly fault: Promise<Fault>
  readonly until: number
}

/** Long enough for all mails of one event; a retry hours later is scanned again. */
const VERDICT_LIFE_MS = 10 * 60 * 1000
const MAX_VERDICTS = 1000

/** Scans an original only once when it is attached to many mails. */
export class ScanVerdicts {
  static readonly inject = { scanner: ContentScanner, clock: Clock, logger: Logger }
  /** By document, oldest first; a document's bytes never change. */
  private readonly known = new Map<string, Verdict>()

  constructor(private readonly use: Injected<typeof ScanVerdicts.inject>) {}

  /** True where there is a scanner. */
  get canAsk(): boolean {
    return this.use.scanner !== undefined
  }

  faultOf(documentId: string, bytes: () => AsyncIterable<Uint8Array>): Promise<Fault> {
    const now = this.use.clock.now()
    const known = this.known.get(documentId)
    if (known !== undefined && known.until > now) return known.fault
    const fault = this.scan(documentId, bytes)
    this.known.delete(documentId)
    this.known.set(documentId, { fault, until: now + VERDICT_LIFE_MS })
    const [oldest] = this.known.keys()
    if (oldest !== undefined && this.known.size > MAX_VERDICTS) this.known.delete(oldest)
    return fault
  }

  /** Without a verdict the original is not attached, since a mail cannot be recalled; the next mail scans again. */
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
