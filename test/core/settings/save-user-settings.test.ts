import { anonymous, type Caller, type Registry } from '@signed-registry/core'

import { GetUserSettings, GetUserSettingsAudit, SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ArchiveAccounts } from '#core/settings/archive-accounts.js'
import { UserSettingsStore } from '#core/settings/user-settings-store.js'
import {
  employeeCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { NOW, type TestClock, testClock } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'

const QUOTA = 100 * 1024 * 1024
const newcomer = {
  userId: IIN,
  emailNotificationsEnabled: false,
  emailNotificationsRoutingEnabled: false,
  email: '',
  notificationsLanguage: '',
  notificationsOff: [],
  dataArchiveEnabled: false,
  dataArchiveQuota: QUOTA,
  dataArchiveUsage: 0,
  dataArchiveContactEmail: '',
  modifiedAt: 0,
}
const chosen = {
  emailNotificationsEnabled: true,
  emailNotificationsRoutingEnabled: true,
  email: 'a@example.kz',
  notificationsLanguage: '',
  notificationsOff: [],
  dataArchiveEnabled: true,
  dataArchiveContactEmail: 'b@example.kz',
}

describe('settings of a user', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let clock: TestClock
    const read = (caller = personCaller()) => registry.get(GetUserSettings).execute(caller)
    const save = (request: object, caller = personCaller()) =>
      registry.get(SaveUserSettings).execute(caller, { request })
    const audit = (query = {}) => registry.get(GetUserSettingsAudit).execute(personCaller(), { query })

    beforeEach(async () => {
      clock = testClock()
      registry = await registryWithoutAuthorities(await open(), { clock })
    })
    afterEach(() => registry.close())

    it('are defaults until they are saved', async () => {
      expect(await read()).to.deep.equal(newcomer)
      expect(await audit()).to.deep.equal({ userId: IIN, eventsTotal: 0, events: [] })
    })

    it('are what was saved, and when', async () => {
      expect(await save(chosen)).to.deep.equal({ userId: IIN, modifiedAt: NOW })
      expect(await read()).to.deep.equal({ ...newcomer, ...chosen, modifiedAt: NOW })
    })

    it('belong to the person, also when acting as an employee', async () => {
      await save(chosen)
      const settings = await registry.get(GetUserSettings).execute(employeeCaller())
      expect(settings.email).to.equal('a@example.kz')
      expect(await read(personCaller('IIN123456789012'))).to.deep.equal({ ...newcomer, userId: 'IIN123456789012' })
    })

    it('keep omitted fields, and ignore unknown ones', async () => {
      await save(chosen)
      await save({ email: '', quota: 1, userId: 'IIN000000000000' })
      expect(await read()).to.deep.equal({ ...newcomer, ...chosen, email: '', modifiedAt: NOW })
    })

    it('are for people only', async () => {
      const reading = registry.get(GetUserSettings)
      const auditing = registry.get(GetUserSettingsAudit)
      const saving = registry.get(SaveUserSettings)
      for (const attempt of [
        (caller: Caller) => reading.execute(caller),
        (caller: Caller) => saving.execute(caller, { request: {} }),
        (caller: Caller) => auditing.execute(caller),
      ]) {
        expect((await rejectionOf(attempt(anonymous))).code).to.equal('authenticationRequired')
        expect((await rejectionOf(attempt(systemCaller()))).code).to.equal('accessDenied')
      }
    })

    it('take an empty e-mail address or one mailbox', async () => {
      for (const field of ['email', 'dataArchiveContactEmail']) {
        for (const address of [
          'x',
          'A <a@b.kz>',
          'a@b.kz\r\nBcc: c@d.kz',
          'a@b.kz,c@d.kz',
          `${'a'.repeat(250)}@b.kz`,
        ]) {
          const { code, details } = await rejectionOf(save({ [field]: address }))
          expect(code, address).to.equal('invalidNotificationEmail')
          expect(details).to.deep.equal({ field })
        }
        await save({ [field]: '' })
      }
    })

    it('enable the archive only with an address to tell of its quota', async () => {
      const refusal = await rejectionOf(save({ dataArchiveEnabled: true }))
      expect(refusal.code).to.equal('invalidNotificationEmail')
      await save({ dataArchiveContactEmail: 'b@example.kz' })
      await save({ dataArchiveEnabled: true })
      expect((await rejectionOf(save({ dataArchiveContactEmail: '' }))).code).to.equal('invalidNotificationEmail')
      expect((await read()).dataArchiveContactEmail).to.equal('b@example.kz')
      expect((await audit()).eventsTotal).to.equal(2)
    })

    it('are audited change by change', async () => {
      await save({ email: 'a@example.kz' })
      clock.time += 1000
      await save({ emailNotificationsEnabled: true })
      const { eventsTotal, events } = await audit()
      const initial = {
        emailNotificationsEnabled: false,
        emailNotificationsRoutingEnabled: false,
        email: '',
        notificationsLanguage: '',
        notificationsOff: [],
        dataArchiveEnabled: false,
        dataArchiveContactEmail: '',
      }
      const [first, second] = events
      expect(eventsTotal).to.equal(2)
      expect(events).to.deep.equal([
        {
          eventId: first?.eventId,
          original: initial,
          modified: { ...initial, email: 'a@example.kz' },
          modifiedAt: NOW,
        },
        {
          eventId: second?.eventId,
          original: { ...initial, email: 'a@example.kz' },
          modified: { ...initial, email: 'a@example.kz', emailNotificationsEnabled: true },
          modifiedAt: NOW + 1000,
        },
      ])
      expect(second?.eventId).to.be.above(first?.eventId as number)
      expect(await audit({ lastEventId: first?.eventId })).to.deep.equal({ userId: IIN, eventsTotal, events: [second] })
      expect((await audit({ lastEventId: second?.eventId })).events).to.deep.equal([])
    })

    it('are audited in pages', async () => {
      await registry.close()
      registry = await registryWithoutAuthorities(await open(), { limits: { auditEventsPerCall: 2 } })
      for (let i = 0; i < 5; i++) await save({ email: `a${i}@example.kz` })
      const emails: unknown[] = []
      let lastEventId = 0
      for (let page = await audit({ lastEventId }); page.events.length > 0; page = await audit({ lastEventId })) {
        expect(page.events.length).to.be.at.most(2)
        emails.push(...page.events.map(({ modified }) => modified.email))
        lastEventId = page.events.at(-1)?.eventId as number
      }
      expect(emails).to.deep.equal([0, 1, 2, 3, 4].map((i) => `a${i}@example.kz`))
    })

    it('lose no change when two hosts save at once', async () => {
      const url = await open()
      const hosts = [await registryWithoutAuthorities(url), await registryWithoutAuthorities(url)]
      const changes = Array.from({ length: 10 }, async (_, i) =>
        hosts[i % 2]?.get(SaveUserSettings).execute(personCaller(), { request: { email: `a${i}@example.kz` } }),
      )
      await Promise.all(changes)
      const [host] = hosts as [Registry]
      const { eventsTotal, events } = await host.get(GetUserSettingsAudit).execute(personCaller())
      expect(eventsTotal).to.equal(10)
      let before = ''
      for (const { original, modified } of events) {
        expect(original.email).to.equal(before)
        before = modified.email as string
      }
      expect((await host.get(GetUserSettings).execute(personCaller())).email).to.equal(before)
      for (const each of hosts) await each.close()
    })

    it('are created once when an IIN is first seen', async () => {
      const store = registry.get(UserSettingsStore)
      const database = registry.get(Database)
      const ensure = () => database.transaction(() => store.ensure(IIN, { email: 'a@example.kz' }, NOW))
      const made = (await Promise.all([ensure(), ensure(), ensure()])).filter((settings) => settings !== undefined)
      expect(made).to.deep.equal([{ ...newcomer, email: 'a@example.kz' }])
      expect(await read()).to.deep.equal(made[0])
      expect((await audit()).eventsTotal).to.equal(0)
    })

    it('begin without an address when the certificate has none that is one', async () => {
      const store = registry.get(UserSettingsStore)
      expect((await store.ensure(IIN, { email: 'A <a@b.kz>' }, NOW))?.email).to.equal('')
      expect((await store.ensure('IIN123456789012', {}, NOW))?.email).to.equal('')
    })

    it('tell the quota that an administrator set, until it expires', async () => {
      const accounts = registry.get(ArchiveAccounts)
      await Promise.all([1, 2, 3].map(() => accounts.setQuota(IIN, { bytes: 5 * QUOTA, expires: NOW + 1 }, 'admin')))
      expect(await read()).to.include({ dataArchiveQuota: 5 * QUOTA, dataArchiveQuotaExpires: NOW + 1 })
      clock.time += 1
      expect(await read()).to.deep.equal(newcomer)
      await accounts.setQuota(IIN, { bytes: 7, expires: undefined }, 'admin')
      expect(await read()).to.deep.equal({ ...newcomer, dataArchiveQuota: 7 })
      await accounts.setQuota(IIN, { bytes: undefined, expires: undefined }, 'admin')
      expect(await read()).to.deep.equal(newcomer)
    })
  })
})
