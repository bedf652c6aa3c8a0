import { anonymous, type Caller, type Registry, SystemKeys } from '@signed-registry/core'

import { expect } from 'chai'
import { apiOf, type TestApi } from '../../support/api-of.js'
import { clientCertificate } from '../../support/client-certificate.js'
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

const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const QUOTA = 100 * 1024 * 1024
const { pem, key, der } = clientCertificate()

forEachDatabase((open) => {
  describe('settings over HTTP', () => {
    let registry: Registry
    let api: TestApi
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
      api = await apiOf(registry)
    })
    afterEach(async () => {
      await api.app.close()
      await registry.close()
    })
    const get = async (caller: Caller, url: string) => (await api.ask(caller, 'GET', url)).json
    const post = (caller: Caller, url: string, body: unknown) => api.ask(caller, 'POST', url, body)

    it('of a user are read, saved and audited', async () => {
      const person = personCaller()
      const saved = await post(person, '/settings', { email: 'a@example.kz', emailNotificationsEnabled: true, x: 1 })
      expect(saved).to.deep.equal({ status: 200, json: { userId: IIN, modifiedAt: NOW } })
      const choices = {
        emailNotificationsEnabled: true,
        emailNotificationsRoutingEnabled: false,
        email: 'a@example.kz',
        notificationsLanguage: '',
        notificationsOff: [],
        dataArchiveEnabled: false,
        dataArchiveContactEmail: '',
      }
      expect(await get(person, '/settings')).to.deep.equal({
        userId: IIN,
        ...choices,
        dataArchiveQuota: QUOTA,
        dataArchiveUsage: 0,
        modifiedAt: NOW,
      })
      const audit = await get(person, '/settingsAudit')
      const [{ eventId }] = audit.events
      expect(audit).to.deep.equal({
        userId: IIN,
        eventsTotal: 1,
        events: [
          {
            eventId,
            original: { ...choices, email: '', emailNotificationsEnabled: false },
            modified: choices,
            modifiedAt: NOW,
          },
        ],
      })
      expect((await get(person, `/settingsAudit?lastEventId=${eventId}`)).events).to.deep.equal([])
    })

    it('of an organization are read, saved and audited', async () => {
      const head = headCaller()
      const certificate = {
        description: 'ЭДО',
        body: pem,
        disabled: false,
        byKey: false,
        settings: {
          ddcHowToVerifyStrings: { ru: 'как', kk: 'қалай' },
          qrOrganisationName: { ru: 'р', kk: 'қ', en: 'e' },
          qrLogo: png({ width: 102, height: 102 }).toString('base64'),
          ddcLogo: png({ width: 200, height: 100 }).toString('base64'),
          ddcLogoString: { ru: 'знак', kk: 'белгі' },
          ddcLogoDisable: false,
        },
      }
      const chosen = {
        tlsCertificatesList: [certificate],
        documentsAccess: { ...nobody, tlsCertificatesIndices: [0] },
        documentsList: nobody,
        documentsSettings: nobody,
        organizationSettings: { ...nobody, tlsCertificatesIndices: [0] },
        documentsPackagesRoute: nobody,
        routedDocumentsPackagesView: nobody,
        webhooks: { urls: ['https://example.kz/a'], routingUrls: [] },
        dataArchiveEnabled: true,
        dataArchiveContactEmail: 'a@example.kz',
        subscriptionContactEmail: 'b@example.kz',
        routingContactEmail: 'c@example.kz',
      }
      const packages = { packagesList: { iins: [IIN] } }
      expect(await post(head, '/organizationSettings', { ...chosen, ...packages })).to.deep.equal({
        status: 200,
        json: { businessId: BIN, modifiedAt: NOW },
      })
      expect(await get(head, '/organizationSettings')).to.deep.equal({
        businessId: BIN,
        ...chosen,
        tlsCertificatesList: [{ ...certificate, pending: true }],
        dataArchiveQuota: QUOTA,
        dataArchiveUsage: 0,
        modifiedAt: NOW,
      })
      await registry.get(SystemKeys).confirm(der, BIN)
      await post(systemCaller({ certificate: der.toString('base64') }), '/organizationSettings', {
        routingContactEmail: '',
      })
      const { businessId, eventsTotal, events } = await get(head, '/organizationSettingsAudit')
      expect({ businessId, eventsTotal }).to.deep.equal({ businessId: BIN, eventsTotal: 2 })
      expect(events[0].modified).to.deep.include({ ...chosen, packagesList: { ...nobody, iins: [IIN] } })
      expect(events[1]).to.deep.include({
        modifiedByBusinessId: BIN,
        modifiedByDigest: systemCaller().certificateDigest,
      })
      expect(events[1]).to.not.have.property('modifiedBy')
      expect(events[1].original).to.deep.equal(events[0].modified)
      expect((await get(head, `/organizationSettingsAudit?lastEventId=${events[0].eventId}`)).events.length).to.equal(1)
    })

    it('tell permissions and the subscription', async () => {
      expect(await get(employeeCaller(), '/organizationPermissions')).to.deep.equal({
        documentsAccess: false,
        documentsList: false,
        documentsSettings: false,
        organizationSettings: false,
      })
      const subscription = await get(headCaller(), '/organizationSubscription')
      expect(subscription).to.include({ name: 'free', expires: 0 })
      expect(subscription.features.length).to.be.above(0)
      expect(subscription.features.every(({ enabled }: { enabled: boolean }) => enabled)).to.equal(true)
      const { consts } = await get(anonymous, '/strings')
      expect(consts.subscriptions).to.have.property('free')
      expect(consts.subscriptionFeatures).to.have.all.keys(
        subscription.features.map(({ name }: { name: string }) => name),
      )
    })

    const organizationEndpoints = [
      '/organizationSettings',
      '/organizationSettingsAudit',
      '/organizationPermissions',
      '/organizationSubscription',
    ]
    it('are refused to anonymous callers, and organizations to people on their own', async () => {
      for (const url of ['/settings', '/settingsAudit', ...organizationEndpoints]) {
        const { status, json } = await api.ask(anonymous, 'GET', url)
        expect({ status, message: json.message }, url).to.deep.equal({
          status: 401,
          message: 'Authentication required',
        })
      }
      for (const url of organizationEndpoints) {
        const { status, json } = await api.ask(personCaller(), 'GET', url)
        expect({ status, message: json.message }, url).to.deep.equal({
          status: 403,
          message: 'User does not represent an organization',
        })
      }
      for (const url of ['/settings', '/organizationSettings']) {
        expect((await post(anonymous, url, {})).status).to.equal(401)
        expect((await post(systemCaller(), url, {})).json.message).to.equal('Access denied')
      }
    })

    const malformed: Record<string, [url: string, body: unknown]> = {
      'a number for a flag': ['/settings', { emailNotificationsEnabled: 1 }],
      'null for an address': ['/settings', { email: null }],
      'a list': ['/settings', []],
      'an index with a fraction': ['/organizationSettings', { documentsList: { tlsCertificatesIndices: [0.5] } }],
      'an index as text': ['/organizationSettings', { documentsList: { tlsCertificatesIndices: ['0'] } }],
      'one OID without a list': ['/organizationSettings', { documentsList: { authorities: '1.2.3' } }],
      'a certificate without body': ['/organizationSettings', { tlsCertificatesList: [{ description: '' }] }],
      'certificates for one': ['/organizationSettings', { tlsCertificatesList: { body: pem } }],
      'an organization name without English': [
        '/organizationSettings',
        { tlsCertificatesList: [{ body: pem, settings: { qrOrganisationName: { ru: 'р', kk: 'қ' } } }] },
      ],
      'an organization name that is blank': [
        '/organizationSettings',
        { tlsCertificatesList: [{ body: pem, settings: { qrOrganisationName: { ru: 'р', kk: 'қ', en: ' ' } } }] },
      ],
      'a caption without any language': [
        '/organizationSettings',
        { tlsCertificatesList: [{ body: pem, settings: { ddcLogoString: {} } }] },
      ],
      'a caption in a language of no card': [
        '/organizationSettings',
        { tlsCertificatesList: [{ body: pem, settings: { ddcLogoString: { ru: 'р', en: 'e' } } }] },
      ],
      'instructions that are blank': [
        '/organizationSettings',
        { tlsCertificatesList: [{ body: pem, settings: { ddcHowToVerifyStrings: { kk: ' ' } } }] },
      ],
    }
    it('are refused with instructions in a language other than ru and kk, which is named', async () => {
      const ddcHowToVerifyStrings = { ru: 'как', qazaqsha: 'қалай' }
      const list = [{ body: pem, settings: { ddcHowToVerifyStrings } }]
      const { status, json } = await post(headCaller(), '/organizationSettings', { tlsCertificatesList: list })
      expect([status, json.code, json.details]).to.deep.equal([
        400,
        'invalidJsonStructure',
        {
          part: 'body',
          path: '/tlsCertificatesList/0/settings/ddcHowToVerifyStrings/qazaqsha',
          problem: 'is no language: ru, kk',
        },
      ])
    })
    for (const [name, [url, body]] of Object.entries(malformed)) {
      it(`are refused with ${name}`, async () => {
        const { status, json } = await post(headCaller(), url, body)
        expect({ status, message: json.message }).to.deep.equal({
          status: 400,
          message: 'Invalid JSON request structure',
        })
      })
    }

    it('never answer a private key that was pasted in', async () => {
      const { status, json } = await post(headCaller(), '/organizationSettings', {
        tlsCertificatesList: [{ body: key }],
      })
      expect(status).to.equal(400)
      expect(json.message).to.equal('One of the provided TLS certificates can not be used for authentication')
      expect(JSON.stringify(json)).to.not.include('PRIVATE KEY')
    })

    it('read lastEventId as a number', async () => {
      for (const url of ['/settingsAudit', '/organizationSettingsAudit']) {
        const { status, json } = await api.ask(headCaller(), 'GET', `${url}?lastEventId=x`)
        expect({ status, message: json.message }).to.deep.equal({ status: 400, message: 'Invalid URL query parameter' })
        for (const [far, expected] of [
          ['-1', 200],
          ['9007199254740991', 200],
          ['99999999999999999999', 400],
          ['1e300', 400],
        ] as const) {
          expect((await api.ask(headCaller(), 'GET', `${url}?lastEventId=${far}`)).status, far).to.equal(expected)
        }
      }
    })
  })
})
