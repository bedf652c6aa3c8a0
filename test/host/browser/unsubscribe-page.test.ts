import { devAuthorities } from '@signed-registry/dev-authorities'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { expect } from 'chai'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

describe('the unsubscribe link', () => {
  let host: TestHost
  let token: string
  const ADDRESS = 'stranger@example.kz'
  before(async () => {
    const authorities = presentAuthorities()
    const plugins = [devAuthorities({ authorities }), mailerSmtp({ url: 'smtp://127.0.0.1:1', from: 'a@example.kz' })]
    host = await startTestHost(openSqlite, { authorities, plugins })
    token = await host.registry.get(MailKeys).token(ADDRESS, 'signatures')
  })
  after(() => host.close())

  const refused = async (address = ADDRESS) => {
    const recipient = await host.registry.get(MailKeys).recipient(address)
    return host.registry.get(RecipientStore).refusedKinds(recipient)
  }
  const post = (payload: string, type: string, url = `/unsubscribe/${token}`) =>
    host.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

  it('asks people who open it for confirmation, and changes nothing before', async () => {
    const { statusCode, headers, body } = await host.app.inject({
      url: `/unsubscribe/${token}`,
      headers: { 'accept-language': 'de, kk;q=0.8' },
    })
    expect(statusCode).to.equal(200)
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    )
    expect(headers).to.not.have.property('set-cookie')
    expect(body)
      .to.include('<html lang="kk">')
      .and.include('Жаңа қолтаңбалар туралы хаттар')
      .and.include('method="post"')
    expect(await refused()).to.deep.equal([])
  })

  it('unsubscribes by one POST of a mail program, in either encoding and idempotently (RFC 8058)', async () => {
    const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    for (const [payload, type] of [
      ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
      [multipart, 'multipart/form-data; boundary=x'],
    ] as const) {
      const { statusCode } = await post(payload, type)
      expect(statusCode).to.equal(200)
      expect(await refused()).to.deep.equal(['signatures'])
    }
    expect(await refused('Stranger@EXAMPLE.kz')).to.deep.equal(['signatures'])
    expect(await refused('other@example.kz')).to.deep.equal([])
  })

  it('is answered by buttons of the page, which comes back and says what is so; and takes the refusal back', async () => {
    const form = 'application/x-www-form-urlencoded'
    const ask = 'Stop sending you e-mails of this kind?'
    for (const [answer, told] of [
      ['refuse', 'Done: e-mails of this kind will no longer be sent to your address, whoever gives it.'],
      ['accept', 'Done: you will receive them again.'],
    ] as const) {
      const { statusCode, headers } = await post(`answer=${answer}`, form)
      expect(statusCode).to.equal(303)
      const { body } = await host.app.inject({
        url: String(headers.location),
        headers: { 'accept-language': 'en' },
      })
      expect(body).to.include(told).and.not.include(ask)
      expect(await refused()).to.deep.equal(answer === 'refuse' ? ['signatures'] : [])
    }
  })

  it('is nobody else’s to make', async () => {
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of [other, token.slice(1), `${token}A`, 'x', '..%2f..', '%00']) {
      const { statusCode } = await post('', 'text/plain', `/unsubscribe/${wrong}`)
      expect(statusCode, wrong).to.equal(404)
    }
    expect((await post('x'.repeat(5000), 'text/plain')).statusCode).to.equal(413)
    expect(await refused()).to.deep.equal([])
  })
})
