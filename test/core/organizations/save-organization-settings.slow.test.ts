import { anonymous, type Caller, type Registry, SystemKeys } from '@signed-registry/core'

import {
  GetOrganizationPermissions,
  GetOrganizationSettings,
  GetOrganizationSettingsAudit,
  GetOrganizationSubscription,
  SaveOrganizationSettings,
  type SaveOrganizationSettingsRequest,
} from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { OrganizationStore } from '#core/organizations/organization-store.js'
import { clientCertificate, renewed } from '../../support/client-certificate.js'
import {
  BIN,
  employeeCaller,
  headCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { NOW } from '../../support/pki/authorities.js'
import { png } from '../../support/png.js'
import { rejectionOf } from '../../support/refusal.js'

const OTHER_BIN = 'BIN123456789022'
const OTHER_IIN = 'IIN123456789012'
const HR = '1.2.398.3.3.4.1.2.4'
const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const newcomer = {
  businessId: BIN,
  tlsCertificatesList: [],
  documentsAccess: nobody,
  documentsList: nobody,
  documentsSettings: nobody,
  organizationSettings: nobody,
  documentsPackagesRoute: nobody,
  routedDocumentsPackagesView: nobody,
  webhooks: { urls: [], routingUrls: [] },
  modifiedAt: 0,
  dataArchiveEnabled: false,
  dataArchiveQuota: 100 * 1024 * 1024,
  dataArchiveUsage: 0,
  dataArchiveContactEmail: '',
  subscriptionContactEmail: '',
  routingContactEmail: '',
}
const certificates = [clientCertificate(), clientCertificate(), clientCertificate()] as const
const [first, second, third] = certificates
const item = (body: string) => ({ description: '', body, disabled: false, byKey: false, settings: {} })

describe('settings of an organization', () => {
  forEachDatabase((open) => {
    let registry: Registry
    const read = (caller: Caller = headCaller()) => registry.get(GetOrganizationSettings).execute(caller)
    const save = (request: SaveOrganizationSettingsRequest, caller: Caller = headCaller()) =>
      registry.get(SaveOrganizationSettings).execute(caller, { request })
    const audit = (caller: Caller = headCaller()) => registry.get(GetOrganizationSettingsAudit).execute(caller)
    const permissions = (caller: Caller) => registry.get(GetOrganizationPermissions).execute(caller)
    const identify = (der: Uint8Array) => registry.get(SystemKeys).identify(der)
    /** As a system does that says for whom it acts. */
    const prove = (der: Uint8Array) => registry.get(SystemKeys).confirm(der, BIN)

    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    afterEach(() => registry.close())

    it('are defaults until they are saved', async () => {
      expect(await read()).to.deep.equal(newcomer)
      expect(await audit()).to.deep.equal({ businessId: BIN, eventsTotal: 0, events: [] })
    })

    it('are what was saved, and when', async () => {
      const settings = {
        ddcHowToVerifyStrings: { ru: 'как', kk: 'қалай' },
        qrOrganisationName: { ru: 'р', kk: 'қ', en: 'e' },
        qrLogo: png({ width: 102, height: 102 }).toString('base64'),
        ddcLogo: png({ width: 200, height: 100 }).toString('base64'),
        ddcLogoString: { ru: 'знак', kk: 'белгі' },
        ddcLogoDisable: true,
      }
      const chosen = {
        tlsCertificatesList: [
          { description: 'ЭДО', body: first.pem, disabled: false, byKey: true, settings },
          { description: '', body: second.pem, disabled: true, byKey: false, settings: {} },
        ],
        documentsAccess: { authorities: [HR], tlsCertificatesIndices: [0], iins: [OTHER_IIN] },
        documentsList: { authorities: [], tlsCertificatesIndices: [1, 0], iins: [] },
        documentsSettings: nobody,
        organizationSettings: { authorities: [], tlsCertificatesIndices: [], iins: [IIN] },
        documentsPackagesRoute: nobody,
        routedDocumentsPackagesView: nobody,
        webhooks: { urls: ['https://example.kz/a'], routingUrls: ['http://example.kz/b'] },
        dataArchiveEnabled: true,
        dataArchiveContactEmail: 'a@example.kz',
        subscriptionContactEmail: 'b@example.kz',
        routingContactEmail: 'c@example.kz',
      }
      expect(await save(chosen)).to.deep.equal({ businessId: BIN, modifiedAt: NOW })
      const tlsCertificatesList = chosen.tlsCertificatesList.map((one) => ({ ...one, pending: true }))
      expect(await read()).to.deep.equal({ ...newcomer, ...chosen, tlsCertificatesList, modifiedAt: NOW })
      expect(await read(headCaller({ bin: OTHER_BIN }))).to.deep.equal({ ...newcomer, businessId: OTHER_BIN })
    })

    it('take rights on packages, and do not show them', async () => {
      const control = { authorities: [], tlsCertificatesIndices: [], iins: [OTHER_IIN] }
      await save({ packagesAccess: control, packagesList: control, packagesSettings: control })
      expect(await read()).to.deep.equal({ ...newcomer, modifiedAt: NOW })
      const store = registry.get(OrganizationStore)
      for (const right of ['packagesAccess', 'packagesList', 'packagesSettings'] as const) {
        expect(await store.find(BIN, right)).to.deep.equal(control)
      }
      // What a client read, it may send back: nothing is lost.
      await save(await read())
      expect(await store.find(BIN, 'packagesList')).to.deep.equal(control)
    })

    it('keep fields that a request omits, and empty what parts of its fields it omits', async () => {
      await save({
        tlsCertificatesList: [item(first.pem)],
        documentsAccess: { authorities: [HR], iins: [OTHER_IIN], tlsCertificatesIndices: [0] },
        webhooks: { urls: ['https://example.kz/a'], routingUrls: ['https://example.kz/b'] },
      })
      await save({ webhooks: { urls: [] }, documentsAccess: { iins: [IIN] }, routingContactEmail: 'a@b.kz' })
      expect(await read()).to.deep.equal({
        ...newcomer,
        tlsCertificatesList: [{ ...item(first.pem), pending: true }],
        documentsAccess: { ...nobody, iins: [IIN] },
        routingContactEmail: 'a@b.kz',
        modifiedAt: NOW,
      })
    })

    it('accept texts of cards in a single language', async () => {
      const settings = { ddcHowToVerifyStrings: { kk: 'қалай' }, ddcLogoString: { ru: 'знак' } }
      await save({ tlsCertificatesList: [{ ...item(first.pem), settings }] })
      expect((await read()).tlsCertificatesList[0]?.settings).to.deep.equal(settings)
    })

    it('ignore unknown fields', async () => {
      const more = { extra: 'x' }
      const texts = { ru: 'р', kk: 'қ' }
      const request = {
        ...more,
        tlsCertificatesList: [{ body: first.pem, ...more, settings: { ddcLogoString: texts, ...more } }],
        documentsAccess: { iins: [IIN], ...more },
        webhooks: { urls: [], ...more },
      }
      await save(request)
      expect(await read()).to.deep.equal({
        ...newcomer,
        tlsCertificatesList: [{ ...item(first.pem), settings: { ddcLogoString: { ru: 'р', kk: 'қ' } }, pending: true }],
        documentsAccess: { ...nobody, iins: [IIN] },
        modifiedAt: NOW,
      })
    })

    describe('are for', () => {
      const attempts: Record<string, (caller: Caller) => Promise<unknown>> = {
        'reading them': read,
        'saving them': (caller) => save({}, caller),
        'reading their audit': audit,
        'reading the subscription': (caller) => registry.get(GetOrganizationSubscription).execute(caller),
      }
      const code = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

      for (const [name, attempt] of Object.entries(attempts)) {
        it(`those who have the right: ${name}`, async () => {
          expect(await code(attempt(anonymous))).to.equal('authenticationRequired')
          expect(await code(attempt(personCaller()))).to.equal('notOrganization')
          const guarded = [
            employeeCaller(),
            employeeCaller({ authorities: [HR] }),
            systemCaller(),
            systemCaller({ certificateIndex: 1 }),
          ]
          for (const caller of guarded) expect(await code(attempt(caller))).to.equal('accessDenied')

          const list = [item(first.pem), item(second.pem)]
          const allowed: [SaveOrganizationSettingsRequest['organizationSettings'], Caller][] = [
            [{ iins: [IIN] }, employeeCaller()],
            [{ authorities: ['1.2.3', HR] }, employeeCaller({ authorities: ['1.2.4', HR] })],
            [
              { tlsCertificatesIndices: [1] },
              systemCaller({ certificateIndex: 1, certificate: second.der.toString('base64') }),
            ],
          ]
          for (const [organizationSettings, caller] of allowed) {
            await save({ tlsCertificatesList: list, organizationSettings: organizationSettings ?? {} })
            if (caller.kind === 'system') await prove(second.der)
            await attempt(caller)
            for (const other of [
              employeeCaller({ iin: OTHER_IIN }),
              systemCaller(),
              { ...caller, bin: OTHER_BIN } as Caller,
            ]) {
              expect(await code(attempt(other))).to.equal('accessDenied')
            }
          }
          await attempt(headCaller({ authorities: ['1.2.398.3.17.3.3'] }))
        })
      }

      it('callers with any right, for permissions', async () => {
        await save({ documentsAccess: { iins: [IIN] }, documentsList: { authorities: [HR] } })
        const none = {
          documentsAccess: false,
          documentsList: false,
          documentsSettings: false,
          organizationSettings: false,
        }
        expect(await permissions(employeeCaller())).to.deep.equal({ ...none, documentsAccess: true })
        expect(await permissions(employeeCaller({ iin: OTHER_IIN, authorities: [HR] }))).to.deep.equal({
          ...none,
          documentsList: true,
        })
        expect(await permissions(systemCaller())).to.deep.equal(none)
        expect(await permissions(employeeCaller({ bin: OTHER_BIN }))).to.deep.equal(none)
        expect(Object.values(await permissions(headCaller()))).to.deep.equal([true, true, true, true])
        expect(await code(permissions(personCaller()))).to.equal('notOrganization')
        expect(await code(permissions(anonymous))).to.equal('authenticationRequired')
      })
    })

    describe('refuse', () => {
      const long = (length: number) => 'я'.repeat(length)
      const withSettings = (settings: object) => ({ tlsCertificatesList: [{ body: first.pem, settings }] })
      const wrong: Record<string, [SaveOrganizationSettingsRequest, code: string, field: string]> = {
        'an OID with letters': [{ documentsList: { authorities: ['1.2.a'] } }, 'invalidAuthority', 'documentsList'],
        'an OID of one number': [{ packagesList: { authorities: ['1'] } }, 'invalidAuthority', 'packagesList'],
        'an OID with a leading zero': [
          { documentsList: { authorities: ['1.02'] } },
          'invalidAuthority',
          'documentsList',
        ],
        'an OID outside of the tree': [
          { documentsList: { authorities: ['3.1'] } },
          'invalidAuthority',
          'documentsList',
        ],
        'an OID without end': [
          { documentsList: { authorities: [`1.2${'.1'.repeat(1000)}`] } },
          'invalidAuthority',
          'documentsList',
        ],
        'an IIN without its prefix': [{ documentsList: { iins: ['123456789011'] } }, 'invalidIin', 'documentsList'],
        'a BIN for an IIN': [{ documentsAccess: { iins: [BIN] } }, 'invalidIin', 'documentsAccess'],
        'an IIN with a line end': [{ documentsAccess: { iins: [`${IIN}\n`] } }, 'invalidIin', 'documentsAccess'],
        'an index beyond the list': [
          { tlsCertificatesList: [item(first.pem)], documentsList: { tlsCertificatesIndices: [1] } },
          'invalidCertificateIndex',
          'documentsList',
        ],
        'a negative index': [
          { tlsCertificatesList: [item(first.pem)], documentsList: { tlsCertificatesIndices: [-1] } },
          'invalidCertificateIndex',
          'documentsList',
        ],
        'an index into no list': [
          { organizationSettings: { tlsCertificatesIndices: [0] } },
          'invalidCertificateIndex',
          'organizationSettings',
        ],
        '1001 IINs': [{ documentsList: { iins: Array(1001).fill(IIN) } }, 'requestFieldTooLarge', 'documentsList.iins'],
        'a private key': [
          { tlsCertificatesList: [item(first.key)] },
          'tlsCertificateNotUsable',
          'tlsCertificatesList[0]',
        ],
        'a key that is listed twice': [
          { tlsCertificatesList: [item(first.pem), item(second.pem), item(renewed(first).pem)] },
          'tlsCertificateNotUsable',
          'tlsCertificatesList[2]',
        ],
        '10,000 certificates': [
          { tlsCertificatesList: Array(10_000).fill(item(first.pem)) },
          'requestFieldTooLarge',
          'tlsCertificatesList',
        ],
        'a description of 256 characters': [
          { tlsCertificatesList: [{ body: first.pem, description: long(256) }] },
          'requestFieldTooLarge',
          'tlsCertificatesList[0].description',
        ],
        'a caption of 256 characters': [
          withSettings({ ddcLogoString: { ru: 'a', kk: long(256) } }),
          'requestFieldTooLarge',
          'tlsCertificatesList[0].settings.ddcLogoString.kk',
        ],
        'a QR logo of 103 pixels': [
          withSettings({ qrLogo: png({ width: 103, height: 103 }).toString('base64') }),
          'invalidLogoResolution',
          'tlsCertificatesList[0].settings.qrLogo',
        ],
        'a card logo of other size': [
          withSettings({ ddcLogo: png({ width: 100, height: 200 }).toString('base64') }),
          'invalidLogoResolution',
          'tlsCertificatesList[0].settings.ddcLogo',
        ],
        'an address of another scheme': [
          { webhooks: { routingUrls: ['ftp://example.kz/'] } },
          'invalidUrl',
          'webhooks.routingUrls',
        ],
        'a malformed archive contact': [
          { dataArchiveContactEmail: 'a' },
          'invalidNotificationEmail',
          'dataArchiveContactEmail',
        ],
        'a malformed subscription contact': [
          { subscriptionContactEmail: 'a b@c.kz' },
          'invalidNotificationEmail',
          'subscriptionContactEmail',
        ],
        'a malformed routing contact': [
          { routingContactEmail: 'a@b.kz\r\nx' },
          'invalidNotificationEmail',
          'routingContactEmail',
        ],
        'an archive without contact': [
          { dataArchiveEnabled: true },
          'invalidNotificationEmail',
          'dataArchiveContactEmail',
        ],
      }
      for (const [name, [request, code, field]] of Object.entries(wrong)) {
        it(name, async () => {
          const error = await rejectionOf(save(request))
          expect(`${error.code} ${error.details?.field}`).to.equal(`${code} ${field}`)
          expect(await read()).to.deep.equal(newcomer)
          expect((await audit()).eventsTotal).to.equal(0)
          expect((await rejectionOf(identify(first.der))).code).to.equal('tlsCertificateNotListed')
        })
      }

      it('more than 2 MiB in all', async () => {
        const oids = Array.from({ length: 1000 }, (_, i) => `1.2.${i}${'.1'.repeat(60)}`)
        const control = { authorities: oids }
        await save({ documentsAccess: control, documentsList: control })
        const limited = await registryWithoutAuthorities(await open(), {
          limits: { organizationSettingsBytes: 200_000 },
        })
        const saving = limited.get(SaveOrganizationSettings)
        await saving.execute(headCaller(), { request: { documentsAccess: control } })
        const error = await rejectionOf(saving.execute(headCaller(), { request: { documentsList: control } }))
        expect(error.details).to.deep.equal({ field: 'organizationSettings', limit: 200_000 })
        await limited.close()
      })
    })

    it('enable the archive only with a contact, whichever came first', async () => {
      await save({ dataArchiveContactEmail: 'a@b.kz' })
      await save({ dataArchiveEnabled: true })
      expect((await rejectionOf(save({ dataArchiveContactEmail: '' }))).code).to.equal('invalidNotificationEmail')
    })

    describe('with client certificates', () => {
      it('authenticate systems by the listed certificate, until it is disabled or removed', async () => {
        expect((await rejectionOf(identify(first.der))).code).to.equal('tlsCertificateNotListed')
        await save({ tlsCertificatesList: [item(second.pem), item(first.pem)] })
        await registry.get(SystemKeys).confirm(first.der, BIN)
        const system = {
          kind: 'system',
          bin: BIN,
          certificateIndex: 1,
          certificate: first.der.toString('base64'),
          certificateDigest: first.digest,
        }
        expect(await identify(first.der)).to.deep.equal(system)
        for (const other of [renewed(first), renewed(first, `/OU=${BIN}/CN=another`)]) {
          const { code, details } = await rejectionOf(identify(other.der))
          expect([code, details?.reason]).to.deep.equal(['tlsCertificateNotListed', 'otherCertificate'])
          expect((await rejectionOf(prove(other.der))).code).to.equal('tlsCertificateNotListed')
        }
        await save({ tlsCertificatesList: [item(second.pem), { ...item(first.pem), disabled: true }] })
        expect((await rejectionOf(identify(first.der))).code).to.equal('tlsCertificateDisabled')
        await save({ tlsCertificatesList: [item(second.pem)] })
        expect((await rejectionOf(identify(first.der))).code).to.equal('tlsCertificateNotListed')
        expect((await rejectionOf(identify(third.der.subarray(0, 50)))).code).to.equal('tlsCertificateNotListed')
        expect((await rejectionOf(identify(new Uint8Array()))).code).to.equal('tlsCertificateNotListed')
      })

      it('accept any certificate of the same key if the organization says so', async () => {
        const renewal = renewed(first)
        const { byKey: _, ...unsaid } = item(first.pem)
        await save({ tlsCertificatesList: [unsaid] })
        await prove(first.der)
        expect((await read()).tlsCertificatesList).to.deep.equal([item(first.pem)])
        expect((await rejectionOf(identify(renewal.der))).code).to.equal('tlsCertificateNotListed')

        await save({ tlsCertificatesList: [{ ...item(first.pem), byKey: true }] })
        const system = { kind: 'system', bin: BIN, certificateIndex: 0, certificateDigest: renewal.digest }
        expect(await identify(renewal.der)).to.include(system)
        expect(await identify(first.der)).to.include({ ...system, certificateDigest: first.digest })
        // Who says nothing of it leaves it as it is, also at another place and for another certificate of the key.
        await save({ tlsCertificatesList: [item(second.pem), { ...unsaid, body: renewal.pem }] })
        expect((await read()).tlsCertificatesList.map(({ byKey }) => byKey)).to.deep.equal([false, true])
        expect(await identify(first.der)).to.include({ bin: BIN, certificateIndex: 1 })

        await save({ tlsCertificatesList: [{ ...unsaid, body: renewal.pem, byKey: false }] })
        expect((await rejectionOf(identify(first.der))).code).to.equal('tlsCertificateNotListed')
        // What was proved of the key holds for the certificate that is listed now.
        expect(await identify(renewal.der)).to.include(system)
      })

      describe('of which two organizations list one', () => {
        const other = headCaller({ bin: OTHER_BIN })
        const list = { tlsCertificatesList: [item(first.pem)] }
        const confirm = (bin: string, der = first.der) => registry.get(SystemKeys).confirm(der, bin)
        const code = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

        it('let it act for nobody until its holder chooses, however few list it and whoever was first', async () => {
          await save(list, other)
          expect(await code(identify(first.der))).to.equal('tlsCertificatePending')
          await save({ tlsCertificatesList: [item(first.pem)] })
          expect(await code(identify(first.der))).to.equal('tlsCertificatePending')
          expect((await confirm(BIN)).bin).to.equal(BIN)
          expect((await identify(first.der)).bin).to.equal(BIN)
          expect((await confirm(OTHER_BIN)).bin).to.equal(OTHER_BIN)
          expect((await identify(first.der)).bin).to.equal(OTHER_BIN)
        })

        it('leave it with the organization that its holder chose', async () => {
          await save({ tlsCertificatesList: [item(first.pem)] })
          await confirm(BIN)
          await save(list, other)
          expect((await identify(first.der)).bin).to.equal(BIN)
          // Other settings, and another place in the list, change nothing of that.
          await save({ tlsCertificatesList: [item(second.pem), item(first.pem)] })
          expect(await identify(first.der)).to.include({ bin: BIN, certificateIndex: 1 })
        })

        it('let it act at once for the one that the certificate’s subject names', async () => {
          const named = renewed(first, `/OU=${BIN}/CN=accounting`)
          await save({ tlsCertificatesList: [item(named.pem)] }, other)
          expect(await code(identify(named.der))).to.equal('tlsCertificatePending')
          await save({ tlsCertificatesList: [{ ...item(first.pem), byKey: true }] })
          expect((await identify(named.der)).bin).to.equal(BIN)
          expect((await identify(first.der)).bin).to.equal(BIN)
        })

        it('ignore what others list with another name', async () => {
          const theirs = { ...item(renewed(first, `/OU=${OTHER_BIN}/CN=theirs`).pem), byKey: true }
          await save({ tlsCertificatesList: [theirs] }, other)
          expect(await code(identify(first.der))).to.equal('tlsCertificatePending')
        })

        it('may each list another certificate of one key, and each has its own', async () => {
          const renewal = renewed(first)
          await save({ tlsCertificatesList: [item(first.pem)] })
          await save({ tlsCertificatesList: [item(renewal.pem)] }, other)
          await confirm(BIN)
          await confirm(OTHER_BIN, renewal.der)
          expect([(await identify(first.der)).bin, (await identify(renewal.der)).bin]).to.deep.equal([BIN, OTHER_BIN])
          // The very certificate counts before the key.
          await save({ tlsCertificatesList: [{ ...item(first.pem), byKey: true }] })
          expect([(await identify(first.der)).bin, (await identify(renewal.der)).bin]).to.deep.equal([BIN, OTHER_BIN])
        })

        it('take over nothing proved for another one, even with the key proved for a certificate of their own', async () => {
          const [renewal, third] = [renewed(first), renewed(first)]
          const by = (bin: string) => (bin === BIN ? undefined : other)
          for (const [mine, others] of [
            [BIN, OTHER_BIN],
            [OTHER_BIN, BIN],
          ] as const)
            for (const [wanted, acting] of [
              [{ ...item(renewal.pem), disabled: true }, renewal],
              [{ ...item(first.pem), byKey: true }, third],
            ] as const) {
              await save({ tlsCertificatesList: [] }, by(others))
              await save({ tlsCertificatesList: [item(first.pem)] }, by(mine))
              await confirm(mine)
              await save({ tlsCertificatesList: [{ ...item(renewal.pem), byKey: true }] }, by(others))
              await confirm(others, renewal.der)
              await save({ tlsCertificatesList: [wanted] }, by(mine))
              expect((await identify(acting.der)).bin).to.equal(others)
              expect((await read(by(mine))).tlsCertificatesList).to.have.nested.property('[0].pending', true)
            }
        })

        it('show which of their keys are pending, until they are proved', async () => {
          await save(list, other)
          await save({ tlsCertificatesList: [item(second.pem), item(first.pem)] })
          await confirm(BIN, second.der)
          const shown = async (caller: Caller) =>
            (await registry.get(GetOrganizationSettings).execute(caller)).tlsCertificatesList.map(
              ({ pending }) => pending,
            )
          expect([await shown(headCaller()), await shown(other)]).to.deep.equal([[undefined, true], [true]])
          await confirm(BIN)
          expect([await shown(headCaller()), await shown(other)]).to.deep.equal([[undefined, undefined], [true]])
          // What is answered may be sent back.
          await save(
            { tlsCertificatesList: (await registry.get(GetOrganizationSettings).execute(other)).tlsCertificatesList },
            other,
          )
          expect((await identify(first.der)).bin).to.equal(BIN)
        })

        it('let it act for nobody when the chosen one removes it', async () => {
          await save(list, other)
          await save({ tlsCertificatesList: [item(first.pem)] })
          await confirm(BIN)
          await save({ tlsCertificatesList: [] })
          expect(await code(identify(first.der))).to.equal('tlsCertificatePending')
        })

        it('cannot be confirmed for an organization that does not list it, or has disabled it', async () => {
          await save({ tlsCertificatesList: [{ ...item(first.pem), disabled: true }] })
          expect(await code(confirm(OTHER_BIN))).to.equal('tlsCertificateNotListed')
          expect(await code(confirm(BIN, second.der))).to.equal('tlsCertificateNotListed')
          expect(await code(confirm(BIN))).to.equal('tlsCertificateDisabled')
          expect(await code(identify(first.der))).to.equal('tlsCertificateDisabled')
        })

        it('may list it at once', async () => {
          const url = await open()
          const hosts = await Promise.all([registryWithoutAuthorities(url), registryWithoutAuthorities(url)])
          await Promise.all(
            hosts.map((host, i) =>
              host.get(SaveOrganizationSettings).execute(headCaller({ bin: `BIN12345678903${i}` }), {
                request: {
                  tlsCertificatesList: (i ? [second, first] : [first, second]).map(({ pem }) => item(pem)),
                },
              }),
            ),
          )
          for (const host of hosts) {
            expect(await code(host.get(SystemKeys).identify(first.der))).to.equal('tlsCertificatePending')
            await host.close()
          }
        })
      })

      it('let a right follow its certificate when the list changes without it', async () => {
        await save({
          tlsCertificatesList: [item(first.pem), item(second.pem)],
          documentsAccess: { tlsCertificatesIndices: [0, 1] },
          packagesList: { tlsCertificatesIndices: [1] },
          documentsList: { tlsCertificatesIndices: [0] },
        })
        await save({ tlsCertificatesList: [item(third.pem), item(second.pem)] })
        const { documentsAccess, documentsList } = await read()
        expect(documentsAccess.tlsCertificatesIndices).to.deep.equal([1])
        expect(documentsList.tlsCertificatesIndices).to.deep.equal([])
        const may = async (der: Uint8Array) => Object.values(await permissions(await prove(der)))
        expect(await may(third.der)).to.deep.equal([false, false, false, false])
        expect(await may(second.der)).to.deep.equal([true, false, false, false])

        await save({ tlsCertificatesList: [item(second.pem)] })
        expect(await may(second.der)).to.deep.equal([true, false, false, false])
        const store = registry.get(OrganizationStore)
        expect((await store.find(BIN, 'packagesList'))?.tlsCertificatesIndices).to.deep.equal([0])
        await save({ tlsCertificatesList: [item(renewed(second).pem)] })
        expect((await read()).documentsAccess.tlsCertificatesIndices).to.deep.equal([0])
      })
    })

    describe('are audited', () => {
      it('change by change, with their author', async () => {
        await save({ tlsCertificatesList: [item(first.pem)], organizationSettings: { tlsCertificatesIndices: [0] } })
        const system = await prove(first.der)
        await save({ routingContactEmail: 'a@b.kz', packagesList: { iins: [IIN] } }, system)
        const { eventsTotal, events } = await audit()
        expect(eventsTotal).to.equal(2)
        const [byHead, bySystem] = events
        expect(byHead).to.include({ modifiedBy: IIN, modifiedAt: NOW })
        expect(byHead).to.not.have.property('modifiedByDigest')
        expect(byHead?.original.tlsCertificatesList).to.deep.equal([])
        expect(byHead?.modified.tlsCertificatesList).to.deep.equal([item(first.pem)])
        expect(bySystem).to.include({ modifiedByBusinessId: BIN, modifiedByDigest: first.digest })
        expect(bySystem).to.not.have.property('modifiedBy')
        expect(bySystem?.original).to.deep.equal(byHead?.modified)
        expect(bySystem?.modified).to.deep.equal({
          ...byHead?.modified,
          routingContactEmail: 'a@b.kz',
          packagesList: { ...nobody, iins: [IIN] },
        })
      })

      it('so that each begins where the one before it ended, also when hosts race', async () => {
        const url = await open()
        const hosts = await Promise.all([registryWithoutAuthorities(url), registryWithoutAuthorities(url)])
        await Promise.all(
          Array.from({ length: 8 }, async (_, i) =>
            hosts[i % 2]?.get(SaveOrganizationSettings).execute(headCaller(), {
              request:
                i % 3
                  ? { routingContactEmail: `a${i}@b.kz` }
                  : { tlsCertificatesList: certificates.slice(i % 4).map(({ pem }) => item(pem)) },
            }),
          ),
        )
        const [host] = hosts
        const { eventsTotal, events } = await host.get(GetOrganizationSettingsAudit).execute(headCaller())
        expect(eventsTotal).to.equal(8)
        for (const [i, event] of events.slice(1).entries()) expect(event.original).to.deep.equal(events[i]?.modified)
        const settings = await host.get(GetOrganizationSettings).execute(headCaller())
        const { tlsCertificatesList: listed = [], routingContactEmail } = events.at(-1)?.modified ?? {}
        const tlsCertificatesList = listed.map((one) => ({ ...one, pending: true }))
        expect(settings).to.deep.include({ tlsCertificatesList, routingContactEmail })
        for (const each of hosts) await each.close()
      })

      it('for their organization alone', async () => {
        await save({ routingContactEmail: 'a@b.kz' })
        expect((await audit(headCaller({ bin: OTHER_BIN }))).eventsTotal).to.equal(0)
      })
    })

    it('are not saved by a caller who lost the right while waiting for another save', async () => {
      await save({ organizationSettings: { iins: [OTHER_IIN] } })
      const editor = employeeCaller({ iin: OTHER_IIN })
      const url = 'https://example.kz/'
      const outcomes = await Promise.allSettled([
        save({ organizationSettings: {} }),
        save({ webhooks: { urls: [url] } }, editor),
      ])
      const { events } = await audit()
      const removed = events.findIndex(({ modified }) => modified.organizationSettings?.iins.length === 0)
      // Whoever came first: after the right was gone, nothing was saved by its former holder.
      expect(events.slice(removed).every(({ modifiedBy }) => modifiedBy === IIN)).to.equal(true)
      expect(outcomes[0]?.status).to.equal('fulfilled')
    })

    it('are not saved by a system whose place in the list went to another while it waited', async () => {
      const right = { organizationSettings: { tlsCertificatesIndices: [0] } }
      await save({ tlsCertificatesList: [item(first.pem)], ...right })
      const stale = await prove(first.der)
      await save({ tlsCertificatesList: [item(second.pem), item(first.pem)], ...right })
      expect((await rejectionOf(save({ routingContactEmail: 'a@b.kz' }, stale))).code).to.equal('accessDenied')
      await save({ tlsCertificatesList: [item(second.pem)], ...right })
      expect((await rejectionOf(save({}, stale))).code).to.equal('tlsCertificateNotListed')
      await save({ tlsCertificatesList: [{ ...item(first.pem), disabled: true }], ...right })
      expect((await rejectionOf(save({}, stale))).code).to.equal('tlsCertificateDisabled')
      expect((await audit()).eventsTotal).to.equal(4)
    })

    it('are created once when a BIN is first seen', async () => {
      const store = registry.get(OrganizationStore)
      const database = registry.get(Database)
      const ensure = () => database.transaction(() => store.ensure(BIN, { email: 'a@example.kz' }, NOW))
      const made = (await Promise.all([ensure(), ensure(), ensure()])).filter((settings) => settings !== undefined)
      expect(made).to.deep.equal([{ ...newcomer, subscriptionContactEmail: 'a@example.kz' }])
      expect(await read()).to.deep.equal(made[0])
    })
  })
})
