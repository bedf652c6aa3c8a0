import type { MailsAnswer } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { type ReadableOriginal, ReadOriginals } from '../originals/index.js'
import { mailErrors } from './errors.js'
import { MailLimits } from './limits.js'
import { Mailer } from './mailer.js'
import { MailerState } from './mailer-state.js'
import { ScanVerdicts } from './scan-verdicts.js'

/** How long an answer waits for the scanner; it never waits for the mail server. */
const SCAN_WAIT_MS = 1000
/** Scans at a time; further answers do not wait for the scanner. */
const MAX_SCANS = 8

/** Predicts for an answer whether the requested mails can be sent and with attachments. */
export class MailOutlook {
  static readonly inject = {
    mailer: Mailer,
    state: MailerState,
    originals: ReadOriginals,
    verdicts: ScanVerdicts,
    limits: MailLimits,
  }
  private scans = 0

  constructor(private readonly use: Injected<typeof MailOutlook.inject>) {}

  /** `documentsIds`: whose originals are to be attached; `spooled`: they may be kept for the mail only. */
  async of(documentsIds: readonly string[], { spooled = false } = {}): Promise<MailsAnswer> {
    if (this.use.mailer === undefined) return notSent('mailNotAvailable')
    if (await this.use.state.takesNothing()) return notSent('mailServerTakesNothing')
    return { attached: await this.isAnyAttached(documentsIds, spooled) }
  }

  /** True when one of the originals can be attached: it is stored, small enough and not known to be infected. */
  private async isAnyAttached(documentsIds: readonly string[], spooled: boolean): Promise<boolean> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), SCAN_WAIT_MS)
    try {
      for (const id of documentsIds) {
        const original = await this.use.originals.find(id, { spooled })
        if (original === undefined || original.size > this.use.limits.mailAttachment) continue
        if (await this.maySend(id, original, timeout.signal)) return true
      }
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** False where the scanner rejects the original; without a verdict in time it counts as clean. */
  private async maySend(id: string, { bytes }: ReadableOriginal, timeout: AbortSignal): Promise<boolean> {
    if (!this.use.verdicts.canAsk || timeout.aborted || this.scans >= MAX_SCANS) return true
    this.scans += 1
    const fault = this.use.verdicts
      .faultOf(id, () => bytes())
      .finally(() => {
        this.scans -= 1
      })
    const late = new Promise<undefined>((resolve) => {
      timeout.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    return (await Promise.race([fault, late])) === undefined
  }
}

const notSent = (why: 'mailNotAvailable' | 'mailServerTakesNothing'): MailsAnswer => ({
  attached: false,
  message: mailErrors.texts[why].message,
})
