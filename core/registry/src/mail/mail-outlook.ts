import type { MailsAnswer } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { type ReadableOriginal, ReadOriginals } from '../originals/index.js'
import { mailErrors } from './errors.js'
import { MailLimits } from './limits.js'
import { Mailer } from './mailer.js'
import { MailerState } from './mailer-state.js'
import { ScanVerdicts } from './scan-verdicts.js'

/** An answer waits so long for the scanner, and never for the mail server. */
const MAX_WAIT_MS = 1000
/** Originals that are scanned for answers at once: beyond them answers wait for no scanner. */
const LOOKS_AT_ONCE = 8

/** Says what is known of mails when the request is answered that asks for them. */
export class MailOutlook {
  static readonly inject = {
    mailer: Mailer,
    state: MailerState,
    originals: ReadOriginals,
    verdicts: ScanVerdicts,
    limits: MailLimits,
  }
  private looks = 0

  constructor(private readonly use: Injected<typeof MailOutlook.inject>) {}

  /** `documentsIds` are those whose originals are wanted; `spooled` where they may be kept for the mail alone. */
  async of(documentsIds: readonly string[], { spooled = false } = {}): Promise<MailsAnswer> {
    if (this.use.mailer === undefined) return notSent('mailNotAvailable')
    if (await this.use.state.takesNothing()) return notSent('mailServerTakesNothing')
    return { attached: await this.isAnyAttached(documentsIds, spooled) }
  }

  /** True when one of the originals goes along: it is at hand, small enough, and nothing is known against it. */
  private async isAnyAttached(documentsIds: readonly string[], spooled: boolean): Promise<boolean> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), MAX_WAIT_MS)
    try {
      for (const id of documentsIds) {
        const original = await this.use.originals.find(id, { spooled })
        if (original === undefined || original.size > this.use.limits.mailAttachment) continue
        if (await this.maySend(id, original, deadline.signal)) return true
      }
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** False where the scanner has something against it; what it has not said in time is not known. */
  private async maySend(id: string, { bytes }: ReadableOriginal, deadline: AbortSignal): Promise<boolean> {
    if (!this.use.verdicts.canAsk || deadline.aborted || this.looks >= LOOKS_AT_ONCE) return true
    this.looks += 1
    const fault = this.use.verdicts
      .faultOf(id, () => bytes())
      .finally(() => {
        this.looks -= 1
      })
    const late = new Promise<undefined>((resolve) => {
      deadline.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    return (await Promise.race([fault, late])) === undefined
  }
}

const notSent = (why: 'mailNotAvailable' | 'mailServerTakesNothing'): MailsAnswer => ({
  attached: false,
  message: mailErrors.texts[why].message,
})
