import { createHash } from 'node:crypto'
import type { Registry } from '@signed-registry/core'
import { readLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { type AuditChange, AuditStore } from '#core/audit/audit-store.js'
import { AuditSeals, authorOf } from '#core/audit/index.js'
import { Database } from '#core/database/database.js'
import { pendingTable } from '#core/log/log-tables.js'
import { LogWorker } from '#core/log/log-worker.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { personCaller, registryWithoutAuthorities, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { keptLog } from '../../support/log/kept-log.js'
import { MINUTE, NOW, type TestClock, testClock } from '../../support/pki/authorities.js'

const OWNER = { ownerKind: 'document', ownerId: 'AAAAAAAAAAAAAAAA' } as const
const CLOSED = { private: true, documentAccess: [{ iin: 'IIN900101300010' }] }
const OPEN = { documentAccess: [{ iin: 'IIN900101300010' }], private: false }

describe('the log of the audit', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let clock: TestClock
    beforeEach(async () => {
      clock = testClock()
      registry = await registryWithoutAuthorities(await open(), { clock, ...keptLog })
    })
    afterEach(() => registry.close())

    const append = (original: object, modified: object, more: Partial<AuditChange> = {}) =>
      registry.get(AuditStore).append({ ...OWNER, original, modified, modifiedAt: NOW, ...more })
    const pending = async (of = registry) =>
      (await of.get(Database).query('registry_log_pending').orderBy('id').select('kind', 'ref'))
        .map((row) => pendingTable.read(row))
        .map(({ kind, ref }) => `${kind} ${ref}`)
    const proved = async (kind: 'settings' | 'seal', ref: number) => {
      await registry.get(LogWorker).run()
      return registry.get(ProveEntry).of(kind, `${ref}`)
    }
    const textOf = async (kind: 'settings' | 'seal', ref: number) => {
      const entry = await proved(kind, ref)
      if (entry.state !== 'logged') throw new Error(`It is ${entry.state}`)
      return Buffer.from(readLogProof(entry.proof).extra ?? [])
        .subarray(32)
        .toString()
    }

    it('has changes that loosen access, and no others', async () => {
      await append(OPEN, CLOSED, authorOf(personCaller()))
      expect(await pending()).to.deep.equal([])
      const eventId = await append(CLOSED, OPEN, authorOf(personCaller()))
      expect(await pending()).to.deep.equal([`6 ${eventId}`])
      expect(await textOf('settings', eventId)).to.equal(
        [
          'settings',
          'ownerKind document',
          'ownerId AAAAAAAAAAAAAAAA',
          `eventId ${eventId}`,
          `modifiedAt ${new Date(NOW).toISOString()}`,
          `modifiedBy ${personCaller().iin}`,
          'modifiedByBusinessId none',
          'modifiedByDigest none',
          'administrator none',
          `before ${sha256('{"documentAccess":[{"iin":"IIN900101300010"}],"private":true}')}`,
          `after ${sha256('{"documentAccess":[{"iin":"IIN900101300010"}],"private":false}')}`,
          '',
        ].join('\n'),
      )
    })

    it('says who made a change: a system by its organization and its certificate', async () => {
      const { bin, certificateDigest } = systemCaller()
      const text = await textOf('settings', await append(CLOSED, OPEN, authorOf(systemCaller())))
      expect(text).to.contain(
        `\nmodifiedBy none\nmodifiedByBusinessId ${bin}\nmodifiedByDigest ${certificateDigest}\nadministrator none\n`,
      )
    })

    it('opens a change by the states that the chain of changes leads to', async () => {
      const ids: number[] = []
      const state = (n: number) => ({ ...CLOSED, title: 'long '.repeat(50), publicWhileLessThanSignatures: n })
      for (let n = 0; n < 45; n += 1) ids.push(await append(state(n), state(n + 1)))
      for (const [n, id] of ids.entries()) {
        expect(await textOf('settings', id)).to.contain(
          `\nbefore ${sha256(sortedState(state(n)))}\nafter ${sha256(sortedState(state(n + 1)))}\n`,
        )
      }
    })

    it('tells that an event, or one before it, is not what was logged, or is gone', async () => {
      const state = (n: number) => ({ ...CLOSED, title: 'long '.repeat(50), publicWhileLessThanSignatures: n })
      const first = await append({}, state(1))
      const second = await append(state(1), state(2))
      expect(await proved('settings', second)).to.include({ state: 'logged' })
      const { query } = registry.get(Database)
      await query('registry_audit_events').where({ event_id: second }).update({ modified_by: personCaller().iin })
      expect(await proved('settings', second)).to.deep.equal({ state: 'changed' })
      await query('registry_audit_events').where({ event_id: second }).update({ modified_by: null })
      expect(await proved('settings', second)).to.include({ state: 'logged' })
      await query('registry_audit_events')
        .where({ event_id: first })
        .update({ modified: JSON.stringify({ ...state(1), title: 'short' }) })
      expect(await proved('settings', second)).to.deep.equal({ state: 'changed' })
      await query('registry_audit_events').where({ event_id: first }).delete()
      expect(await proved('settings', second)).to.deep.equal({ state: 'changed' })
      await query('registry_audit_events').delete()
      expect(await proved('settings', second)).to.deep.equal({ state: 'changed' })
    })

    it('has a change with the transaction that makes it', async () => {
      const failed = registry.get(Database).transaction(async () => {
        await append(CLOSED, OPEN)
        throw new Error('the change fails')
      })
      expect(await failed.catch(String)).to.contain('the change fails')
      expect(await pending()).to.deep.equal([])
    })

    it('has each seal', async () => {
      const eventId = await append(OPEN, CLOSED)
      clock.time += 11 * MINUTE
      await registry.get(AuditSeals).run()
      expect(await pending()).to.deep.equal([`3 ${eventId}`])
      const { head } = await registry.get(AuditSeals).check()
      expect(await textOf('seal', eventId)).to.equal(
        `seal\nlastEventId ${eventId}\nhash ${head}\nsealedAt ${new Date(clock.time).toISOString()}\n`,
      )
    })

    it('has a seal with the transaction that keeps it', async () => {
      await append(OPEN, CLOSED)
      clock.time += 11 * MINUTE
      const { query } = registry.get(Database)
      await query.schema.renameTable('registry_log_pending', 'gone')
      const failed = await registry
        .get(AuditSeals)
        .run()
        .catch(() => 'failed')
      await query.schema.renameTable('gone', 'registry_log_pending')
      expect(failed).to.equal('failed')
      expect((await registry.get(AuditSeals).check()).sealed).to.equal(0)
      await registry.get(AuditSeals).run()
      expect(await pending()).to.have.length(1)
    })

    it('tells that the chain was recomputed', async () => {
      const eventId = await append(OPEN, CLOSED)
      clock.time += 11 * MINUTE
      await registry.get(AuditSeals).run()
      expect(await proved('seal', eventId)).to.include({ state: 'logged' })
      const { query } = registry.get(Database)
      await query('registry_audit_events').update({ owner_id: 'BBBBBBBBBBBBBBBB' })
      await query('registry_audit_seals').delete()
      await registry.get(AuditSeals).run()
      expect(await registry.get(AuditSeals).check()).not.to.have.property('broken')
      expect(await registry.get(ProveEntry).of('seal', `${eventId}`)).to.deep.equal({ state: 'changed' })
    })

    it('is not written where the registry keeps none', async () => {
      const without = await registryWithoutAuthorities(await open(), { clock, log: 'off' })
      await without.get(AuditStore).append({ ...OWNER, original: CLOSED, modified: OPEN, modifiedAt: NOW })
      clock.time += 11 * MINUTE
      await without.get(AuditSeals).run()
      expect((await without.get(AuditSeals).check()).sealed).to.equal(1)
      expect(await pending(without)).to.deep.equal([])
      await without.close()
    })
  })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const sortedState = (state: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1))))
