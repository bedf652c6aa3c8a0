import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { meansNoMailbox } from './mailer.js'
import { readReport } from './read-report.js'
import { MailKeys, RecipientStore } from './recipients.js'

/** Fetches messages sent to the return path: delivery reports (RFC 3464) and anything else. */
export interface DeliveryReports {
  /** Passes on each raw message, oldest first, and deletes it once `take` resolves; a message may come more than once. */
  read(take: (message: Uint8Array) => Promise<void>): Promise<void>
}
/** `undefined` where bounces are not read. */
export const DeliveryReports = port<DeliveryReports | undefined>('DeliveryReports', 'defaulted')

/** Reads bounces and stops mail to addresses that do not exist. */
export class ReadBounces {
  static readonly task = { name: 'readBounces', schedule: '* * * * *' }
  static readonly inject = { reports: DeliveryReports, keys: MailKeys, recipients: RecipientStore, logger: Logger }

  constructor(private readonly use: Injected<typeof ReadBounces.inject>) {}

  async run(): Promise<void> {
    await this.use.reports?.read((message) => this.take(message))
  }

  /** Anybody can write to the return path, but only a recipient's server knows the Message-ID. */
  private async take(message: Uint8Array): Promise<void> {
    const report = readReport(message)
    if (report === undefined) return
    const { messageId, recipients } = report
    for (const { addresses, action, status, diagnostic } of recipients) {
      if (action !== 'failed') continue
      for (const address of addresses) {
        if (!(await this.use.keys.isMessageTo(messageId, address))) continue
        const isGone = meansNoMailbox(status)
        this.use.logger.warn('A mail did not arrive', { messageId, status, isGone })
        if (isGone)
          await this.use.recipients.bounced(await this.use.keys.recipient(address), `${status} ${diagnostic}`.trim())
        break
      }
    }
  }
}
