import { expect } from 'chai'
import type { DocumentSettings } from '#core/documents/schema.js'
import { assertMeetsRequirements } from '#core/documents/settings-rules.js'
import type { SignatureFacts } from '#core/signatures/schema.js'
import { RegistryError } from '#verifier/error.js'

const HEAD = '1.2.398.3.3.4.1.2.1'
const iin = (n: number) => `IIN${String(n).padStart(12, '0')}`
const bin = 'BIN123456789021'

const name = (value: string) => [[{ oid: '2.5.4.3', name: 'CN', valueInB64: false, value }]]

function signer(changes: Partial<SignatureFacts> = {}): SignatureFacts {
  return {
    userId: iin(1),
    signType: 'cms',
    signAlgorithm: '1.2.840.113549.1.1.11',
    certSignAlgorithm: '1.2.840.113549.1.1.11',
    serialNumber: '01',
    from: 0,
    until: 1,
    subject: 'CN=A',
    subjectStructure: name('A'),
    issuer: 'CN=ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ (RSA) 2022',
    issuerStructure: name('ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ (RSA) 2022'),
    policyIds: [],
    keyUsages: [],
    extKeyUsages: [],
    ...changes,
  }
}

const accepts = (settings: DocumentSettings, before: number, facts = signer()) =>
  assertMeetsRequirements(facts, settings, before)
const refuses = (settings: DocumentSettings, before: number, facts = signer()) => {
  expect(() => assertMeetsRequirements(facts, settings, before))
    .to.throw(RegistryError)
    .with.property('code', 'signatureDoesNotConform')
}

describe('signersRequirements', () => {
  it('asks nothing when the list is empty', () => accepts({ signersRequirements: [] }, 5))

  it('lets any element that the signer meets suffice', () => {
    accepts({ signersRequirements: [{ iin: iin(2) }, { iin: iin(1) }] }, 1)
    refuses({ signersRequirements: [{ iin: iin(2) }, { iin: iin(3) }] }, 1)
  })

  it('asks for every field of an element', () => {
    const employee = signer({ businessId: bin, extKeyUsages: [HEAD] })
    accepts({ signersRequirements: [{ iin: iin(1), bin, authorities: ['1.2.3', HEAD] }] }, 1, employee)
    refuses({ signersRequirements: [{ iin: iin(1), bin }] }, 1)
    refuses({ signersRequirements: [{ bin, authorities: ['1.2.3'] }] }, 1, employee)
  })

  it('knows certification authorities by the names of their issuing certificates', () => {
    accepts({ signersRequirements: [{ ca: 'nca' }] }, 1)
    refuses({ signersRequirements: [{ ca: 'btsd' }] }, 1)
    refuses({ signersRequirements: [{ ca: 'nca' }] }, 1, signer({ issuerStructure: name('IMPOSTOR') }))
  })

  it('lets the first signature be anybody unless strictSignersRequirements is set', () => {
    const signersRequirements = [{ iin: iin(2) }]
    accepts({ signersRequirements }, 0)
    refuses({ signersRequirements, strictSignersRequirements: true }, 0)
    refuses({ signersRequirements }, 1)
  })

  it('takes the n-th element for the n-th signature when sequentialSignersRequirements is set', () => {
    const settings: DocumentSettings = {
      signersRequirements: [{ iin: iin(1) }, { iin: iin(2) }],
      strictSignersRequirements: true,
      sequentialSignersRequirements: true,
    }
    accepts(settings, 0)
    refuses(settings, 0, signer({ userId: iin(2) }))
    accepts(settings, 1, signer({ userId: iin(2) }))
    refuses(settings, 1)
    refuses(settings, 2)
  })
})
