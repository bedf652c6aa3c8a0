import type { DocumentSettings } from '@signed-registry/core/documents'
import { expect } from 'chai'
import type { DocumentRecord } from '#core/documents/document-store.js'
import type { ThreadViewer } from '#core/routing/thread-viewer.js'
import { type DocumentToSign, type ThreadState, whatNext } from '#core/routing/thread-you.js'

const HEAD = '1.2.398.3.3.4.1.2.1'
const [ME, OTHER] = ['IIN900101300010', 'IIN900101300021']

const viewer = (changes: Partial<ThreadViewer> = {}): ThreadViewer => ({
  party: ME,
  mayDecide: true,
  isParty: true,
  signer: { userId: ME, businessId: undefined },
  authorities: [],
  ...changes,
})

const record = (settings: DocumentSettings, signaturesTotal = 1): DocumentRecord => ({
  id: 'A'.repeat(16),
  storedAt: 0,
  title: '',
  description: '',
  signedDataSize: 1,
  digestsFixedAt: 1,
  settings,
  emailNotifications: undefined,
  signaturesTotal,
  preregistered: false,
  packageId: undefined,
  registrator: undefined,
})

const toSign = (settings: DocumentSettings = {}, changes: Partial<DocumentToSign> = {}): DocumentToSign => ({
  document: record(settings),
  awaited: [],
  signedAt: undefined,
  signedInAnyRole: false,
  ...changes,
})

const next = (documents: readonly DocumentToSign[], changes: Partial<ThreadState> = {}, by = viewer()) =>
  whatNext(by, {
    documents,
    areAll: true,
    signing: 'each',
    undecided: undefined,
    isAsked: true,
    awaitsDecision: false,
    now: 1000,
    ...changes,
  }).next

describe('what is next for who is asked to sign', () => {
  it('is to sign', () => expect(next([toSign()])).to.equal('sign'))

  const nothing: Readonly<Record<string, DocumentToSign>> = {
    'it is not complete': toSign({}, { document: { ...record({}), digestsFixedAt: undefined } }),
    'it is too late': toSign({ signUntil: 1000 }),
    'the limit of signatures is reached': toSign({ signaturesLimit: 1 }),
    'they have signed': toSign({}, { signedAt: 5, signedInAnyRole: true }),
    'they have signed in another role, and a person signs once': toSign({ unique: ['iin'] }, { signedInAnyRole: true }),
    'others are required': toSign({ signersRequirements: [{ iin: OTHER }] }),
    'a role is required that they do not have': toSign({ signersRequirements: [{ authorities: [HEAD] }] }),
  }
  for (const [why, one] of Object.entries(nothing))
    it(`is nothing where ${why}`, () => expect(next([one])).to.equal('nothing'))

  it('is to sign in the role that is required', () => {
    const settings = { signersRequirements: [{ authorities: [HEAD] }] }
    expect(next([toSign(settings)], {}, viewer({ authorities: [HEAD] }))).to.equal('sign')
  })

  it('is to sign where the first signature may be anybody’s', () => {
    const settings = { signersRequirements: [{ iin: OTHER }] }
    const first = (more: DocumentSettings) =>
      toSign({}, { document: record({ ...settings, ...more }, 0), awaited: [{ iin: OTHER, next: true }] })
    expect(next([first({})])).to.equal('sign')
    expect(next([first({ strictSignersRequirements: true })])).to.equal('wait')
  })

  it('is to wait until it is their turn, also where they have signed and are in turn again', () => {
    const settings = {
      signersRequirements: [{ iin: ME }, { iin: OTHER }, { iin: ME }],
      sequentialSignersRequirements: true,
    }
    const inTurn = (iin: string) =>
      toSign(settings, { signedAt: 5, signedInAnyRole: true, awaited: [{ iin, next: true }] })
    expect(next([inTurn(OTHER)])).to.equal('wait')
    expect(next([inTurn(ME)])).to.equal('sign')
  })

  it('is to sign a package as a whole only where every document can be', () => {
    const some = [toSign(), toSign({ signUntil: 1 })]
    expect(next(some)).to.equal('sign')
    expect(next(some, { signing: 'whole' })).to.equal('nothing')
    expect(next([toSign()], { signing: 'whole', areAll: false })).to.equal('nothing')
    expect(next([toSign()], { signing: 'elsewhere' })).to.equal('nothing')
  })

  it('is nothing for who does not sign, such as systems', () => {
    expect(next([toSign()], {}, viewer({ signer: undefined }))).to.equal('nothing')
  })
})
