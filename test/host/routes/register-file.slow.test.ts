import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { anonymous, Database } from '@signed-registry/core'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { type CheckedFile, CheckFile, type RegisteredFile, RegisterFile } from '@signed-registry/core/signed-files'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { signedFiles } from '@signed-registry/signed-files'
import { expect } from 'chai'
import { Subscriptions } from '#core/organizations/index.js'
import { ReadOriginals } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import {
  ASIC_E,
  asicE,
  asicS,
  cadesParts,
  dataPart,
  estonian,
  manifest,
  mediaType,
} from '../../support/asic/containers.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { contract, pageContent } from '../../support/pdf/contract.js'
import { withFields } from '../../support/pdf/sign-pdf.js'
import { signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'

interface Answer extends RegisteredFile {
  readonly code?: string
  readonly details?: {
    readonly reason?: string
    readonly documentId?: string
    readonly problems?: readonly { readonly code: string }[]
  }
}
type Refusal = { readonly code: string }
interface Document {
  readonly title: string
  readonly signedDataSize: number
  readonly signaturesTotal: number
  readonly signatures: readonly {
    readonly signId: number
    readonly userId: string
    readonly coverage?: { readonly of: string; readonly ranges?: number[][]; readonly uris?: string[] }
  }[]
}

forEachDatabase((open) => {
  describe('POST /api/registerFile', () => {
    let host: TestHost
    const authorities = presentAuthorities()
    const folder = mkdtempSync(join(tmpdir(), 'register-file-'))
    const [seller, buyer] = [authorities.person(), authorities.employee()]
    before(async () => {
      host = await startTestHost(open, {
        authorities,
        plugins: [devAuthorities({ authorities }), archiveFs({ folder }), signedFiles({})],
      })
    })
    after(async () => {
      await host.close()
      rmSync(folder, { recursive: true })
    })

    const register = async (file: Buffer, query = '') => {
      const answer = await postBytes<Answer>(`${host.url}/api/registerFile${query}`, new Uint8Array(file))
      return { ...answer.json, status: answer.status, text: answer.text }
    }
    const documentOf = async (id: string) => (await request<Document>(`${host.url}/api/${id}`)).json
    const verify = (id: string, content: Buffer) =>
      postBytes<{ result?: boolean; code?: string; signaturesTotal?: number }>(
        `${host.url}/api/${id}/verify`,
        new Uint8Array(content),
      )
    const three = ['contract.txt', 'annex.txt', 'plan.txt'].map((name) => ({
      name,
      content: Buffer.from(`It is ${name} of ${Math.random()}`),
    }))
    const totalOf = async (): Promise<number> =>
      Number((await host.registry.get(Database).rows('select count(*) as n from registry_documents', []))[0]?.n)
    const found = (file: Buffer) => register(file).then(({ code, details }) => [code, details?.reason])

    it('makes a PDF with two signers a document with both signatures, each with its ranges', async () => {
      const pdf = signedTwice(signedBy(seller), signedBy(buyer))
      const made = await register(pdf, '?title=Contract')
      expect(made.status, made.text).to.equal(200)
      const [{ documentId, signIds, signedDataSize, name } = { documentId: '', signIds: [] }] = made.documents
      expect([made.format, made.packageId, made.documents.length, name, signIds.length]).to.deep.equal([
        ...['pdf', undefined, 1, '', 2],
      ])
      expect(signedDataSize).to.equal(pdf.length)
      const document = await documentOf(documentId)
      expect(document).to.include({ title: 'Contract', signedDataSize: pdf.length, signaturesTotal: 2 })
      const [first, second] = document.signatures
      expect(first?.coverage?.of).to.equal('ranges')
      expect(first?.coverage?.ranges?.[1]?.[1]).to.be.below(pdf.length)
      expect(second?.coverage?.ranges?.[1]?.[1]).to.equal(pdf.length)
      const verified = await verify(documentId, pdf)
      expect(verified.status, verified.text).to.equal(200)
      expect(await verify(documentId, pdf.subarray(0, -1))).to.include({ status: 422 })
    })

    it('registers a PDF to the end of its last signed revision, and takes the status out of what was added for it', async () => {
      const signed = signedOnce((octets) => seller.signCms(octets, { timeStamp: true }))
      const answer = authorities.ocsp.status(seller.certificate, seller.issuer)
      const objects = {
        1: (withFields(11)[1] ?? '').replace(/>>$/, '/DSS 30 0 R>>'),
        30: '<</OCSPs[31 0 R]>>',
        31: Buffer.concat([Buffer.from(`<</Length ${answer.length}>>stream\n`), answer, Buffer.from('\nendstream')]),
      }
      const stored = updated(signed, { objects })
      const made = await register(stored)
      expect(made.status, made.text).to.equal(200)
      expect(made.documents[0]?.signedDataSize).to.equal(signed.length)
      const { status } = await verify(made.documents[0]?.documentId ?? '', signed)
      expect(status).to.equal(200)
    })

    it('asks authorities for what a signature as of NCALayer does not have', async () => {
      const pdf = signedOnce((octets) => seller.signCms(octets), { subFilter: 'adbe.pkcs7.detached' })
      const made = await register(pdf)
      expect(made.status, made.text).to.equal(200)
      expect((await verify(made.documents[0]?.documentId ?? '', pdf)).status).to.equal(200)
    })

    it('makes a container with one file a document: of Estonia, and with CAdES', async () => {
      const [file] = three
      if (file === undefined) throw new Error('There are files')
      for (const [container, coverage] of [
        [estonian(authorities, [seller, buyer], [file]), 'references'],
        [asicE([seller, buyer], [file]), 'references'],
        [asicS(seller, { ...file, content: Buffer.from('alone') }), undefined],
      ] as const) {
        const made = await register(container)
        expect(made.status, made.text).to.equal(200)
        expect([made.packageId, made.documents.length]).to.deep.equal([undefined, 1])
        const document = await documentOf(made.documents[0]?.documentId ?? '')
        expect(document.title).to.equal('contract.txt')
        for (const one of document.signatures) expect(one.coverage?.of).to.equal(coverage)
      }
    })

    it('makes a container with three files a package, with each signature under every document', async () => {
      for (const container of [asicE([seller, buyer], three), estonian(authorities, [seller, buyer], three)]) {
        const made = await register(container, '?title=Deal&private=true')
        expect(made.status, made.text).to.equal(200)
        expect(made.documents.map(({ name, signIds }) => [name, signIds.length])).to.deep.equal(
          three.map(({ name }) => [name, 2]),
        )
        expect(new Set(made.documents.flatMap(({ signIds }) => signIds)).size).to.equal(6)
        const { json } = await request<Refusal>(`${host.url}/api/${made.documents[0]?.documentId}`)
        expect(json.code).to.equal('authenticationRequired')
      }
      const made = await register(
        asicE(
          [seller],
          three.map((one) => ({ ...one, content: Buffer.from(one.name) })),
        ),
        '?title=Deal',
      )
      const { json } = await request<{ documentsIds: string[] }>(`${host.url}/api/package/${made.packageId}`)
      expect(json.documentsIds).to.deep.equal(made.documents.map(({ documentId }) => documentId))
      for (const [index, { documentId }] of made.documents.entries()) {
        const { signatures, title } = await documentOf(documentId)
        expect(title).to.equal(three[index]?.name)
        expect(signatures.map(({ coverage }) => coverage?.uris)).to.deep.equal([[title]])
        expect((await verify(documentId, Buffer.from(three[index]?.name ?? ''))).status).to.equal(200)
        expect((await verify(documentId, Buffer.from('other'))).status).to.equal(422)
      }
    })

    it('exports such a signature with the list that it is over, and finds it again', async () => {
      const made = await register(asicE([buyer], [{ name: 'a.txt', content: Buffer.from('exported') }]))
      const [{ documentId = '', signIds: [signId] = [] } = {}] = made.documents
      for (const signFormat of [0, 1, 2]) {
        const exported = await request<{ signature: string }>(
          `${host.url}/api/${documentId}/signature/${signId}?signFormat=${signFormat}`,
        )
        const { signature } = exported.json
        expect(Buffer.from(signature, 'base64').includes('ASiCManifest')).to.equal(true)
        const again = await postJson(`${host.url}/api/exported`, { signature })
        expect(again.json, again.text).to.deep.equal({ documentId, signId })
      }
    })

    it('makes the content of a CMS a document', async () => {
      const content = Buffer.from('carried in a CMS')
      const made = await register(seller.signCms(content, { detached: false }))
      expect(made.status, made.text).to.equal(200)
      const [{ documentId = '', signedDataSize } = {}] = made.documents
      expect([made.format, signedDataSize]).to.deep.equal(['cms', content.length])
      expect((await documentOf(documentId)).signatures[0]?.coverage).to.equal(undefined)
      expect((await verify(documentId, content)).status).to.equal(200)
    })

    it('registers nothing twice, and says where it is', async () => {
      const file = asicE([seller], [{ name: 'twice.txt', content: Buffer.from('twice') }])
      const made = await register(file)
      const again = await register(file)
      expect([again.status, again.code, again.details?.documentId]).to.deep.equal([
        ...[409, 'signatureAlreadySubmitted', made.documents[0]?.documentId],
      ])
    })

    it('registers one of two that come at the same moment, and nothing of the other', async () => {
      const before = await totalOf()
      const container = asicE(
        [seller, buyer],
        three.map(({ name }) => ({ name, content: Buffer.from(`raced ${name}`) })),
      )
      const answers = await Promise.all([register(container), register(container)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
      expect((await totalOf()) - before).to.equal(3)
    })

    it('archives what a signer has archived, of every document', async () => {
      const iin = '900101300017'
      const owner = authorities.person({ iin })
      await host.registry.get(ArchiveAccounts).setQuota(`IIN${iin}`, { bytes: 2 ** 30, expires: undefined }, 'test')
      const request = { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' }
      await host.registry.get(SaveUserSettings).execute(personCaller(`IIN${iin}`), { request })
      const files = three.map(({ name }) => ({ name, content: Buffer.from(`kept ${name}`) }))
      const made = await register(asicE([owner], files))
      expect(made.documents.map(({ dataArchived }) => dataArchived)).to.deep.equal([true, true, true])
      const pdf = signedOnce(signedBy(owner))
      const [document] = (await register(pdf)).documents
      expect(document?.dataArchived).to.equal(true)
      const kept = await host.registry.get(ReadOriginals).open(document?.documentId ?? '')
      expect(kept.size).to.equal(document?.signedDataSize)
      const used = async () =>
        (await host.registry.get(Database).rows('select count(*) as n from registry_originals', []))[0]?.n
      const before = await used()
      // The second of its documents is refused, and the copy of the first one is gone.
      const twice = [
        { name: 'new.txt', content: Buffer.from('new') },
        { name: 'x'.repeat(300), content: Buffer.from('y') },
      ]
      expect((await register(asicE([owner], twice))).code).to.equal('requestFieldTooLarge')
      expect(await used()).to.equal(before)
    })

    it('refuses what is not as it was signed, as a whole', async () => {
      const refused = async (file: Buffer) => {
        const { status, code, details } = await register(file)
        return [status, code, details?.problems?.map((one) => one.code)]
      }
      const sign = signedBy(seller)
      expect(await refused(updated(signedOnce(sign), { objects: { 4: pageContent('900') } }))).to.deep.equal([
        ...[422, 'fileNotProved', ['addedAfterSigning']],
      ])
      const files = [{ name: 'stray.txt', content: Buffer.from('nobody signed it') }, ...three.slice(0, 1)]
      const stray = zipOf([mediaType(ASIC_E), ...files.map(dataPart), ...cadesParts([seller], files.slice(1))])
      expect(await refused(stray)).to.deep.equal([422, 'fileNotProved', ['notCovered']])
    })

    it('uses the evidence of the registry for a container whose signatures carry none, once it is registered', async () => {
      const [file] = three
      if (file === undefined) throw new Error('There are files')
      const list = manifest('META-INF/signature.p7s', [file])
      const bare = zipOf([
        ...[mediaType(ASIC_E), dataPart(file), { name: 'META-INF/ASiCManifest.xml', content: list }],
        { name: 'META-INF/signature.p7s', content: seller.signCms(list) },
      ])
      const check = async () => (await postBytes<CheckedFile>(`${host.url}/api/checkFile`, new Uint8Array(bare))).json
      expect((await check()).outcome).to.equal('unknown')
      const made = await register(bare)
      expect(made.status, made.text).to.equal(200)
      const after = await check()
      expect(after.outcome).to.equal('proved')
      expect(after.signatures[0]?.registered).to.include({ documentId: made.documents[0]?.documentId })
    })

    it('refuses an upload that breaks off, and keeps nothing of it', async () => {
      const upload = { size: 100, stream: [Buffer.from('%PDF-1.7')] }
      const { get } = host.registry
      for (const attempt of [
        get(RegisterFile).execute(anonymous, { upload }),
        get(CheckFile).execute(anonymous, { upload }),
      ])
        expect((await rejectionOf(attempt)).code).to.equal('processedSizeDiffers')
    })

    it('refuses a signature that is not good, whatever else is', async () => {
      const revoked = authorities.person()
      authorities.revoke(revoked)
      const file = asicE([seller, revoked], [{ name: 'b.txt', content: Buffer.from('revoked') }])
      const { status, code } = await register(file)
      expect([status, code]).to.deep.equal([422, 'invalidCertificateStatus'])
    })

    it('refuses as POST /api does: a signer who is no person, a changed signature, a title that is no file name, a feature', async () => {
      const content = Buffer.from('refused')
      const refusedOf = async (file: Buffer, query = '') => (await register(file, query)).code
      expect(await refusedOf(authorities.system().signCms(content, { detached: false }))).to.equal(
        'badSignerCertificate',
      )
      const changed = seller.signCms(content, { detached: false })
      changed[changed.indexOf(content)] = 0x52
      expect(await refusedOf(changed)).to.equal('invalidSignature')
      expect(await refusedOf(seller.signCms(content, { detached: false }), '?title=a/b')).to.equal(
        'invalidDocumentTitle',
      )
      expect(await refusedOf(Buffer.from('plain text'))).to.equal('fileNotRead')
      const employee = authorities.employee({ bin: '110440001234' })
      await host.registry.get(Subscriptions).change('BIN110440001234', { disable: ['documentsRegistration'] }, 'test')
      expect(await refusedOf(employee.signCms(content, { detached: false }))).to.equal('featureNotAvailable')
    })

    it('names kinds of files that have ways of their own', async () => {
      const xml = seller.signXml('<contract/>').document
      expect(await found(Buffer.from(xml))).to.deep.equal(['fileNotRegistered', 'xml'])
      expect(await found(seller.signCms(Buffer.from('a')))).to.deep.equal(['fileNotRegistered', 'noContent'])
      expect(await found(contract())).to.deep.equal(['fileNotRegistered', 'notSigned'])
      const bundle = zipOf([mediaType(ASIC_E), { name: 'evidence.json', content: Buffer.from('{}') }])
      expect(await found(bundle)).to.deep.equal(['fileNotRegistered', 'evidence'])
      const many = Array.from({ length: 11 }, (_, at) => ({ name: `${at}.txt`, content: Buffer.from(`${at}`) }))
      expect(await found(asicE([seller], many))).to.deep.equal(['fileNotRegistered', 'tooManyDocuments'])
      expect((await register(contract(), `?title=${'x'.repeat(2000)}`)).code).to.equal('requestFieldTooLarge')
    })
  })
})
