import { type Administration, FEATURES, openAdministration, type Registry, SUBSCRIPTIONS } from '@signed-registry/core'
import { BuildDdc } from '@signed-registry/core/cards'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetOrganizationSubscription } from '@signed-registry/core/organizations'
import { BeginRawProcedure } from '@signed-registry/core/procedures'
import { GetStrings } from '@signed-registry/core/strings'
import { expect } from 'chai'
import { OrganizationStore } from '#core/organizations/organization-store.js'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { UserSettingsStore } from '#core/settings/user-settings-store.js'
import { BIN, headCaller, IIN, registryWithoutAuthorities, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW, type TestClock, testClock } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'

const all = (enabled: boolean) => FEATURES.map((name) => ({ name, enabled }))

describe('the subscription of an organization', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let administration: Administration
    let clock: TestClock
    beforeEach(async () => {
      clock = testClock()
      const database = await open()
      registry = await registryWithoutAuthorities(database, { clock })
      administration = await openAdministration({ database, clock })
    })
    afterEach(async () => {
      await administration.close()
      await registry.close()
    })
    const read = () => registry.get(GetOrganizationSubscription).execute(headCaller())
    const set = (change: Parameters<Administration['changeSubscription']>[1]) =>
      administration.changeSubscription(BIN, change)
    const features = () => registry.get(Subscriptions)

    it('is free by default, without expiry and with every feature on', async () => {
      expect(await read()).to.deep.equal({ name: 'free', expires: 0, features: all(true) })
      for (const feature of FEATURES) await features().assertEnabled(BIN, feature)
    })

    it('is what the administrator set, from the next request', async () => {
      const given = { name: 'basic', expires: NOW + DAY, contactEmail: 'sales@example.kz' } as const
      const answer = await set({ ...given, disable: ['webhooks', 'documentsArchive'] })
      const expected = {
        ...given,
        features: FEATURES.map((name) => ({ name, enabled: name !== 'webhooks' && name !== 'documentsArchive' })),
      }
      expect(answer).to.deep.equal(expected)
      expect(await read()).to.deep.equal(expected)
      const refusal = await rejectionOf(features().assertEnabled(BIN, 'webhooks'))
      expect(refusal.message).to.equal('Feature is not available on current subscription level')
      expect(refusal.details).to.deep.equal({ feature: 'webhooks' })
      await features().assertEnabled(BIN, 'documentsRouting')
      await features().assertEnabled('BIN123456789022', 'webhooks')
      await features().assertEnabled(undefined, 'webhooks')
    })

    it('without registration registers and preregisters nothing', async () => {
      const preregister = () => registry.get(RegisterDocument).execute(systemCaller(), { request: { title: 'a.pdf' } })
      await preregister()
      await set({ disable: ['documentsRegistration'] })
      expect((await rejectionOf(preregister())).code).to.equal('featureNotAvailable')
    })

    it('without cards builds none', async () => {
      const system = systemCaller()
      const { documentId: id } = await registry.get(RegisterDocument).execute(system, { request: { title: 'a.pdf' } })
      const build = () => registry.get(BuildDdc).execute(system, { id, upload: uploadOf(Buffer.from('a')) })
      const refused = async () => (await rejectionOf(build())).code
      expect(await refused()).to.not.equal('featureNotAvailable')
      await set({ disable: ['documentsCards'] })
      expect(await refused()).to.equal('featureNotAvailable')
    })

    it('without the mobile applications begins no signing in them', async () => {
      const begin = () => registry.get(BeginRawProcedure).execute(headCaller(), { request: { description: '' } })
      await begin()
      await set({ disable: ['governmentMobileSigning'] })
      expect((await rejectionOf(begin())).code).to.equal('featureNotAvailable')
    })

    it('keeps omitted fields in a change', async () => {
      await set({ name: 'basic', contactEmail: 'sales@example.kz', disable: ['webhooks', 'documentsArchive'] })
      await set({ enable: ['webhooks'] })
      await set({ contactEmail: '' })
      expect(await read()).to.deep.equal({
        name: 'basic',
        expires: 0,
        features: FEATURES.map((name) => ({ name, enabled: name !== 'documentsArchive' })),
      })
    })

    it('gives no features once it has expired', async () => {
      await set({ name: 'standard', expires: NOW + 1 })
      expect((await read()).features).to.deep.equal(all(true))
      clock.time += 1
      expect((await read()).features).to.deep.equal(all(false))
      expect((await rejectionOf(features().assertEnabled(BIN, 'webhooks'))).code).to.equal('featureNotAvailable')
    })

    it('has a contact that is one mailbox', async () => {
      expect((await rejectionOf(set({ contactEmail: 'A <a@b.kz>' }))).code).to.equal('invalidNotificationEmail')
    })

    it('loses no concurrent change by administrators', async () => {
      await Promise.all(FEATURES.map((feature) => set({ disable: [feature] })))
      expect((await read()).features).to.deep.equal(all(false))
    })

    it('and its features have translated names', () => {
      const { consts } = registry.get(GetStrings).execute()
      expect(consts.subscriptions).to.have.all.keys([...SUBSCRIPTIONS])
      expect(consts.subscriptionFeatures).to.have.all.keys([...FEATURES])
    })

    it('is listed for all known organizations, page by page', async () => {
      const bins = Array.from({ length: 5 }, (_, i) => `BIN12345678901${i}`)
      const [met, subscribed, archiving, ...others] = bins as [string, string, string]
      const organizations = registry.get(OrganizationStore)
      for (const bin of [met, ...others]) await organizations.ensure(bin, {}, NOW)
      await administration.changeSubscription(subscribed, { name: 'premium' })
      await administration.setArchiveQuota(archiving, { bytes: 5, expires: undefined })
      await administration.setArchiveQuota(met, { bytes: 6, expires: NOW + DAY })
      await registry.get(UserSettingsStore).ensure(IIN, {}, NOW)
      await administration.setArchiveQuota('IIN123456789012', { bytes: 7, expires: undefined })

      const found = []
      for (let page = await administration.accounts.page('organizations', '', 2); page.length > 0; ) {
        expect(page.length).to.be.at.most(2)
        found.push(...page)
        page = await administration.accounts.page('organizations', page.at(-1)?.owner, 2)
      }
      expect(found.map(({ owner }) => owner)).to.deep.equal(bins)
      expect(found[0]).to.include({ dataArchiveQuota: 6, dataArchiveQuotaExpires: NOW + DAY })
      expect(found[1]?.subscription?.name).to.equal('premium')
      const users = await administration.accounts.page('users')
      expect(users.map(({ owner, dataArchiveQuota }) => [owner, dataArchiveQuota])).to.deep.equal([
        [IIN, 100 * 1024 * 1024],
        ['IIN123456789012', 7],
      ])
    })
  })
})
