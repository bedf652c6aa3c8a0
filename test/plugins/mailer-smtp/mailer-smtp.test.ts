import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MailMessage } from '@signed-registry/core'

import { mailerContract } from '@signed-registry/core/contracts'
import { localCertificate } from '@signed-registry/dev-authorities'
import { mailerSmtp, SmtpMailer } from '@signed-registry/mailer-smtp'
import { expect } from 'chai'
import { asReceived, SmtpSink } from '../../support/smtp-sink.js'

const from = 'registry@example.kz'
const message = (fields: Partial<MailMessage> = {}): MailMessage => ({
  ...{ to: 'a@example.kz', subject: 'Subject', text: 'text', html: '<p>text</p>', messageId: '<a.b@example.kz>' },
  headers: { 'List-Unsubscribe': '<https://example.kz/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  ...{ attachments: [], signal: new AbortController().signal, ...fields },
})

describe('a mail server as a Mailer', () => {
  let sink: SmtpSink
  const mailers: SmtpMailer[] = []
  const open = (options: Partial<ConstructorParameters<typeof SmtpMailer>[0]> = {}) => {
    const mailer = new SmtpMailer({ url: sink.url, from, ...options })
    mailers.push(mailer)
    return mailer
  }
  before(async () => {
    sink = await SmtpSink.start()
  })
  beforeEach(() => sink.forget())
  afterEach(() => {
    for (const mailer of mailers.splice(0)) mailer.close()
  })
  after(() => sink.close())

  const received = () => Promise.all(sink.got.map(({ raw }) => asReceived(raw)))
  for (const { title, check } of mailerContract({ open: () => open(), received })) it(title, check)

  it('returns the server’s replies about recipient and mail', async () => {
    const mailer = open()
    const say = async (where: 'recipient' | 'data', code: number, text: string) => {
      sink.forget()
      sink[where] = () => ({ code, text })
      return mailer.send(message())
    }
    expect(await say('recipient', 550, '5.1.1 no such user')).to.deep.equal({ code: 550, text: '5.1.1 no such user' })
    expect(await say('recipient', 450, '4.2.0 greylisted')).to.deep.equal({ code: 450, text: '4.2.0 greylisted' })
    expect(await say('data', 554, '5.7.1 spam')).to.deep.equal({ code: 554, text: '5.7.1 spam' })
    expect(await say('data', 451, '4.3.0 later')).to.deep.equal({ code: 451, text: '4.3.0 later' })
    expect(sink.got).to.have.length(0)
    sink.forget()
    expect((await mailer.send(message())).code).to.equal(250)
  })

  it('rejects where the server hangs up, is not there, or does not let us in', async () => {
    const rejects = (mailer: SmtpMailer) =>
      mailer.send(message()).then(
        () => 'answered',
        () => 'rejected',
      )
    sink.data = () => 'drop'
    expect(await rejects(open())).to.equal('rejected')
    expect(await rejects(open({ url: 'smtp://127.0.0.1:1?tls=off' }))).to.equal('rejected')
    // It offers no TLS, and a password would go out in the clear.
    expect(await rejects(open({ url: `smtp://user:password@127.0.0.1:${sink.port}` }))).to.equal('rejected')
    expect(await rejects(open({ url: `smtp://127.0.0.1:${sink.port}` }))).to.equal('rejected')
  })

  it('lets no address become a command', async () => {
    const answer = open().send(message({ to: 'a@example.kz>\r\nRCPT TO:<b@example.kz' }))
    expect(await answer.then(({ code }) => code)).to.be.within(500, 559)
    expect(sink.got).to.have.length(0)
  })

  it('uses TLS only with servers it trusts, and logs in', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-smtp-'))
    const { cert, key } = localCertificate(folder)
    const users: string[] = []
    const secure = await SmtpSink.start({
      ...{ cert, key, authOptional: false },
      onAuth({ username = '', password }, _session, callback) {
        users.push(username)
        callback(password === 'pass word' ? null : new Error('wrong'), { user: username })
      },
    })
    const url = (password: string) => `smtp://me:${password}@localhost:${secure.port}`
    const send = (mailer: SmtpMailer) =>
      mailer.send(message()).then(
        ({ code }) => code,
        () => 'rejected',
      )
    expect(await send(open({ url: url('pass%20word') }))).to.equal('rejected')
    expect(users).to.deep.equal([])
    const trust = cert.toString()
    expect(await send(open({ url: url('wrong'), trust }))).to.equal('rejected')
    expect(await send(open({ url: url('pass%20word'), trust }))).to.equal(250)
    expect(secure.got).to.have.length(1)
    await secure.close()
    rmSync(folder, { recursive: true })
  })

  it('refuses to send a password without TLS at all', () => {
    expect(() => mailerSmtp({ url: 'smtp://me:secret@mail.example?tls=off', from })).to.throw(TypeError, /tls=off/)
  })

  it('signs mails so that the signature covers one-click unsubscription (RFC 6376, RFC 8058)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await open({ dkim: { domain: 'example.kz', selector: 'mail', key } }).send(message())
    const [head = '', body = ''] = (sink.got[0]?.raw.toString('latin1') ?? '').split(/\r\n\r\n([\s\S]*)/)
    const fields = head.split(/\r\n(?![ \t])/)
    const tags = new Map(
      (fields.find((field) => /^dkim-signature:/i.test(field)) ?? '')
        .replace(/^[^:]*:/, '')
        .split(';')
        .map((tag) => tag.replace(/\s+/g, ''))
        .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
    )
    const names = (tags.get('h') ?? '').toLowerCase().split(':')
    expect(names).to.include.members(['from', 'to', 'subject', 'list-unsubscribe', 'list-unsubscribe-post'])
    expect(tags.get('d')).to.equal('example.kz')
    const lines = body
      .replace(/[ \t]+\r\n/g, '\r\n')
      .replace(/[ \t]+/g, ' ')
      .replace(/(\r\n)*$/, '\r\n')
    expect(createHash('sha256').update(lines, 'latin1').digest('base64')).to.equal(tags.get('bh'))
    const relaxed = (field: string) => {
      const at = field.indexOf(':')
      const value = field
        .slice(at + 1)
        .replace(/\r\n/g, '')
        .replace(/\s+/g, ' ')
        .trim()
      return `${field.slice(0, at).toLowerCase().trim()}:${value}`
    }
    const named = names.flatMap((name) => fields.find((field) => field.toLowerCase().startsWith(`${name}:`)) ?? [])
    const own = fields.find((field) => /^dkim-signature:/i.test(field)) ?? ''
    const unsigned = relaxed(own).replace(/(;\s*b=)[^;]*/, '$1')
    const signed = [...named.map(relaxed), unsigned].join('\r\n')
    const verified = createVerify('RSA-SHA256')
      .update(signed, 'latin1')
      .verify(publicKey, tags.get('b') ?? '', 'base64')
    expect(verified).to.equal(true)
  })
})
