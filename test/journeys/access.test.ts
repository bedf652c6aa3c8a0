import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAuthorities, localCertificate, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { type Host, startHost } from '#host/start-host.js'
import { clientCertificate } from '../support/client-certificate.js'
import { forEachDatabase } from '../support/databases.js'
import { signNonce } from '../support/login.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { SystemClient } from '../support/systems.js'

const bin = '200140000019'
const BIN = `BIN${bin}`
const contract = Buffer.from('The seller sells, the buyer buys.')
const ROLE = '1.2.398.3.3.4.1.2.2'

forEachDatabase((open) => {
  describe('a document that an organization has others sign, over TLS', () => {
    const authorities = presentAuthorities()
    const accounting = clientCertificate()
    const head = authorities.employee({ bin, role: 'head', surname: 'АХМЕТОВ' })
    const clerk = authorities.employee({ bin, iin: '900101300040', surname: 'СЕРІКОВ' })
    const signatory = authorities.employee({ bin, role: 'signRight', surname: 'ПЕТРОВ' })
    const buyer = authorities.person({ iin: '900101300010', surname: 'ИВАНОВ' })
    const buyerAtWork = authorities.employee({ iin: '900101300010', surname: 'ИВАНОВ' })
    const auditor = authorities.person({ iin: '900101300020', surname: 'АСАНОВА' })
    const stranger = authorities.person()
    const headOfOthers = authorities.employee({ role: 'head' })

    let folder: string
    let host: Host
    let people: SystemClient
    let system: SystemClient
    const sessions = new Map<Subject, string>()
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-journey-'))
      const { cert, key } = localCertificate(folder)
      const written = (name: string, bytes: string | Buffer) => {
        writeFileSync(join(folder, name), bytes)
        return join(folder, name)
      }
      const config = readConfig({
        DEV_AUTHORITIES: 'yes',
        DATABASE_URL: await open(),
        DATA_DIR: folder,
        PORT: '0',
        MTLS_PORT: '0',
        LOG_LEVEL: 'silent',
        RATE_LIMIT_ANONYMOUS: '0',
        TLS_CERT: written('cert.pem', cert),
        TLS_KEY: written('key.pem', key),
      })
      host = await startHost({ config, plugins: [devAuthorities({ authorities })] })
      const trusting = { ca: cert, rejectUnauthorized: true }
      people = new SystemClient(Number(new URL(host.url).port), undefined, trusting)
      system = new SystemClient(Number(new URL(host.systemsUrl ?? '').port), accounting, trusting)
    })
    after(async () => {
      people.close()
      system.close()
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** A client that logs in at its first request; anonymous without a subject. */
    const as = async (subject: Subject | undefined, method: string, path: string, body?: unknown) => {
      if (subject !== undefined && !sessions.has(subject)) {
        const { nonce } = (await people.ask('POST', '/auth', {})).json
        const answer = await people.ask('POST', '/auth', { nonce, signature: signNonce(subject, String(nonce)) })
        expect(answer.status, JSON.stringify(answer.json)).to.equal(200)
        sessions.set(subject, String(answer.headers['set-cookie']).split(';')[0] ?? '')
      }
      const cookie = subject && sessions.get(subject)
      return people.ask(method, path, body, cookie === undefined ? {} : { cookie })
    }
    const done = async (answer: Promise<{ status: number; json: Record<string, unknown> }>) => {
      const { status, json } = await answer
      expect(status, JSON.stringify(json)).to.equal(200)
      return json
    }
    const sign = (subject: Subject) => ({ signature: subject.signCms(contract).toString('base64') })
    const signedBy = async (subject: Subject) => (await as(undefined, 'POST', `/${id}`, sign(subject))).json
    const found = async (subject: Subject, query: string) => {
      const { documentsTotal, documents } = await done(as(subject, 'GET', `?${query}`))
      return { documentsTotal, ids: (documents as { documentId: string }[]).map(({ documentId }) => documentId) }
    }
    let id: string

    it('begins with a head, who logs in and registers the certificate of a system', async () => {
      expect(await done(as(head, 'GET', '/auth'))).to.include({ businessId: BIN })
      const mine = { tlsCertificatesIndices: [0] }
      await done(
        as(head, 'POST', '/organizationSettings', {
          tlsCertificatesList: [{ description: 'accounting', body: accounting.pem }],
          documentsAccess: mine,
          documentsSettings: mine,
          documentsList: { iins: ['IIN900101300040'] },
        }),
      )
      const refused = await as(clerk, 'POST', '/organizationSettings', {})
      expect(refused.json).to.include({ message: 'Access denied' })
      const pending = await system.ask('GET', '')
      expect(pending.json).to.include({ message: 'TLS certificate is not proved for an organization' })
      expect(await done(system.ask('POST', '/auth', { businessId: BIN }))).to.include({ businessId: BIN })
    })

    it('lets the system preregister a document, for its organization', async () => {
      const settings = {
        signaturesLimit: 2,
        switchToPrivateAfterLimitReached: true,
        unique: ['iin'],
        strictSignersRequirements: true,
        signersRequirements: [{ bin: BIN, authorities: [ROLE] }, { iin: 'IIN900101300010' }],
        documentAccess: [{ iin: 'IIN900101300020' }],
      }
      const title = 'Договор купли-продажи.txt'
      id = String((await done(system.ask('POST', '', { title, settings }))).documentId)
      await done(system.ask('POST', `/${id}/data`, contract))
      expect((await done(as(undefined, 'GET', `/${id}`))).registrator).to.include({ businessId: BIN })
      expect((await as(head, 'POST', '', { title })).json).to.include({ message: 'Access denied' })
    })

    it('is signed by those who meet its requirements, once each, up to its limit', async () => {
      expect(await signedBy(stranger)).to.include({ code: 'signatureDoesNotConform' })
      expect(await signedBy(clerk)).to.include({ code: 'signatureDoesNotConform' })
      expect(await signedBy(signatory)).to.have.property('signId')
      expect(await signedBy(signatory)).to.include({ code: 'signatureDoesNotConform' })
      expect((await as(undefined, 'GET', `/${id}`)).status).to.equal(200)
      expect(await signedBy(buyer)).to.have.property('signId')
      expect(await signedBy(buyerAtWork)).to.include({ code: 'signaturesLimitReached' })
    })

    it('is private from its last signature on', async () => {
      for (const subject of [signatory, buyer, auditor, head]) {
        expect((await done(as(subject, 'GET', `/${id}`))).settings).to.include({ private: true })
      }
      expect(await done(system.ask('GET', `/${id}`))).to.include({ signaturesTotal: 2 })
      for (const subject of [stranger, clerk, buyerAtWork, headOfOthers]) {
        expect((await as(subject, 'GET', `/${id}`)).json).to.include({ message: 'Access denied' })
      }
      expect((await as(undefined, 'GET', `/${id}`)).json).to.include({ message: 'Authentication required' })
    })

    it('is in the lists of those who may see it, and is found there only', async () => {
      const here = { documentsTotal: 1, ids: [id] }
      const nowhere = { documentsTotal: 0, ids: [] }
      for (const query of ['', 'searchQuery=ДОГОВОР купл', 'searchQuery=иванов', 'searchQuery=IIN900101300010']) {
        const own = encodeURI(query)
        for (const subject of [signatory, buyer]) expect(await found(subject, own), query).to.deep.equal(here)
        for (const subject of [stranger, auditor, head, clerk, buyerAtWork, headOfOthers]) {
          expect(await found(subject, own), query).to.deep.equal(nowhere)
        }
        const ofOrganization = `organization=true&${own}`
        for (const subject of [head, clerk]) expect(await found(subject, ofOrganization)).to.deep.equal(here)
        expect(await found(headOfOthers, ofOrganization)).to.deep.equal(nowhere)
        for (const subject of [signatory, buyerAtWork]) {
          expect((await as(subject, 'GET', `?${ofOrganization}`)).json).to.include({ code: 'accessDenied' })
        }
        expect((await as(buyer, 'GET', `?${ofOrganization}`)).json).to.include({ code: 'notOrganization' })
        expect((await as(undefined, 'GET', `?${own}`)).json).to.include({ code: 'authenticationRequired' })
      }
      for (const query of [
        'searchQuery=%25',
        'searchQuery=_',
        'searchQuery=*',
        `searchQuery=${encodeURIComponent("' OR 1=1 --")}`,
      ]) {
        expect(await found(stranger, query)).to.deep.equal(nowhere)
      }
    })

    it('has its settings changed by those who may, and every change is in the audit', async () => {
      const { settings } = await done(system.ask('GET', `/${id}`))
      const changed = { ...(settings as object), private: false, signaturesLimit: 3 }
      for (const subject of [stranger, auditor, clerk, headOfOthers, buyerAtWork]) {
        expect((await as(subject, 'POST', `/${id}/settings`, changed)).json).to.include({ code: 'accessDenied' })
        expect((await as(subject, 'GET', `/${id}/settingsAudit`)).json).to.include({ code: 'accessDenied' })
      }
      await done(system.ask('POST', `/${id}/settings`, changed))
      expect((await as(undefined, 'GET', `/${id}`)).status).to.equal(200)
      await done(as(buyer, 'POST', `/${id}/settings`, { private: true }))

      const audit = await done(as(head, 'GET', `/${id}/settingsAudit`))
      expect(audit).to.include({ documentId: id, eventsTotal: 3 })
      const [limit, bySystem, byBuyer] = audit.events as Record<string, Record<string, unknown>>[]
      expect(limit).to.include({ modifiedBy: 'IIN900101300010' })
      expect([limit?.original?.private, limit?.modified?.private]).to.deep.equal([undefined, true])
      expect(bySystem).to.include({ modifiedByBusinessId: BIN, modifiedByDigest: accounting.digest })
      expect(bySystem).to.not.have.property('modifiedBy')
      expect(bySystem?.modified).to.include({ private: false, signaturesLimit: 3 })
      expect(byBuyer).to.include({ modifiedBy: 'IIN900101300010' }).and.not.have.property('modifiedByDigest')
      expect([byBuyer?.original, byBuyer?.modified]).to.deep.equal([bySystem?.modified, { private: true }])
    })

    it('is closed to a system from the moment that its certificate is disabled', async () => {
      await done(system.ask('GET', `/${id}`))
      const tlsCertificatesList = [{ description: 'accounting', body: accounting.pem, disabled: true }]
      await done(as(head, 'POST', '/organizationSettings', { tlsCertificatesList }))
      expect((await system.ask('GET', `/${id}`)).json).to.include({ code: 'tlsCertificateDisabled' })

      const { events } = await done(as(head, 'GET', '/organizationSettingsAudit'))
      const disabled = (events as Record<'modified', { tlsCertificatesList: { disabled: boolean }[] }>[]).map(
        ({ modified }) => modified.tlsCertificatesList[0]?.disabled,
      )
      expect(disabled).to.deep.equal([false, true])
    })
  })
})
