import {
  anonymous,
  ContentScanner,
  Database,
  definePlugin,
  provideValue,
  type Registry,
  ScannerUnavailable,
  type ScanVerdict,
} from '@signed-registry/core'
import { Authenticate, type AuthenticationNonce } from '@signed-registry/core/auth'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import {
  BuildDocumentEvidence,
  CheckEvidence,
  GetDocumentEvidence,
  GetPackageEvidence,
  ParseEvidence,
} from '@signed-registry/core/evidence'
import { RegisterPackage } from '@signed-registry/core/packages'
import type { Subject } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { expect } from 'chai'
import Type from 'typebox'
import { personCaller, systemCaller } from '../../support/core-registry.js'
import { forSqlite } from '../../support/databases.js'
import { type BundledFile, builtBytes, bundleOf, digestsOf } from '../../support/evidence-bundle.js'
import { MINUTE, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { testRegistry, uploadOf } from '../../support/registry.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

/** The code of the error that a call rejects with. */
const codeOf = async (attempt: () => Promise<unknown>) => (await rejectionOf(attempt())).code

const REGISTERS = { registerUnknownSignatures: true }

forSqlite((open) => {
  describe('evidence bundles that are refused', () => {
    const authorities = testAuthorities()
    const person = authorities.person()
    const signed = (bytes: Uint8Array, by: Subject = person) => by.signCms(bytes).toString('base64')
    const opened: Registry[] = []
    async function registryWith(options: Parameters<typeof testRegistry>[1] = {}): Promise<Registry> {
      const plugins = [evidenceAsic({})]
      const { registry } = await testRegistry(await open(), {
        authorities,
        statementKey: STATEMENT_KEY,
        plugins,
        ...options,
      })
      opened.push(registry)
      return registry
    }
    let registry: Registry
    before(async () => {
      registry = await registryWith()
    })
    after(() => Promise.all(opened.map((one) => one.close())))

    async function registered(on: Registry, text: string, signers = [person]): Promise<string> {
      const bytes = Buffer.from(text)
      const [first = person, ...others] = signers
      const { documentId: id } = await on
        .get(RegisterDocument)
        .execute(anonymous, { request: { title: 'Contract.txt', signature: signed(bytes, first) } })
      await on.get(FixDigests).execute(anonymous, { id, query: {}, upload: uploadOf(bytes) })
      for (const one of others)
        await on.get(AddSignature).execute(anonymous, { id, request: { signature: signed(bytes, one) } })
      return id
    }
    /** A package of documents that one person signed each. */
    async function packed(on: Registry, texts: readonly string[]): Promise<string> {
      const documents = texts.map((text) => ({ title: `${text}.txt`, description: '' }))
      const { packageId, documentsIds } = await on
        .get(RegisterPackage)
        .execute(personCaller(), { request: { title: 'All', description: '', documents } })
      for (const [index, id] of documentsIds.entries()) {
        const bytes = Buffer.from(texts[index] ?? '')
        await on.get(FixDigests).execute(personCaller(), { id, query: {}, upload: uploadOf(bytes) })
        await on.get(AddSignature).execute(personCaller(), { id, request: { signature: signed(bytes) } })
      }
      return packageId
    }
    const bundle = (...files: BundledFile[]) => builtBytes(bundleOf(authorities, files))
    /** Taking it in stores nothing. */
    async function parsed(on: Registry, bytes: Uint8Array, query = REGISTERS) {
      const rows = () => on.get(Database).query('registry_signatures')
      const before = await rows()
      const refused = await codeOf(() => on.get(ParseEvidence).execute(anonymous, { query, upload: uploadOf(bytes) }))
      expect(await rows()).to.deep.equal(before)
      return refused
    }
    const file = (content: string, more: Partial<BundledFile> = {}): BundledFile => ({
      content,
      signers: [person],
      ...more,
    })

    it('have too many signatures', async () => {
      const on = await registryWith({ limits: { evidenceSignatures: 1 } })
      const id = await registered(on, 'two signers', [person, authorities.person()])
      expect(await codeOf(() => on.get(GetDocumentEvidence).execute(anonymous, { id }))).to.equal('evidenceNotBuilt')
      const packageId = await packed(on, ['first', 'second'])
      const getPackage = () => on.get(GetPackageEvidence).execute(personCaller(), { packageId })
      expect(await codeOf(getPackage)).to.equal('evidenceNotBuilt')
      const upload = uploadOf(Buffer.from('two signers'))
      expect(await codeOf(() => on.get(BuildDocumentEvidence).execute(anonymous, { id, upload }))).to.equal(
        'evidenceNotBuilt',
      )
    })

    it('are of documents that nobody has signed, or whose hashes are not known', async () => {
      const bytes = Buffer.from('of a system')
      const { documentId: id } = await registry
        .get(RegisterDocument)
        .execute(systemCaller(), { request: { title: 'Contract.txt' } })
      const build = () => registry.get(BuildDocumentEvidence).execute(systemCaller(), { id, upload: uploadOf(bytes) })
      expect(await codeOf(build)).to.equal('documentDigestsNotKnown')
      await registry.get(FixDigests).execute(systemCaller(), { id, query: {}, upload: uploadOf(bytes) })
      expect(await codeOf(() => registry.get(GetDocumentEvidence).execute(systemCaller(), { id }))).to.equal(
        'evidenceNotSigned',
      )
      expect(await codeOf(build)).to.equal('evidenceNotSigned')
    })

    it('are of packages that are not complete', async () => {
      const documents = [{ title: 'One.txt', description: '' }]
      const { packageId } = await registry
        .get(RegisterPackage)
        .execute(personCaller(), { request: { title: 'All', description: '', documents } })
      const get = (on: Registry) => on.get(GetPackageEvidence).execute(personCaller(), { packageId })
      expect(await codeOf(() => get(registry))).to.equal('documentDigestsNotKnown')
    })

    it('are not made without a statement key or a plugin', async () => {
      const { registry: unsigning } = await testRegistry(await open(), { authorities, plugins: [evidenceAsic({})] })
      opened.push(unsigning)
      const id = await registered(unsigning, 'no key')
      expect(await codeOf(() => unsigning.get(GetDocumentEvidence).execute(anonymous, { id }))).to.equal(
        'statementKeyMissing',
      )
      const upload = () => uploadOf(Buffer.from('no key'))
      expect(
        await codeOf(() => unsigning.get(BuildDocumentEvidence).execute(anonymous, { id, upload: upload() })),
      ).to.equal('statementKeyMissing')
      const packageId = await packed(unsigning, ['no key either'])
      expect(await codeOf(() => unsigning.get(GetPackageEvidence).execute(personCaller(), { packageId }))).to.equal(
        'statementKeyMissing',
      )
      const without = await registryWith({ plugins: [] })
      const known = await registered(without, 'no plugin')
      expect(await codeOf(() => without.get(GetDocumentEvidence).execute(anonymous, { id: known }))).to.equal(
        'evidenceUnavailable',
      )
      expect(await codeOf(() => without.get(CheckEvidence).execute(anonymous, { upload: upload() }))).to.equal(
        'evidenceUnavailable',
      )
    })

    it('are larger than the limit', async () => {
      const on = await registryWith({ limits: { evidenceBytes: 100 } })
      expect(await parsed(on, Buffer.alloc(101))).to.equal('bodyTooLarge')
    })

    it('have no original, or are no bundles', async () => {
      expect(await parsed(registry, await bundle(file('none', { withoutOriginal: true })))).to.equal(
        'evidenceWithoutOriginal',
      )
      expect(await parsed(registry, Buffer.from('no bundle'))).to.equal('evidenceNotRead')
    })

    it('have a document that nobody signed', async () => {
      expect(await parsed(registry, await bundle(file('unsigned', { signers: [] })))).to.equal('evidenceNotProved')
    })

    it('have a signer whose certificate was revoked before the signature', async () => {
      const revoked = authorities.person()
      authorities.revoke(revoked, NOW - MINUTE)
      expect(await parsed(registry, await bundle(file('revoked', { signers: [revoked] })))).to.equal(
        'invalidCertificateStatus',
      )
    })

    it('have signatures of one document that are registered under different ones', async () => {
      const both = bundleOf(authorities, [file('registered twice', { signers: [person, authorities.person()] })])
      const [document] = both.documents
      if (document === undefined) throw new TypeError('The bundle has no document')
      for (const one of document.signatures) {
        const alone = await builtBytes({ ...both, documents: [{ ...document, signatures: [one] }] })
        await registry.get(ParseEvidence).execute(anonymous, { query: REGISTERS, upload: uploadOf(alone) })
      }
      expect(await parsed(registry, await builtBytes(both))).to.equal('evidenceOfDifferentDocuments')
    })

    it('have another time stamp than the one that the signature is registered with', async () => {
      await registered(registry, 'stamped twice')
      expect(await parsed(registry, await bundle(file('stamped twice')))).to.equal('signatureNotFound')
    })

    it('have unknown signatures, and nobody asked to register them', async () => {
      expect(await parsed(registry, await bundle(file('unknown')), { registerUnknownSignatures: false })).to.equal(
        'evidenceSignaturesNotRegistered',
      )
    })

    it('have one signature twice, under two numbers or for two documents', async () => {
      const once = bundleOf(authorities, [file('one signature')])
      const [document] = once.documents
      const [signature] = document?.signatures ?? []
      if (document === undefined || signature === undefined) throw new TypeError('Nobody signed')
      const twice = { ...document, signatures: [signature, { ...signature, signId: signature.signId + 1 }] }
      expect(await parsed(registry, await builtBytes({ ...once, documents: [twice] }))).to.equal('evidenceNotProved')
    })

    it('have more signatures or documents than are judged at a time', async () => {
      const on = await registryWith({ limits: { evidenceSignatures: 1 } })
      const check = async (bytes: Uint8Array) =>
        codeOf(() => on.get(CheckEvidence).execute(anonymous, { upload: uploadOf(bytes) }))
      const two = await bundle(file('two', { signers: [person, authorities.person()] }))
      const other = file('empty', { documentId: 'E'.repeat(16), signers: [], withoutOriginal: true })
      const documents = await bundle(file('one'), other)
      for (const bytes of [two, documents]) {
        expect(await check(bytes)).to.equal('evidenceNotRead')
        expect(await parsed(on, bytes)).to.equal('evidenceNotRead')
      }
    })

    it('have a login of this registry as their original', async () => {
      const { nonce = '' } = (await registry
        .get(Authenticate)
        .execute(anonymous, { request: {} })) as AuthenticationNonce
      const content = Buffer.from(nonce, 'base64')
      expect(await parsed(registry, await bundle({ content, signers: [person] }))).to.equal('invalidSignature')
    })

    it('are of a document that is registered, and waits for its original', async () => {
      const waiting = bundleOf(authorities, [file('it waits')])
      const signature = Buffer.from(waiting.documents[0]?.signatures[0]?.signed ?? []).toString('base64')
      await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      expect(await parsed(registry, await builtBytes(waiting))).to.equal('documentDigestsNotKnown')
    })

    it('have a title that no document may have', async () => {
      expect(await parsed(registry, await bundle(file('a title', { title: 'a/b' })))).to.equal('invalidDocumentTitle')
    })

    it('have an original with malware, or one that the scanner says nothing of', async () => {
      let says: ScanVerdict | undefined = { verdict: 'infected', name: 'Eicar' }
      const scanner = definePlugin({
        name: 'scanner',
        options: Type.Object({}),
        parts: () => ({
          provides: [
            provideValue(ContentScanner, {
              async scan() {
                if (says === undefined) throw new ScannerUnavailable('it is away')
                return says
              },
            }),
          ],
        }),
      })
      const on = await registryWith({ plugins: [evidenceAsic({}), scanner({})] })
      const bytes = await bundle(file('scanned'))
      expect(await parsed(on, bytes)).to.equal('evidenceContentNotClean')
      says = undefined
      expect(await parsed(on, bytes)).to.equal('evidenceContentNotScanned')
    })

    it('say hashes by any number of algorithms, of which those count that are known', async () => {
      const unseen = bundleOf(authorities, [file('unseen', { signers: [], withoutOriginal: true })])
      const documents = unseen.documents.map((one) => {
        const more = Array.from({ length: 2000 }, (_, index): [string, Uint8Array] => [
          `1.2.${index}`,
          Buffer.alloc(32),
        ])
        return { ...one, digests: new Map([...one.digests, ...more]) }
      })
      const upload = uploadOf(await builtBytes({ ...unseen, documents }))
      const checked = await registry.get(CheckEvidence).execute(anonymous, { upload })
      expect(Object.keys(checked.documents[0]?.digests ?? {})).to.have.members([...digestsOf(Buffer.from('')).keys()])
    })

    it('have one document that cannot be registered, and then none of them is', async () => {
      const wrong = file('the second', { documentId: 'E'.repeat(16), title: 'a/b' })
      expect(await parsed(registry, await bundle(file('the first'), wrong))).to.equal('invalidDocumentTitle')
    })
  })
})
