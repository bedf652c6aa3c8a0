import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { DevPhone, devAuthorities, localCertificate, type Subject } from '@signed-registry/dev-authorities'
import { mailerFiles } from '@signed-registry/mailer-files'
import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import PostalMime from 'postal-mime'
import { readConfig } from '#host/config/config.js'
import { type Host, startHost } from '#host/start-host.js'
import { clientCertificate } from '../support/client-certificate.js'
import { forEachDatabase } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { signNonce } from '../support/login.js'
import { UNTITLED } from '../support/packages.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { SystemClient } from '../support/systems.js'
import { until } from '../support/until.js'
import { WebhookSink } from '../support/webhook-sink.js'

const bin = '200140000019'
const NAMES = { ru: 'Бухгалтерия', kk: 'Есеп бөлімі', en: 'Accounting' }
const ORIGINALS = ['The seller sells.', 'The buyer buys.']
const text = (value: unknown): string => String(value)

forEachDatabase((open) => {
  describe('an information system that has people sign by phone, over TLS', () => {
    const authorities = presentAuthorities()
    const accounting = clientCertificate()
    let folder: string
    let host: Host
    let hooks: WebhookSink
    let cert: string
    let clients: SystemClient[]
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-phone-'))
      hooks = await WebhookSink.start()
      const local = localCertificate(folder)
      cert = local.cert
      for (const name of ['cert', 'key'] as const) writeFileSync(join(folder, `${name}.pem`), local[name])
      const config = readConfig({
        ...{ DEV_AUTHORITIES: 'yes', DATABASE_URL: await open(), DATA_DIR: folder, LOG_LEVEL: 'silent' },
        ...{
          PORT: text(await freePort()),
          MTLS_PORT: text(await freePort()),
          RATE_LIMIT_ANONYMOUS: '0',
          WEBHOOK_ADDRESSES: 'any',
          WEBHOOK_PORTS: 'any',
        },
        ...{ TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') },
      })
      const plugins = [
        devAuthorities({ authorities }),
        archiveFs({ folder: join(folder, 'archive') }),
        mailerFiles({ folder: join(folder, 'mail'), from: 'registry@example.kz' }),
        webhookHttp({}),
      ]
      host = await startHost({ config, plugins })
      clients = []
    })
    after(async () => {
      for (const client of clients) client.close()
      await host.close()
      await hooks.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** A separate connection to a port. */
    const client = (url: string | undefined, certificate?: typeof accounting) => {
      const trusting = { ca: cert, rejectUnauthorized: true }
      const made = new SystemClient(Number(new URL(url ?? '').port), certificate, trusting)
      clients.push(made)
      return made
    }
    const systemClient = () => client(host.systemsUrl, accounting)
    const done = async (answer: Promise<{ status: number; json: Record<string, unknown> }>) => {
      const { status, json } = await answer
      expect(status, JSON.stringify(json)).to.equal(200)
      return json
    }
    const below = (url: unknown) => new URL(text(url)).pathname.replace(/^\/api/, '')
    const phone = (signer: Subject) => new DevPhone(signer, signer, cert)

    it('is known by its certificate, which its head lists', async () => {
      const people = client(host.url)
      const head = authorities.employee({ bin, role: 'head' })
      const { nonce } = await done(people.ask('POST', '/auth', {}))
      const login = await people.ask('POST', '/auth', { nonce, signature: signNonce(head, text(nonce)) })
      const cookie = text(login.headers['set-cookie']).split(';')[0] ?? ''
      const listed = { description: 'accounting', body: accounting.pem, settings: { qrOrganisationName: NAMES } }
      const settings = { tlsCertificatesList: [listed], webhooks: { urls: [`${hooks.url}/signed`] } }
      await done(people.ask('POST', '/organizationSettings', settings, { cookie }))
      await done(systemClient().ask('POST', '/auth', { businessId: `BIN${bin}` }))
    })

    it('gets raw signatures on its own port, while the app comes to that of people', async () => {
      const begun = await done(systemClient().ask('POST', '/govQr', { description: 'Сверка' }))
      expect(begun.dataURLAuto).to.equal(begun.dataURLmTLS)
      expect(begun.signURLAuto).to.equal(begun.signURLmTLS)
      expect(new URL(text(begun.dataURL)).origin).to.not.equal(new URL(text(begun.dataURLmTLS)).origin)
      const data = {
        signMethod: 'SIGN_BYTES_ARRAY',
        documentsToSign: [{ id: 1, document: { file: { mime: '', data: 'a' } } }],
      }
      const sending = done(systemClient().ask('POST', below(begun.dataURLAuto), data))
      const waiting = done(systemClient().ask('GET', below(begun.signURLAuto)))
      const app = phone(authorities.person({ algorithm: 'gost512' }))
      const announcement = await app.open(text(begun.govMobileLaunchLink))
      const { ru: nameRu, kk: nameKz, en: nameEn } = NAMES
      expect(announcement.organisation).to.deep.equal({ nameRu, nameKz, nameEn, bin })
      const given = await app.documents(announcement)
      expect(JSON.parse(given)).to.deep.equal(data)
      expect((await sending).signURLAuto).to.equal(begun.signURLmTLS)
      expect((await app.answer(announcement, given)).status).to.equal(200)
      expect(Object((await waiting).documentsToSign)[0].document.file.data).to.contain('signature')
    })

    for (const algorithm of ['rsa2048', 'gost512'] as const) {
      it(`is told of a package that was signed (${algorithm}), by webhook, mail and record`, async () => {
        const system = systemClient()
        const documentsSettings = { tempStorageAfterRegistration: 3_600_000 }
        const documents = ORIGINALS.map((_, at) => ({ ...UNTITLED, title: `${at}.txt` }))
        const made = await done(
          system.ask('POST', '/package', { ...UNTITLED, title: 'Deal', documents, documentsSettings }),
        )
        const { packageId, documentsIds } = made as { packageId: string; documentsIds: string[] }
        for (const [at, id] of documentsIds.entries())
          await done(system.ask('POST', `/${id}/data`, Buffer.from(ORIGINALS[at] ?? '')))
        const earlier = hooks.got.length
        const address = `${algorithm}@example.kz`
        const signatureEmailNotifications = { to: [address] }
        const of = `/package/${packageId}`
        const begun = await done(system.ask('POST', `${of}/govQr`, { description: '', signatureEmailNotifications }))
        const app = phone(authorities.person({ algorithm }))
        const announcement = await app.open(text(begun.govBusinessLaunchLink))
        expect(announcement.organisation).to.include({ nameRu: NAMES.ru, bin })
        expect((await app.answer(announcement, await app.documents(announcement))).status).to.equal(200)
        const record = await done(system.ask('GET', `${of}/govOperation/${begun.operationId}`))
        expect(record).to.include({ status: 'done' })
        const signIds = record.signIds as number[]

        // meta, data, done, and a signature of each document.
        await hooks.came(earlier + 5)
        const bodies = hooks
          .at('/signed')
          .slice(earlier)
          .map((body) => JSON.stringify(body))
        const operation = JSON.stringify({
          packageId,
          ...{ govOperationId: begun.operationId, egovOperationId: begun.operationId },
        })
        const signatures = documentsIds.map((documentId, at) =>
          JSON.stringify({ packageId, documentId, signId: signIds[at] }),
        )
        expect(bodies.sort()).to.deep.equal([operation, operation, operation, ...signatures].sort())

        const mails = join(folder, 'mail')
        const written = async () => {
          if (!existsSync(mails)) return []
          const files = readdirSync(mails).filter((name) => name.endsWith('.eml'))
          return Promise.all(files.map((name) => PostalMime.parse(readFileSync(join(mails, name)))))
        }
        const toThem = async () => (await written()).filter(({ to }) => to?.[0]?.address === address)
        await until(async () => (await toThem()).length > 0)
        const [mail, ...more] = await toThem()
        expect(more).to.deep.equal([])
        expect(mail?.text).to.contain(`/p/${packageId}`)
        expect(mail?.attachments.map(({ filename }) => filename)).to.deep.equal(['0.txt', '1.txt'])
      })
    }
  })
})
