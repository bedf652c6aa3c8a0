import type { Registry } from '@signed-registry/core'

import { expect } from 'chai'
import fc from 'fast-check'
import { type AuditEvent, AuditSeals, AuditStore, authorOf } from '#core/audit/index.js'
import { Database } from '#core/database/database.js'
import { anonymous } from '#core/identity/index.js'
import {
  BIN,
  employeeCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MINUTE, NOW, type TestClock, testClock } from '../../support/pki/authorities.js'

describe('the audit', () => {
  forEachDatabase((open) => {
    let registry: Registry
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    afterEach(() => registry.close())

    it('keeps events of each kind of owner apart, with ids that increase across all of them', async () => {
      const audit = registry.get(AuditStore)
      const owners = [
        ['document', 'AAAAAAAAAAAAAAAA'],
        ['document', 'aaaaaaaaaaaaaaaa'],
        ['package', 'AAAAAAAAAAAAAAAA'],
        ['document', 'AAAAAAAAAAAAAAAA'],
      ] as const
      const ids: number[] = []
      for (const [at, [ownerKind, ownerId]] of owners.entries()) {
        const change = { ownerKind, ownerId, original: { at }, modified: { at: at + 1 }, modifiedAt: NOW + at }
        ids.push(await audit.append({ ...change, ...authorOf(at ? systemCaller() : personCaller()) }))
      }
      expect(ids).to.deep.equal([...ids].sort((a, b) => a - b))
      expect(new Set(ids).size).to.equal(4)
      expect(await audit.page('document', 'AAAAAAAAAAAAAAAA')).to.deep.equal({
        eventsTotal: 2,
        events: [
          { eventId: ids[0], original: { at: 0 }, modified: { at: 1 }, modifiedBy: IIN, modifiedAt: NOW },
          {
            eventId: ids[3],
            original: { at: 3 },
            modified: { at: 4 },
            modifiedByBusinessId: BIN,
            modifiedByDigest: systemCaller().certificateDigest,
            modifiedAt: NOW + 3,
          },
        ],
      })
      expect((await audit.page('package', 'AAAAAAAAAAAAAAAA')).eventsTotal).to.equal(1)
      expect((await audit.page('user', 'AAAAAAAAAAAAAAAA')).eventsTotal).to.equal(0)
    })

    describe('stores changes and answers states', () => {
      const owner = ['organization', BIN] as const
      const append = (original: object, modified: object, more: object = {}) =>
        registry.get(AuditStore).append({
          ownerKind: 'organization',
          ownerId: BIN,
          original,
          modified,
          modifiedAt: NOW,
          ...more,
        })
      const kept = async (): Promise<number> => {
        const sum = "sum(length(original) + length(modified) + length(coalesce(`change`, ''))) as n"
        const { query } = registry.get(Database)
        return Number((await query('registry_audit_events').first(query.raw(sum)))?.n)
      }
      /** Reads every page; returns the events and the size of the largest page in bytes. */
      const readAll = async () => {
        const events: AuditEvent<object>[] = []
        let largest = 0
        for (let lastEventId = 0; ; ) {
          const page = await registry.get(AuditStore).page<object>(...owner, { lastEventId })
          const last = page.events.at(-1)
          if (last === undefined) return { events, largest }
          largest = Math.max(largest, JSON.stringify(page.events).length)
          events.push(...page.events)
          lastEventId = last.eventId
        }
      }

      it('for settings of any shape, in any order', async () => {
        const leaf = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(null))
        const { settings } = fc.letrec((tie) => ({
          value: fc.oneof(leaf, tie('settings'), fc.array(tie('value'), { maxLength: 4 })),
          settings: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
        }))
        const states = fc.sample(settings as fc.Arbitrary<object>, { numRuns: 60, seed: 7 })
        for (const [index, state] of states.entries()) {
          // Sometimes the settings change without an event.
          await append(index % 17 === 16 ? { past: index } : (states[index - 1] ?? {}), state)
        }
        const { events } = await readAll()
        expect(events.map(({ modified }) => modified)).to.deep.equal(states)
        for (const [index, { original }] of events.entries()) {
          expect(original).to.deep.equal(index % 17 === 16 ? { past: index } : (states[index - 1] ?? {}))
        }
        const [, , third] = events
        const page = await registry.get(AuditStore).page<object>(...owner, { lastEventId: third?.eventId })
        expect(page.events).to.deep.equal(events.slice(3))
      })

      it('in two megabytes for forty saves of 300 kB, in pages of one megabyte', async () => {
        const logos = Array.from({ length: 10 }, (_, index) => String(index).repeat(30_000))
        const state = (n: number) => ({ logos, description: `saved ${n}` })
        for (let n = 0; n < 40; n++) await append(state(n), state(n + 1))
        expect(await kept()).to.be.below(2_000_000)
        const { events, largest } = await readAll()
        expect(events).to.have.length(40)
        expect(events[39]?.modified).to.deep.equal(state(40))
        expect(largest).to.be.below(2 ** 20)
      })

      it('in pages that are limited in bytes', async () => {
        const state = (n: number) => ({ text: String(n % 10).repeat(300_000) })
        for (let n = 0; n < 4; n++) await append(state(n), state(n + 1))
        const { events } = await registry.get(AuditStore).page(...owner)
        expect(events).to.have.length(1)
      })
    })

    describe('is sealed by a chain of hashes', () => {
      let clock: TestClock
      const events = () => registry.get(Database).query('registry_audit_events')
      const check = (kept?: string) => registry.get(AuditSeals).check(kept)
      const change = (n: number) =>
        registry.get(AuditStore).append({
          ownerKind: 'user',
          ownerId: IIN,
          original: { n },
          modified: { n: n + 1 },
          modifiedBy: IIN,
          modifiedAt: clock.time,
        })
      beforeEach(async () => {
        clock = testClock()
        registry = await registryWithoutAuthorities(await open(), { clock })
        for (let n = 0; n < 5; n++) await change(n)
        clock.time += 10 * MINUTE
        await registry.get(AuditSeals).run()
        await change(5)
        await registry.get(AuditSeals).run()
      })

      it('once events are ten minutes old', async () => {
        const first = await check()
        expect(first).to.deep.include({ sealed: 5, unsealed: 1 })
        clock.time += 10 * MINUTE
        await registry.get(AuditSeals).run()
        const second = await check(first.head)
        expect(second).to.deep.include({ sealed: 6, unsealed: 0, hasKept: true })
        expect(second.head).to.not.equal(first.head)
        expect(await check('f'.repeat(64))).to.deep.include({ hasKept: false })
      })

      const attacks: Record<string, (first: number) => Promise<unknown>> = {
        'a changed event': (id) =>
          events()
            .where({ event_id: id + 1 })
            .update({ modified_by: 'IIN999999999999' }),
        'a removed event': (id) =>
          events()
            .where({ event_id: id + 2 })
            .delete(),
        'the last sealed event, removed': (id) =>
          events()
            .where({ event_id: id + 4 })
            .delete(),
        'an event of another owner': (id) => events().where({ event_id: id }).update({ owner_id: BIN }),
      }
      for (const [name, attack] of Object.entries(attacks)) {
        it(`which shows ${name}`, async () => {
          const row = await events().min({ id: 'event_id' }).first()
          await attack(Number(row?.id))
          expect(await check()).to.have.property('broken')
        })
      }

      it('which shows that it was recomputed, by a hash that was kept', async () => {
        const { head } = await check()
        await registry.get(Database).query('registry_audit_seals').delete()
        await events().limit(1).update({ modified_by: 'IIN999999999999' })
        await registry.get(AuditSeals).run()
        const again = await check(head)
        expect(again).to.deep.include({ hasKept: false })
        expect(again).to.not.have.property('broken')
      })
    })
  })

  it('names people by IIN, and systems by BIN and certificate', () => {
    expect(authorOf(employeeCaller())).to.deep.equal({ modifiedBy: IIN })
    expect(authorOf(systemCaller())).to.deep.equal({
      modifiedByBusinessId: BIN,
      modifiedByDigest: systemCaller().certificateDigest,
    })
    expect(authorOf(anonymous)).to.deep.equal({})
  })
})
