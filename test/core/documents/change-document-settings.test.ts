import { anonymous, type Caller, DocumentLimits, Limits } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  GetDocumentSettingsAudit,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { DigestEnds } from '#core/documents/digest-ends.js'
import { DocumentAccess } from '#core/documents/document-access.js'
import { DocumentStore } from '#core/documents/document-store.js'
import { DocumentVersions } from '#core/documents/document-versions.js'
import { RoutedItems } from '#core/documents/ports.js'
import { SignatureStore } from '#core/documents/signature-store.js'
import { DataStates } from '#core/originals/index.js'
import { BIN, employeeCaller, headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('contract')
const signerIin = 'IIN900101300010'
const signer = personCaller(signerIin)

describe('settings of a document', () => {
  forEachDatabase((open) => {
    let hosts: readonly [TestRegistry, TestRegistry]
    let documentId: string
    const sign = (subject: Subject) => ({ signature: subject.signCms(original).toString('base64') })
    beforeEach(async () => {
      const url = await open()
      const one = await testRegistry(url)
      hosts = [one, await testRegistry(url, { authorities: one.authorities })]
      const first = sign(one.authorities.person({ iin: signerIin.slice(3) }))
      documentId = (await one.registry.get(RegisterDocument).execute(anonymous, { request: first })).documentId
      await one.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
    })
    afterEach(() => Promise.all(hosts.map(({ registry }) => registry.close())))

    const change = (caller: Caller, settings: DocumentSettings, host = hosts[0]) =>
      host.registry.get(ChangeDocumentSettings).execute(caller, { id: documentId, request: settings })
    const auditOf = (caller: Caller) =>
      hosts[0].registry.get(GetDocumentSettingsAudit).execute(caller, { id: documentId })

    it('are audited without gaps between changes, even when hosts and a signature race', async () => {
      await change(signer, { signaturesLimit: 2, switchToPrivateAfterLimitReached: true })
      const { authorities } = hosts[0]
      const limit = { signaturesLimit: 2, switchToPrivateAfterLimitReached: true }
      await Promise.all([
        ...Array.from({ length: 12 }, (_, i) =>
          change(signer, { ...limit, documentAccess: [{ iin: `IIN90010130${1000 + i}` }] }, hosts[i % 2 === 0 ? 0 : 1]),
        ),
        hosts[1].registry.get(AddSignature).execute(anonymous, { id: documentId, request: sign(authorities.person()) }),
      ])
      const { eventsTotal, events } = await auditOf(signer)
      expect(eventsTotal).to.equal(events.length).and.be.oneOf([13, 14])
      expect(events[0]?.original).to.deep.equal({})
      for (const [i, event] of events.slice(1).entries()) {
        expect(event.original).to.deep.equal(events[i]?.modified)
        expect(event.eventId).to.be.above(events[i]?.eventId ?? 0)
      }
      const { settings, signaturesTotal } = await hosts[1].registry.get(GetDocument).execute(signer, { id: documentId })
      expect(settings).to.deep.equal(events.at(-1)?.modified)
      expect(signaturesTotal).to.equal(2)
    })

    it('open a document for a time, and close it, also after registration', async () => {
      await change(signer, { private: true })
      const read = (caller: Caller) => hosts[1].registry.get(GetDocument).execute(caller, { id: documentId })
      expect(await rejectionOf(read(anonymous))).to.include({ code: 'authenticationRequired' })
      await change(signer, { private: true, publicWhileLessThanSignatures: 2 })
      expect((await read(anonymous)).settings).to.deep.equal({ private: true, publicWhileLessThanSignatures: 2 })
      // Omitted it stays as it is; 0 turns it off.
      await change(signer, { private: true })
      await read(anonymous)
      await change(signer, { private: true, publicWhileLessThanSignatures: 0, publicDuringPreregistration: true })
      expect(await rejectionOf(read(anonymous))).to.include({ code: 'authenticationRequired' })
      expect((await auditOf(signer)).eventsTotal).to.equal(4)
    })

    it('take only `iin` in `unique`, and `bin` where the registry is configured for it', async () => {
      const refused = await rejectionOf(change(signer, { unique: ['iin', 'bin'] }))
      expect(refused).to.deep.include({
        code: 'invalidDocumentSettings',
        details: { setting: 'unique', reason: 'bin' },
      })
      const { database, authorities } = hosts[0]
      const taking = await testRegistry(database, { authorities, uniqueOrganizations: true })
      await change(signer, { unique: ['bin'] }, taking)
      await taking.registry.close()
      // What a document has already may stay, and is enforced.
      await change(signer, { unique: ['bin'], private: true })
      const first = sign(authorities.employee({ iin: '900101300011', bin: BIN.slice(3) }))
      const second = sign(authorities.employee({ iin: '900101300012', bin: BIN.slice(3) }))
      const add = (request: typeof first) =>
        hosts[0].registry.get(AddSignature).execute(anonymous, { id: documentId, request })
      await add(first)
      expect(await rejectionOf(add(second))).to.include({ code: 'signatureDoesNotConform' })
      await change(signer, { unique: ['iin'] })
      expect((await rejectionOf(change(signer, { unique: ['bin'] }))).code).to.equal('invalidDocumentSettings')
    })

    it('are neither shown to nor changed by callers without the right', async () => {
      await change(signer, { private: true, documentAccess: [{ iin: 'IIN900101300020' }, { bin: BIN }] })
      const named = personCaller('IIN900101300020')
      const asEmployee = employeeCaller({ iin: signerIin })
      for (const caller of [named, asEmployee, headCaller(), personCaller('IIN900101300099')]) {
        const refused = await rejectionOf(change(caller, { private: false }))
        expect(refused).to.include({ code: 'accessDenied', details: undefined })
        expect(await rejectionOf(auditOf(caller))).to.include({ code: 'accessDenied', details: undefined })
      }
      expect(await rejectionOf(change(anonymous, {}))).to.include({ code: 'authenticationRequired' })
      expect((await auditOf(signer)).eventsTotal).to.equal(1)
    })

    it('close the document before the signature that closes it is shown', async () => {
      await change(signer, { signaturesLimit: 2, switchToPrivateAfterLimitReached: true })
      const { registry, authorities } = hosts[0]
      const signatures = registry.get(SignatureStore)
      const second = sign(authorities.person())
      const racing = Object.assign(Object.create(signatures), {
        async writtenPage(...query: Parameters<SignatureStore['writtenPage']>) {
          await hosts[1].registry.get(AddSignature).execute(anonymous, { id: documentId, request: second })
          return signatures.writtenPage(...query)
        },
      })
      const reader = new GetDocument({
        documents: registry.get(DocumentStore),
        signatures: racing,
        access: registry.get(DocumentAccess),
        routed: registry.get(RoutedItems),
        versions: registry.get(DocumentVersions),
        states: registry.get(DataStates),
        limits: registry.get(Limits),
        documentLimits: registry.get(DocumentLimits),
        ends: registry.get(DigestEnds),
      })
      expect((await rejectionOf(reader.execute(anonymous, { id: documentId }))).code).to.equal('authenticationRequired')
    })

    it('are not changed by a clerk who has just lost the right', async () => {
      const { registry, authorities } = hosts[0]
      const colleague = authorities.employee({ bin: BIN.slice(3) })
      await registry.get(AddSignature).execute(anonymous, { id: documentId, request: sign(colleague) })
      const clerk = employeeCaller({ iin: 'IIN900101300040' })
      const grant = (iins: string[]) =>
        hosts[1].registry
          .get(SaveOrganizationSettings)
          .execute(headCaller(), { request: { documentsSettings: { iins } } })
      expect((await rejectionOf(change(clerk, { private: true }))).code).to.equal('accessDenied')
      await grant([clerk.iin])
      await change(clerk, { private: true })
      await grant([])
      expect((await rejectionOf(change(clerk, {}))).code).to.equal('accessDenied')
      expect((await auditOf(signer)).events.map(({ modifiedBy }) => modifiedBy)).to.deep.equal([clerk.iin])
    })
  })
})
