import { expect } from 'chai'
import fc from 'fast-check'
import { loosensAccess } from '#core/audit/loosens-access.js'
import { DocumentSettings } from '#core/documents/schema.js'
import { OrganizationChoices, organizationRights } from '#core/organizations/schema.js'
import { PackageSettings } from '#core/packages/schema.js'

type Change = readonly [what: string, before: object, after: object]

/** Access to the organization's own by one right. */
const granted = (facts: object) => ({
  documentsAccess: { authorities: [], iins: [], tlsCertificatesIndices: [], ...facts },
})
const certificate = (body: string, more: object = {}) => ({
  body,
  description: '',
  disabled: false,
  byKey: false,
  ...more,
})

const LOOSENING: Readonly<Record<string, readonly Change[]>> = {
  document: [
    ['private no longer', { private: true }, {}],
    ['private turned off', { private: true }, { private: false }],
    ['publicProof', {}, { publicProof: true }],
    ['publicDuringPreregistration', { private: true }, { private: true, publicDuringPreregistration: true }],
    ['public for a signature', { private: true }, { private: true, publicWhileLessThanSignatures: 1 }],
    ['public for more signatures', { publicWhileLessThanSignatures: 1 }, { publicWhileLessThanSignatures: 2 }],
    ['staying public at the limit', { switchToPrivateAfterLimitReached: true }, {}],
    ['more signatures', { signaturesLimit: 1 }, { signaturesLimit: 2 }],
    ['a later last moment for signatures', { signUntil: 1 }, { signUntil: 2 }],
    ['no last moment for signatures', { signUntil: 1 }, {}],
    ['any number of signatures', { signaturesLimit: 1 }, { signaturesLimit: 0 }],
    [
      'access of a person',
      { documentAccess: [{ bin: 'BIN1' }] },
      { documentAccess: [{ bin: 'BIN1' }, { iin: 'IIN1' }] },
    ],
    ['access of another', { documentAccess: [{ iin: 'IIN1' }] }, { documentAccess: [{ iin: 'IIN2' }] }],
    [
      'access of all of an organization',
      { documentAccess: [{ iin: 'A', bin: 'B' }] },
      { documentAccess: [{ bin: 'B' }] },
    ],
    ['any signer', { signersRequirements: [{ iin: 'IIN1' }] }, {}],
    ['no requirement', { signersRequirements: [{ iin: 'IIN1' }] }, { signersRequirements: [] }],
    [
      'one more signer',
      { signersRequirements: [{ iin: 'IIN1' }] },
      { signersRequirements: [{ iin: 'IIN1' }, { iin: 'IIN2' }] },
    ],
    ['any first signer', { strictSignersRequirements: true }, { strictSignersRequirements: false }],
    ['signers in any order', { sequentialSignersRequirements: true }, {}],
  ],
  package: [
    ['private no longer', { private: true }, { private: false }],
    ['access', { packageAccess: [] }, { packageAccess: [{ iin: 'IIN1' }] }],
    ['who may change settings', { packageSettings: [] }, { packageSettings: [{ iin: 'IIN1' }] }],
  ],
  organization: [
    ['a role', granted({ authorities: ['1.2'] }), granted({ authorities: ['1.2', '1.3'] })],
    ['an employee', granted({}), granted({ iins: ['IIN1'] })],
    [
      'a system',
      { tlsCertificatesList: [certificate('A')], ...granted({}) },
      { tlsCertificatesList: [certificate('A')], ...granted({ tlsCertificatesIndices: [0] }) },
    ],
    [
      'a system that has moved to the place of another',
      { tlsCertificatesList: [certificate('A'), certificate('B')], ...granted({ tlsCertificatesIndices: [0] }) },
      { tlsCertificatesList: [certificate('B'), certificate('A')], ...granted({ tlsCertificatesIndices: [0] }) },
    ],
    ['a certificate', { tlsCertificatesList: [] }, { tlsCertificatesList: [certificate('A')] }],
    ['another certificate', { tlsCertificatesList: [certificate('A')] }, { tlsCertificatesList: [certificate('B')] }],
    [
      'a certificate that was disabled',
      { tlsCertificatesList: [certificate('A', { disabled: true })] },
      { tlsCertificatesList: [certificate('A')] },
    ],
    [
      'any certificate of a key',
      { tlsCertificatesList: [certificate('A')] },
      { tlsCertificatesList: [certificate('A', { byKey: true })] },
    ],
  ],
}

/** As the settings were before, and after: what is not about access, or takes it away. */
const OTHER: Readonly<Record<string, readonly Change[]>> = {
  document: [
    ['a limit', {}, { signaturesLimit: 1 }],
    ['an earlier last moment for signatures', { signUntil: 2 }, { signUntil: 1 }],
    [
      'requirements where there were none',
      {},
      { signersRequirements: [{ iin: 'IIN1' }], strictSignersRequirements: true },
    ],
    [
      'a requirement taken away of two',
      { signersRequirements: [{ iin: 'A' }, { iin: 'B' }] },
      { signersRequirements: [{ iin: 'B' }] },
    ],
    [
      'the order of rules',
      { documentAccess: [{ iin: 'A' }, { bin: 'B' }] },
      { documentAccess: [{ bin: 'B' }, { iin: 'A' }] },
    ],
    ['the order of fields', { documentAccess: [{ iin: 'A', bin: 'B' }] }, { documentAccess: [{ bin: 'B', iin: 'A' }] }],
    ['storage', {}, { tempStorageAfterRegistration: 1, forceArchive: true }],
    ['a signer once more', { unique: ['iin'] }, {}],
  ],
  package: [['signing as a whole', { signWholePackage: true }, { signWholePackage: false }]],
  organization: [
    [
      'addresses',
      { webhooks: { urls: [] }, routingContactEmail: '' },
      { webhooks: { urls: ['https://a.test/'] }, routingContactEmail: 'a@a.test' },
    ],
    [
      'certificates in another order, each with its rights',
      { tlsCertificatesList: [certificate('A'), certificate('B')], ...granted({ tlsCertificatesIndices: [0] }) },
      { tlsCertificatesList: [certificate('B'), certificate('A')], ...granted({ tlsCertificatesIndices: [1] }) },
    ],
    [
      'a disabled certificate',
      { tlsCertificatesList: [] },
      { tlsCertificatesList: [certificate('A', { disabled: true })] },
    ],
    [
      'a description',
      { tlsCertificatesList: [certificate('A')] },
      { tlsCertificatesList: [certificate('A', { description: 'accounting' })] },
    ],
    ['archiving', { dataArchiveEnabled: false }, { dataArchiveEnabled: true }],
    ['a letterhead', { branding: {} }, { branding: { color: '#0b5c66' } }],
  ],
}

describe('a change of settings loosens access', () => {
  for (const [owner, changes] of Object.entries(LOOSENING)) {
    for (const [what, before, after] of changes) {
      it(`of a ${owner}: ${what}`, () => {
        expect(loosensAccess(owner, before, after)).to.equal(true)
        expect(loosensAccess(owner, after, after)).to.equal(false)
        expect(loosensAccess('user', before, after)).to.equal(false)
      })
    }
  }

  for (const [owner, changes] of Object.entries(OTHER)) {
    for (const [what, before, after] of changes) {
      it(`of a ${owner}, but not: ${what}`, () => expect(loosensAccess(owner, before, after)).to.equal(false))
    }
  }

  it('by each right of an organization', () => {
    for (const right of Object.keys(organizationRights(() => undefined))) {
      expect(loosensAccess('organization', {}, { [right]: { iins: ['IIN1'] } }), right).to.equal(true)
    }
  })

  it('never by staying as they are, whatever they hold', () => {
    const names = [...Object.values(LOOSENING), ...Object.values(OTHER)]
      .flat()
      .flatMap(([, before, after]) => [...Object.keys(before), ...Object.keys(after)])
    const settings = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(LOOSENING)), settings, settings, (owner, before, after) => {
        loosensAccess(owner, before, after)
        return !loosensAccess(owner, after, after)
      }),
    )
  })

  it('in ways that were thought of for every setting', () => {
    const met = (owner: string) => {
      const changes = [...(LOOSENING[owner] ?? []), ...(OTHER[owner] ?? [])]
      return new Set(changes.flatMap(([, before, after]) => [...Object.keys(before), ...Object.keys(after)]))
    }
    const settings = {
      document: Object.keys(DocumentSettings.properties),
      package: Object.keys(PackageSettings.properties),
      organization: Object.keys(OrganizationChoices.properties).filter(
        (name) => !(name in organizationRights(() => undefined)) && !/ContactEmail$/.test(name),
      ),
    }
    for (const [owner, names] of Object.entries(settings)) expect([...met(owner)], owner).to.include.members(names)
  })
})
