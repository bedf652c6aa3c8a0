import type { Injected } from '../kernel/service.js'
import type { Refusable } from './news.js'
import { MailKeys, RecipientStore } from './recipients.js'

/** Lets whoever got a mail refuse more of its kind, by the link in it (RFC 8058); nobody has to be a user for that. */
export class Unsubscribing {
  static readonly inject = { keys: MailKeys, recipients: RecipientStore }

  constructor(private readonly use: Injected<typeof Unsubscribing.inject>) {}

  /** The kind of mail that a link refuses, and whether it is refused; `undefined` for one that is not ours. */
  async find(token: string): Promise<{ readonly kind: Refusable; readonly isRefused: boolean } | undefined> {
    const link = await this.use.keys.read(token)
    if (link === undefined) return undefined
    const { recipient, kind } = link
    return { kind, isRefused: (await this.use.recipients.refusedKinds(recipient)).includes(kind) }
  }

  /** From now on no mail of the kind goes to the address. Answers false for a link that is not ours. */
  async refuse(token: string): Promise<boolean> {
    const link = await this.use.keys.read(token)
    if (link !== undefined) await this.use.recipients.refuse(link.recipient, link.kind)
    return link !== undefined
  }

  /** Takes the refusal back. Answers false for a link that is not ours. */
  async accept(token: string): Promise<boolean> {
    const link = await this.use.keys.read(token)
    if (link !== undefined) await this.use.recipients.accept(link.recipient, link.kind)
    return link !== undefined
  }
}
