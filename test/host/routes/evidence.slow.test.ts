import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { GetStatementKey } from '@signed-registry/core/reports'
import { devAuthorities, type Subject } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

interface Json {
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly documentId: string
  readonly documentsIds: readonly string[]
  readonly signId: number
  readonly outcome: string
  readonly evidence: string
  readonly fileName: string
  readonly statement: { readonly signedBy: string }
  readonly signature: string
  readonly documents: readonly {
    readonly documentId: string
    readonly signIds: readonly number[]
    readonly document: string
    readonly original: string
    readonly registered: readonly { readonly documentId: string }[]
  }[]
  readonly signatures: readonly { readonly registered?: { readonly documentId: string }; readonly signId: number }[]
  readonly problems: readonly { readonly code: string; readonly file?: string }[]
}

forEachDatabase((open) => {
  describe('evidence bundles over HTTP', () => {
    let host: TestHost
    let other: TestHost
    let api: string
    const authorities = presentAuthorities()
    const trust = trustOf(authorities)
    let originals = 0
    /** Another one each time, since a signature is registered once. */
    const original = () => Buffer.from(`Contract № ${++originals} of two parties.\n`)
    const archive = mkdtempSync(join(tmpdir(), 'evidence-archive-'))
    const start = (folder: string) =>
      startTestHost(open, {
        authorities,
        plugins: [devAuthorities({ authorities }), evidenceAsic({}), archiveFs({ folder: join(archive, folder) })],
      })
    const upload = (url: string, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Answer<Json>> =>
      request<Json>(url, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', ...headers },
        body: Buffer.from(bytes),
      })
    const signed = (by: Subject, bytes: Buffer) => by.signCms(bytes).toString('base64')
    const person = authorities.person()
    /** Registers a document of these signers, with its hashes. */
    async function registered(signers: readonly Subject[], settings: object, bytes: Buffer): Promise<string> {
      const [first = person, ...others] = signers
      const { json } = await postJson<Json>(api, { title: 'Contract.txt', settings, signature: signed(first, bytes) })
      const gost = '1.2.398.3.10.1.3.3'
      const fixed = await upload(`${api}/${json.documentId}/data?digest=${gost}`, bytes)
      expect(fixed.status, fixed.text).to.equal(200)
      for (const one of others) {
        if (one.certificate.length > 0) await upload(`${api}/${json.documentId}/verify?digest=${gost}`, bytes)
        const added = await postJson<Json>(`${api}/${json.documentId}`, { signature: signed(one, bytes) })
        expect(added.status, added.text).to.equal(200)
      }
      return json.documentId
    }
    async function bytesOf(url: string, init: RequestInit = {}): Promise<Buffer> {
      const answer = await fetch(url, { ...init, headers: { accept: 'application/zip', ...init.headers } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.status, bytes.toString('utf8', 0, 300)).to.equal(200)
      expect(answer.headers.get('content-length')).to.equal(String(bytes.length))
      return bytes
    }
    const code = async (url: string, headers: Record<string, string> = {}) => {
      const { status, json } = await request<Json>(url, { headers })
      return [status, json.code]
    }
    before(async () => {
      host = await start('one')
      other = await start('other')
      api = `${host.url}/api`
    })
    after(async () => {
      await host.close()
      await other.close()
      rmSync(archive, { recursive: true, force: true })
    })

    it('prove a document of an RSA and a GOST signature, with its stored original, offline', async () => {
      const bytes = original()
      const id = await registered([person, authorities.person({ algorithm: 'gost512' })], { forceArchive: true }, bytes)
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const bundle = await bytesOf(`${api}/${id}/evidence`, { headers })
      expect(
        (await bytesOf(`${api}/${id}/evidence`, { headers })).equals(bundle),
        'the same state, other bytes',
      ).to.equal(true)
      const key = host.registry.get(GetStatementKey).execute().verifierKey
      const verdict = verifyEvidence(bundle, { trust, key })
      expect(verdict.evidence.problems).to.deep.equal([])
      expect(verdict.signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED', 'TOTAL-PASSED'])
      expect(verdict).to.include({ outcome: 'proved' })
      expect(verdict.evidence).to.include({ signedBy: 'trusted' })
      expect(verdict.evidence.documents[0]).to.include({ documentId: id, original: 'inside' })
      const { json } = await request<Json>(`${api}/${id}/evidence`, { headers })
      expect(json.fileName).to.equal(`${id}.zip`)
      expect(Buffer.from(json.evidence, 'base64').equals(bundle)).to.equal(true)
    })

    it('are a file for browsers that follow a link, and JSON for programs that say nothing', async () => {
      const id = await registered([person], {}, original())
      const bundle = await bytesOf(`${api}/${id}/evidence`)
      const asked = async (accept: string) => {
        const answer = await fetch(`${api}/${id}/evidence`, { headers: { accept } })
        return { type: answer.headers.get('content-type'), answer }
      }
      for (const browser of [
        'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      ]) {
        const { type, answer } = await asked(browser)
        expect(type, browser).to.equal('application/zip')
        expect(answer.headers.get('content-disposition')).to.include(`attachment; filename="${id}.zip"`)
        expect(Buffer.from(await answer.arrayBuffer()).equals(bundle)).to.equal(true)
      }
      for (const program of ['*/*', 'application/json', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2']) {
        const { type, answer } = await asked(program)
        expect(type, program).to.include('application/json')
        await answer.body?.cancel()
      }
    })

    it('leave the original out for whoever may not read it, and where it is not wanted', async () => {
      const bytes = original()
      const id = await registered([person], { forceArchive: true }, bytes)
      const without = await bytesOf(`${api}/${id}/evidence`)
      expect(verifyEvidence(without, { trust }).evidence.documents[0]).to.include({ original: 'notShown' })
      expect(without.includes(bytes)).to.equal(false)
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const unwanted = await bytesOf(`${api}/${id}/evidence?withoutOriginal=true`, { headers })
      expect(unwanted.equals(without)).to.equal(true)
      expect(verifyEvidence(without, { trust }).outcome).to.equal('unknown')
      const document = new Map([['2.16.840.1.101.3.4.2.1', createHash('sha256').update(bytes).digest()]])
      const documents = [{ name: 'Contract.txt', document, size: bytes.length }]
      expect(verifyEvidence(without, { trust, documents }).outcome).to.equal('proved')
    })

    it('take an original that is not stored from the request, after it was judged', async () => {
      const bytes = original()
      const id = await registered([person], {}, bytes)
      const bundle = await bytesOf(`${api}/${id}/evidence`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: bytes,
      })
      expect(verifyEvidence(bundle, { trust }).outcome).to.equal('proved')
      const { status, json } = await upload(`${api}/${id}/evidence`, Buffer.from('another text'))
      expect([status, json.code]).to.deep.equal([422, 'signatureDoesNotCorrespond'])
    })

    it('are not sent again to who has them, but to who sends the original for one', async () => {
      const bytes = original()
      const id = await registered([person], {}, bytes)
      const url = `${api}/${id}/evidence`
      const headers = { accept: 'application/zip' }
      const tagOf = async (init: RequestInit) => {
        const answer = await fetch(url, { ...init, headers: { ...headers, ...init.headers } })
        await answer.arrayBuffer()
        return [answer.status, answer.headers.get('etag')] as const
      }
      const [status, etag] = await tagOf({})
      expect(status).to.equal(200)
      expect(await tagOf({ method: 'HEAD' })).to.deep.equal([200, etag])
      expect(await tagOf({ headers: { 'if-none-match': etag ?? '' } })).to.deep.equal([304, etag])
      const [posted] = await tagOf({
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'if-none-match': '*' },
        body: bytes,
      })
      expect(posted).to.equal(200)
    })

    it('are refused to whoever may not view the document', async () => {
      const bytes = original()
      const id = await registered([person], { private: true }, bytes)
      expect(await code(`${api}/${id}/evidence`)).to.deep.equal([401, 'authenticationRequired'])
      const cookie = await logInOverHttp(host.url, authorities.person())
      expect(await code(`${api}/${id}/evidence`, { cookie })).to.deep.equal([403, 'accessDenied'])
      expect(await code(`${api}/${id}/evidence`, { cookie: await logInOverHttp(host.url, person) })).to.deep.equal([
        200,
        undefined,
      ])
    })

    it('are refused before the hashes are known', async () => {
      const { json } = await postJson<Json>(api, { signature: signed(person, original()) })
      expect(await code(`${api}/${json.documentId}/evidence`)).to.deep.equal([409, 'documentDigestsNotKnown'])
    })

    it('are checked and registered by another registry, which says the same', async () => {
      const bytes = original()
      const signers = [person, authorities.person({ algorithm: 'gost512' }), authorities.person({ algorithm: 'p256' })]
      const id = await registered(signers, { private: true, forceArchive: true }, bytes)
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const bundle = await bytesOf(`${api}/${id}/evidence`, { headers })
      const there = `${other.url}/api`

      const checked = await upload(`${there}/checkEvidence`, bundle)
      expect(checked.status, checked.text).to.equal(200)
      expect(checked.json).to.include({ outcome: 'proved' })
      expect(checked.json.statement).to.include({ signedBy: 'notTrusted' })
      expect(checked.json.documents[0]?.registered).to.deep.equal([])
      const refused = await upload(`${there}/parseEvidence`, bundle)
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'evidenceSignaturesNotRegistered'])

      const taken = await upload(`${there}/parseEvidence?registerUnknownSignatures=true`, bundle)
      expect(taken.status, taken.text).to.equal(200)
      const [document] = taken.json.documents
      expect(document?.signIds).to.have.length(3)
      expect(Buffer.from(document?.document ?? '', 'base64').equals(bytes)).to.equal(true)
      const again = await upload(`${there}/parseEvidence?registerUnknownSignatures=true`, bundle)
      expect(again.json).to.deep.equal(taken.json)
      expect(await code(`${there}/${document?.documentId}`)).to.deep.equal([401, 'authenticationRequired'])
      const back = await upload(`${there}/checkEvidence`, bundle)
      expect(back.json.signatures.map(({ registered }) => registered?.documentId)).to.deep.equal(
        signers.map(() => document?.documentId),
      )
      expect(back.json).to.include({ outcome: 'proved' })
      const cookie = await logInOverHttp(other.url, person)
      const verified = await upload(`${there}/${document?.documentId}/verify`, bytes, { cookie })
      expect(verified.status, verified.text).to.equal(200)
    })

    it('prove XML signatures, with the original beside them, and are registered by another registry', async () => {
      const { signature, data } = authorities.person().signXml(`<act><number>${++originals}</number></act>`)
      const { json } = await postJson<Json>(api, { title: 'act.xml', signType: 'xml', signature })
      const id = json.documentId
      const fixed = await upload(`${api}/${id}/data`, data)
      expect(fixed.status, fixed.text).to.equal(200)
      const added = await postJson<Json>(`${api}/${id}`, { signature: signed(person, Buffer.from(data)) })
      expect(added.status, added.text).to.equal(200)
      const bundle = await bytesOf(`${api}/${id}/evidence`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(data),
      })
      const verdict = verifyEvidence(bundle, { trust })
      expect(verdict.evidence.problems).to.deep.equal([])
      expect(verdict.signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED', 'TOTAL-PASSED'])
      const there = `${other.url}/api`
      const checked = await upload(`${there}/checkEvidence`, bundle)
      expect(checked.json.outcome, checked.text).to.equal('proved')
      const taken = await upload(`${there}/parseEvidence?registerUnknownSignatures=true`, bundle)
      expect(taken.status, taken.text).to.equal(200)
      expect(taken.json.documents[0]?.signIds).to.have.length(2)
    })

    it('add signatures that are unknown to a document that is registered', async () => {
      const bytes = original()
      const id = await registered([person], { forceArchive: true }, bytes)
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const there = `${other.url}/api`
      const first = await upload(
        `${there}/parseEvidence?registerUnknownSignatures=true`,
        await bytesOf(`${api}/${id}/evidence`, { headers }),
      )
      await postJson(`${api}/${id}`, { signature: signed(authorities.employee(), bytes) })
      const more = await bytesOf(`${api}/${id}/evidence`, { headers })
      const refused = await upload(`${there}/parseEvidence`, more)
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'evidenceSignaturesNotRegistered'])
      const second = await upload(`${there}/parseEvidence?registerUnknownSignatures=true`, more)
      expect(second.json.documents[0]?.documentId).to.equal(first.json.documents[0]?.documentId)
      expect(second.json.documents[0]?.signIds.slice(0, 1)).to.deep.equal(first.json.documents[0]?.signIds)
      expect(second.json.documents[0]?.signIds).to.have.length(2)
    })

    it('are registered once when they are sent several times at once, and everybody is told the same', async () => {
      const signers = [person, authorities.person()]
      const id = await registered(signers, { forceArchive: true }, original())
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const bundle = await bytesOf(`${api}/${id}/evidence`, { headers })
      const callers = [person, authorities.person(), authorities.person(), authorities.person()]
      const cookies = await Promise.all(callers.map((one) => logInOverHttp(other.url, one)))
      const answers = await Promise.all(
        cookies.map((cookie) =>
          upload(`${other.url}/api/parseEvidence?registerUnknownSignatures=true`, bundle, { cookie }),
        ),
      )
      for (const { status, json, text } of answers) {
        expect(status, text).to.equal(200)
        expect(json).to.deep.equal(answers[0]?.json)
      }
    })

    it('are refused with an error where the store has lost the original, and are there without it', async () => {
      const lost = join(archive, 'lost')
      const alone = await startTestHost(open, {
        authorities,
        plugins: [devAuthorities({ authorities }), evidenceAsic({}), archiveFs({ folder: lost })],
      })
      try {
        const bytes = original()
        const settings = { forceArchive: true }
        const { json } = await postJson<Json>(`${alone.url}/api`, { settings, signature: signed(person, bytes) })
        const url = `${alone.url}/api/${json.documentId}/evidence`
        await upload(`${alone.url}/api/${json.documentId}/data`, bytes)
        // Reports on so many are more than one chunk, which goes out before the original is read.
        for (let count = 1; count < 16; count += 1)
          await postJson(`${alone.url}/api/${json.documentId}`, { signature: signed(authorities.person(), bytes) })
        const headers = { cookie: await logInOverHttp(alone.url, person) }
        expect(await bytesOf(url, { headers })).to.have.length.greaterThan(512 * 1024)
        rmSync(lost, { recursive: true })
        for (const accept of ['application/zip', 'application/json'])
          expect(await code(url, { ...headers, accept })).to.deep.equal([503, 'archiveNotRead'])
        await bytesOf(`${url}?withoutOriginal=true`, { headers })
      } finally {
        await alone.close()
      }
    })

    it('count as memory of their caller until they are sent, with an original that was sent for them', async () => {
      const plugins = [devAuthorities({ authorities }), evidenceAsic({})]
      const small = await startTestHost(open, {
        authorities,
        plugins,
        registry: { shares: { memory: { stranger: 8 * 2 ** 20 } } },
      })
      try {
        const bytes = Buffer.alloc(24 * 2 ** 20, `${++originals}`)
        const { json } = await postJson<Json>(`${small.url}/api`, { signature: signed(person, bytes) })
        await upload(`${small.url}/api/${json.documentId}/data`, bytes)
        const url = `${small.url}/api/${json.documentId}/evidence`
        const unread = await fetch(url, {
          method: 'POST',
          headers: { accept: 'application/zip', 'content-type': 'application/octet-stream' },
          body: bytes,
        })
        expect(unread.status).to.equal(200)
        const [, whileUnread] = await code(url)
        await unread.body?.cancel()
        expect(whileUnread).to.equal('shareTaken')
        let again = await code(url)
        while (again[1] === 'shareTaken') again = await code(url)
        expect(again).to.deep.equal([200, undefined])
      } finally {
        await small.close()
      }
    })

    it('are of a whole package, for whoever may view each of its documents', async () => {
      const originals = [original(), original()]
      const cookie = await logInOverHttp(host.url, person)
      const post = (path: string, body: object) =>
        request<Json & { packageId: string }>(`${api}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        })
      const { json } = await post('/package', {
        title: 'All papers',
        description: 'of May',
        documents: originals.map((_, index) => ({ title: `${index}.txt`, description: '' })),
        documentsSettings: { forceArchive: true },
      })
      expect(json.packageId, JSON.stringify(json)).to.be.a('string')
      const { packageId, documentsIds } = json
      for (const [index, id] of documentsIds.entries())
        await upload(`${api}/${id}/data`, originals[index] ?? Buffer.alloc(0), { cookie })
      expect(await code(`${api}/package/${packageId}/evidence`, { cookie })).to.deep.equal([409, 'evidenceNotSigned'])
      const done = await post(`/package/${packageId}`, {
        signatures: originals.map((bytes) => ({ signature: signed(person, bytes) })),
      })
      expect(done.status, done.text).to.equal(200)
      const bundle = await bytesOf(`${api}/package/${packageId}/evidence`, { headers: { cookie } })
      const verdict = verifyEvidence(bundle, { trust })
      expect(verdict.evidence.documents.map(({ documentId }) => documentId)).to.deep.equal(documentsIds)
      expect(verdict.evidence.said?.package).to.include({ packageId, title: 'All papers' })
      expect(verdict.evidence.problems).to.deep.equal([])
      await post(`/${documentsIds[1]}/settings`, { private: true })
      expect(await code(`${api}/package/${packageId}/evidence`)).to.deep.equal([401, 'authenticationRequired'])
    })

    it('are not taken in when anything in them was changed', async () => {
      const bytes = original()
      const id = await registered([person], { forceArchive: true }, bytes)
      const headers = { cookie: await logInOverHttp(host.url, person) }
      const bundle = await bytesOf(`${api}/${id}/evidence`, { headers })
      const at = bundle.indexOf(bytes)
      const changed = Buffer.from(bundle)
      changed[at] = (changed[at] ?? 0) ^ 1
      const refused = await upload(`${other.url}/api/parseEvidence?registerUnknownSignatures=true`, changed)
      expect([refused.status, refused.json.code]).to.deep.equal([422, 'evidenceNotProved'])
      const { json } = await upload(`${other.url}/api/checkEvidence`, changed)
      expect(json).to.include({ outcome: 'wrong' })
      expect(json.problems.map(({ code: one }) => one)).to.include.members(['fileChanged', 'originalDiffers'])
      const cut = await upload(`${other.url}/api/checkEvidence`, bundle.subarray(0, -1))
      expect([cut.status, cut.json.code, cut.json.details?.reason]).to.deep.equal([
        422,
        'evidenceNotRead',
        'formChanged',
      ])
    })
  })
})
