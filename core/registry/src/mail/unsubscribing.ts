import type { Injected } from '../kernel/service.js'
import type { Refusable } from './news.js'
import { MailKeys, RecipientStore } from './recipients.js'

/** Unsubscribes recipients by the link in a mail (RFC 8058); they need no account. */
export class Unsubscribing {
  static readonly inject = { keys: MailKeys, recipients: RecipientStore }

  constructor(private readonly use: Injected<typeof Unsubscribing.inject>) {}

  /** The kind of mail of a link's token, and whether it is unsubscribed; `undefined` for a token that is not ours. */
  async find(token: string): Promise<{ readonly kind: Refusable; readonly isRefused: boolean } | undefined> {
    const link = await this.use.keys.read(token)
    if (link === undefined) return undefined
    const { recipient, kind } = link
    return { kind, isRefused: (await this.use.recipients.refusedKinds(recipient)).includes(kind) }
  }

  /** Unsubscribes the address from the kind. Answers false for a token that is not ours. */
  async refuse(token: string): Promise<boolean> {
    const link = await this.use.keys.read(token)
    if (link !== undefined) await this.use.recipients.refuse(link.recipient, link.kind)
    return link !== undefined
  }

  /** Subscribes again. Answers false for a token that is not ours. */
  async accept(token: string): Promise<boolean> {
    const link = await this.use.keys.read(token)
    if (link !== undefined) await this.use.recipients.accept(link.recipient, link.kind)
    return link !== undefined
  }
}
