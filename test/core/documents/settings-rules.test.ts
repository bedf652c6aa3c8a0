import { expect } from 'chai'
import type { DocumentRecord } from '#core/documents/document-store.js'
import type { DocumentSettings } from '#core/documents/schema.js'
import { replaceSettings, settingsAfterSignature } from '#core/documents/settings-rules.js'
import { RegistryError } from '#verifier/error.js'

const document = (settings: DocumentSettings, signaturesTotal = 2): DocumentRecord => ({
  id: 'lQsqLBaS4nQAIIMm',
  storedAt: 1,
  title: '',
  description: '',
  signedDataSize: 0,
  digestsFixedAt: undefined,
  settings,
  emailNotifications: undefined,
  signaturesTotal,
  preregistered: false,
  packageId: undefined,
  registrator: undefined,
})

describe('POST /api/{id}/settings', () => {
  it('replaces the whole object: what is omitted takes its default', () => {
    expect(replaceSettings(document({ private: true, unique: ['iin'] }), { signaturesLimit: 5 })).to.deep.equal({
      signaturesLimit: 5,
    })
  })

  it('keeps the settings of registration that are omitted', () => {
    const settings: DocumentSettings = {
      publicDuringPreregistration: true,
      publicWhileLessThanSignatures: 3,
      forceArchive: true,
      tempStorageAfterRegistration: 1000,
    }
    expect(replaceSettings(document(settings), {})).to.deep.equal(settings)
    expect(replaceSettings(document(settings), { forceArchive: true })).to.deep.equal(settings)
  })

  it('changes what opens a document for a time, and its temporary storage', () => {
    const settings: DocumentSettings = { publicWhileLessThanSignatures: 3 }
    const wanted: DocumentSettings = {
      publicDuringPreregistration: true,
      publicWhileLessThanSignatures: 0,
      tempStorageAfterRegistration: 1,
    }
    expect(replaceSettings(document(settings), wanted)).to.deep.equal(wanted)
  })

  for (const [before, wanted] of [
    [{}, true],
    [{ forceArchive: true }, false],
  ] as const) {
    it(`refuses to turn forceArchive ${wanted ? 'on' : 'off'}`, () => {
      expect(() => replaceSettings(document(before), { forceArchive: wanted }))
        .to.throw(RegistryError)
        .with.property('code', 'invalidDocumentSettings')
    })
  }

  it('accepts forceArchive unchanged, given or omitted', () => {
    expect(replaceSettings(document({}), { forceArchive: false })).to.deep.equal({ forceArchive: false })
  })

  it('refuses a limit below the count of signatures', () => {
    expect(replaceSettings(document({}, 2), { signaturesLimit: 2 }).signaturesLimit).to.equal(2)
    expect(() => replaceSettings(document({}, 3), { signaturesLimit: 2 }))
      .to.throw(RegistryError)
      .with.property('code', 'moreSignaturesThanLimit')
  })
})

describe('switchToPrivateAfterLimitReached', () => {
  const settings: DocumentSettings = { signaturesLimit: 2, switchToPrivateAfterLimitReached: true }

  it('makes the document private when its limit is reached', () => {
    expect(settingsAfterSignature(settings, 1)).to.equal(settings)
    expect(settingsAfterSignature(settings, 2)).to.deep.equal({ ...settings, private: true })
  })

  it('does nothing without a limit, or when it is off', () => {
    expect(settingsAfterSignature({ switchToPrivateAfterLimitReached: true }, 9)).to.not.have.property('private')
    expect(settingsAfterSignature({ signaturesLimit: 2 }, 2)).to.not.have.property('private')
  })
})
