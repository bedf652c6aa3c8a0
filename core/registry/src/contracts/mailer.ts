import assert from 'node:assert/strict'
import type { Mailer, MailMessage } from '../mail/index.js'
import type { Clause } from './clause.js'

/** A mail as its recipient gets it. */
export interface ReceivedMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly attachments: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** The `Mailer` to check against its contract. */
export interface MailerUnderTest {
  /** Returns the same mailer each time, or a new one. */
  open(): Mailer | Promise<Mailer>
  /** What has arrived so far, oldest first. */
  received(): Promise<readonly ReceivedMessage[]>
}

const OK = 250
const MANY = 20

/** What every `Mailer` promises. */
export function mailerContract({ open, received }: MailerUnderTest): readonly Clause[] {
  const sent = async (message: MailMessage): Promise<ReceivedMessage> => {
    const { code } = await (await open()).send(message)
    assert.equal(code, OK)
    const found = (await received()).filter(({ messageId }) => messageId === message.messageId)
    assert.equal(found.length, 1, 'it arrives once')
    const [arrived] = found
    assert.ok(arrived)
    return arrived
  }
  return [
    {
      title: 'sends every part of a mail unchanged',
      async check() {
        const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256)
        const message = mail({ attachments: [{ name: 'Договор № 1.bin', bytes }] })
        const arrived = await sent(message)
        assert.equal(arrived.to, message.to)
        assert.equal(arrived.subject, message.subject)
        assert.equal(arrived.text.trim(), message.text)
        assert.equal(arrived.html.trim(), message.html)
        assert.equal(arrived.headers.get('auto-submitted'), 'auto-generated')
        assert.equal(arrived.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
        assert.deepEqual(
          arrived.attachments.map(({ name }) => name),
          ['Договор № 1.bin'],
        )
        assert.ok(Buffer.from(arrived.attachments[0]?.bytes ?? []).equals(bytes))
      },
    },

    {
      title: 'lets no part of a mail inject a header or another recipient',
      async check() {
        const evil = 'Title\r\nBcc: other@example.kz\r\nX-Evil: yes\r\n\r\nbody'
        const before = (await received()).length
        const arrived = await sent(mail({ subject: evil, attachments: [{ name: evil, bytes: Buffer.from('x') }] }))
        assert.ok(!arrived.headers.has('bcc') && !arrived.headers.has('x-evil'))
        assert.equal(arrived.text.trim(), mail().text)
        assert.equal((await received()).length, before + 1)
      },
    },

    {
      title: 'sends many at once',
      async check() {
        const mailer = await open()
        const messages = Array.from({ length: MANY }, () => mail())
        await Promise.all(messages.map((message) => mailer.send(message)))
        const arrived = new Set((await received()).map(({ messageId }) => messageId))
        assert.ok(messages.every(({ messageId }) => arrived.has(messageId)))
      },
    },
  ]
}

let made = 0

function mail(fields: Partial<MailMessage> = {}): MailMessage {
  made += 1
  return {
    to: 'name@example.kz',
    subject: 'Құжатқа қол қойылды: Договор',
    text: 'Электрондық цифрлық қолтаңба\n.\nпосле точки',
    html: '<p>Электрондық цифрлық <b>қолтаңба</b></p>',
    messageId: `<contract${made}.${Date.now()}@registry.example.kz>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': '<https://registry.example.kz/unsubscribe/x>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments: [],
    signal: new AbortController().signal,
    ...fields,
  }
}
