import { type Client, createClient } from '@signed-registry/client'
import type { RegistryOptions } from '@signed-registry/core'
import type { RegisterDocumentRequest } from '@signed-registry/core/documents'
import type { PersonName } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import type { Email } from 'postal-mime'
import type { TestHost } from '../host.js'
import { startPagesHost } from '../pages-host.js'
import { SmtpSink } from '../smtp-sink.js'
import { until } from '../until.js'

/** A host with pages whose mails come into mailboxes. */
export class PeopleHost {
  private constructor(
    readonly host: TestHost,
    private readonly sink: SmtpSink,
  ) {}

  static async start(registry: Partial<RegistryOptions> = {}): Promise<PeopleHost> {
    const sink = await SmtpSink.start()
    const mailer = mailerSmtp({ url: sink.url, from: 'Registry <registry@example.kz>' })
    const host = await startPagesHost({ deliveryTimes: { pollMs: 20 }, ...registry }, [mailer, evidenceAsic({})])
    host.registry.start()
    return new PeopleHost(host, sink)
  }

  get url(): string {
    return this.host.url
  }

  /** The API, as somebody who has logged in. */
  async as(person: PersonName): Promise<Client> {
    const client = createClient({ baseUrl: this.host.url })
    const answer = await client.authenticate({ request: {} })
    if (!('nonce' in answer)) throw new Error('There is no nonce')
    const subject = this.host.authorities.named(`${person}-auth` as PersonName)
    const signature = subject.signCms(Buffer.from(answer.nonce, 'base64')).toString('base64')
    await client.authenticate({ request: { nonce: answer.nonce, signature } })
    return client
  }

  /** Registers a document, private and kept, that somebody has signed. */
  async register(person: PersonName, request: RegisterDocumentRequest, original: Buffer<ArrayBuffer>): Promise<string> {
    const signature = this.host.authorities
      .named(person)
      .signCms(original, { timeStamp: true, ocsp: true })
      .toString('base64')
    const client = await this.as(person)
    const settings = { private: true, tempStorageAfterRegistration: 24 * 60 * 60_000 }
    const { documentId } = await client.registerDocument({
      request: { signature, settings, ...request },
    })
    await client.fixDigests({ id: documentId, upload: original })
    return documentId
  }

  /** Gives somebody a mailbox for their mails about items and signatures; those that come are in this language. */
  async mailboxOf(person: PersonName, email: string, language: string): Promise<void> {
    const client = await this.as(person)
    await client.saveUserSettings({
      request: {
        email,
        emailNotificationsEnabled: true,
        emailNotificationsRoutingEnabled: true,
        notificationsLanguage: language,
      },
    })
  }

  /** The newest mail in a mailbox that is about this, once it is there. */
  async mail(to: string, about: string): Promise<Email> {
    const found = () => this.sink.to(to).find(({ text = '', html = '' }) => `${text}${html}`.includes(about))
    await until(async () => found() !== undefined)
    const mail = found()
    if (mail === undefined) throw new Error(`No mail about ${about}`)
    return mail
  }

  async close(): Promise<void> {
    await this.host.close()
    await this.sink.close()
  }
}

/** The first link to a page of this kind in a mail, as somebody would click it: `/incoming/`, `/outgoing/`, `/d/`. */
export function linkIn({ text = '', html = '' }: Email, kind: string): string {
  const found = `${text} ${html}`.match(new RegExp(`https?://[^\\s"<>]*${kind}[A-Za-z0-9]+[^\\s"<>]*`))?.[0]
  if (found === undefined) throw new Error(`The mail has no link to ${kind}: ${text}`)
  return found
}
