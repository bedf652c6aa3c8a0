import { anonymous } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { publicEntry } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { AuditEntries } from '#core/log/audit-entries.js'
import { LOGGED_KINDS, type LoggedKind } from '#core/log/index.js'
import { LogStore } from '#core/log/log-store.js'
import { entriesTable } from '#core/log/log-tables.js'
import { LogWorker } from '#core/log/log-worker.js'
import { TreeStore } from '#core/log/tree-store.js'
import { UnloggedFacts } from '#core/log/unlogged-facts.js'
import { forEachDatabase } from '../../support/databases.js'
import { LOG_KEY } from '../../support/log-key.js'
import { MINUTE } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

describe('AuditEntries', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open(), { log: { key: LOG_KEY } })
      await test.registry.get(LogWorker).run()
    })
    afterEach(() => test.registry.close())

    const row: typeof entriesTable.row = (values) => entriesTable.row(values)
    const entries = () => test.registry.get(Database).query(entriesTable.name)
    const register = async () => {
      const signature = test.authorities
        .person()
        .signCms(Buffer.from(`${Math.random()}`))
        .toString('base64')
      const { signId = 0 } = await test.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      return `${signId}`
    }
    const current = async () => {
      const log = await test.registry.get(LogStore).begin()
      const audited = await test.registry.get(AuditEntries).log(log.origin)
      if (audited === undefined) throw new Error('There is no log')
      return audited
    }
    /** Compares what the database has of the log, with other entries at some indices. */
    const compare = async (other: Readonly<Record<number, Uint8Array>> = {}) => {
      const log = await current()
      const stored = log.size === 0 ? [] : await test.registry.get(TreeStore).entries(log.log, 0, log.size)
      const served = stored.map((entry, index) => other[index] ?? entry)
      const compared = await test.registry.get(AuditEntries).compare(log, 0, served, async (index) => served[index])
      return compared.map(({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`))
    }
    const notLogged = async (size?: number) => {
      const log = await current()
      const refs: string[] = []
      for await (const { ref } of test.registry.get(UnloggedFacts).of(log, size ?? log.size)) refs.push(ref)
      return refs
    }
    /** Registers, and integrates; answers where the entry of the first stands. */
    const integrated = async (count = 1) => {
      for (let n = 0; n < count; n += 1) await register()
      await test.registry.get(LogWorker).run()
      return (await current()).size - count
    }

    it('says that it cannot compare entries of a kind of a later version', async () => {
      const index = await integrated()
      await entries()
        .where(row({ index }))
        .update(row({ kind: 99 }))
      expect((await compare())[index]).to.equal('unknown')
    })

    /** Two entries: one that nothing opens, of a kind, and the next, which by the database says that this was forgotten. */
    const unopened = async (kind: LoggedKind) => {
      const index = await integrated(2)
      await entries()
        .where(row({ index }))
        .update(row({ kind: LOGGED_KINDS[kind], salt: undefined, ref: '' }))
      await entries()
        .where(row({ index: index + 1 }))
        .update(row({ kind: 0, salt: undefined, ref: `forgotten 0 ${index} ${kind}` }))
      const { origin } = await current()
      const forgotten = { kind: 'forgotten', origin, index, entryKind: kind, reason: 'retention' } as const
      return {
        index,
        forgotten,
        said: async (entry: Uint8Array) => (await compare({ [index + 1]: entry }))[index],
      }
    }

    for (const kind of ['digests', 'delivery', 'settings'] as const)
      it(`believes the log that an entry was forgotten: ${kind}`, async () => {
        const { said, forgotten } = await unopened(kind)
        expect(await said(publicEntry(forgotten))).to.equal('forgotten: retention')
      })

    for (const kind of ['signature', 'seal', 'decision'] as const)
      it(`believes no log that one was forgotten which never is: ${kind}`, async () => {
        const { said, forgotten } = await unopened(kind)
        expect(await said(publicEntry(forgotten))).to.equal('removed')
      })

    it('believes that an entry was forgotten only when the log says so of this one, of its kind, in this log', async () => {
      const { said, forgotten, index } = await unopened('digests')
      expect(await said(publicEntry({ ...forgotten, entryKind: 'settings' }))).to.equal('removed')
      expect(await said(publicEntry({ ...forgotten, index: index + 1 }))).to.equal('removed')
      expect(await said(publicEntry({ ...forgotten, origin: 'another' }))).to.equal('removed')
      expect(await said(publicEntry({ kind: 'logKey', verifierKey: 'x' }))).to.equal('removed')
      expect(await said(Buffer.from('something'))).to.equal('removed')
      expect(await said(Buffer.alloc(32))).to.equal('removed')
    })

    it('says which later log says that an entry was forgotten, and proves it by comparing that one', async () => {
      const index = await integrated(2)
      const logs = () => test.registry.get(Database).query('registry_logs')
      const [old] = await logs().select()
      await entries()
        .where(row({ index }))
        .update(row({ kind: LOGGED_KINDS.digests, salt: undefined, ref: '' }))
      await logs().insert({ ...old, log: 1, name: 'later', origin: 'later' })
      await entries().insert(row({ log: 1, index: 0, kind: 0, salt: undefined, ref: `forgotten 0 ${index} digests` }))
      const audit = test.registry.get(AuditEntries)
      const checkpoints = () => test.registry.get(Database).query('registry_log_checkpoints')
      const covered = (size: number) => checkpoints().insert({ log: 1, size, note: '', signed_at: 0 })
      const at = async (origin: string, first: number, entry: Uint8Array) => {
        const log = await audit.log(origin)
        const [one] = log ? await audit.compare(log, first, [entry], async () => undefined) : []
        return one && `${one.state} ${one.reason ?? one.elsewhere?.origin}`
      }
      expect(await at(old.origin, index, Buffer.alloc(32)), 'in no checkpoint').to.equal('removed undefined')
      await covered(1)
      expect(await at(old.origin, index, Buffer.alloc(32))).to.equal('forgottenElsewhere later')
      const told = { kind: 'forgotten', origin: old.origin, index, reason: 'retention' } as const
      const forgotten = { ...told, entryKind: 'digests' }
      expect(await at('later', 0, publicEntry(forgotten))).to.equal('public undefined')
      expect(await at('later', 0, publicEntry({ ...forgotten, index: index + 1 }))).to.equal('changed undefined')
      expect(await at('later', 0, publicEntry({ ...forgotten, origin: 'later' }))).to.equal('changed undefined')
      expect(await at('later', 0, publicEntry({ ...forgotten, entryKind: 'seal' }))).to.equal('changed undefined')
      for (const nowhere of [1, -1]) {
        await entries()
          .where(row({ log: 1 }))
          .update(row({ index: nowhere }))
        expect(await at(old.origin, index, Buffer.alloc(32)), `${nowhere}`).to.equal('removed undefined')
      }
      await logs().where({ log: 1 }).delete()
    })

    it('finds what waits for its entry longer than ten minutes', async () => {
      await integrated()
      const signId = await register()
      expect(await notLogged()).to.deep.equal([])
      test.clock.time += 10 * MINUTE - 1
      expect(await notLogged()).to.deep.equal([])
      test.clock.time += 1
      expect(await notLogged()).to.deep.equal([signId])
      await test.registry.get(LogWorker).run()
      expect(await notLogged()).to.deep.equal([])
    })

    it('takes no fact for a new one whose time is yet to come', async () => {
      const signId = await register()
      const { query } = test.registry.get(Database)
      await query('registry_log_pending').delete()
      await query('registry_signatures').update({ stored_at: test.clock.time + 10 * MINUTE })
      expect(await notLogged()).to.deep.equal([signId])
    })

    it('takes no fact for a new one whose time is none, and passes over none by its number', async () => {
      const { query, dialect } = test.registry.get(Database)
      const signId = await register()
      await query('registry_log_pending').delete()
      const signature = await query('registry_signatures').where({ sign_id: signId }).first('sign_id', 'stored_at')
      test.clock.time += 10 * MINUTE
      // MariaDB keeps numbers from zero on in these columns, and nothing else.
      const onSqlite = [{ sign_id: -7 }, { stored_at: 'yesterday' }]
      for (const change of [{ sign_id: 0 }, ...(dialect === 'sqlite' ? onSqlite : [])]) {
        await query('registry_signatures').update(change)
        const { sign_id: found } = { ...signature, ...change }
        expect(await notLogged()).to.deep.equal([`${found}`])
        await query('registry_signatures').update(signature)
      }
    })

    it('counts no entry that is at no place of a tree', async () => {
      const index = await integrated()
      const { dialect } = test.registry.get(Database)
      test.clock.time += 10 * MINUTE
      expect(await notLogged()).to.deep.equal([])
      let at = index
      for (const nowhere of dialect === 'sqlite' ? [-1, 0.5] : [-1]) {
        await entries()
          .where(row({ index: at }))
          .update(row({ index: nowhere }))
        at = nowhere
        expect(await notLogged(), `${nowhere}`).to.have.length(1)
      }
    })

    it('takes two rows of one entry for a change, as one of them could name what is in no entry', async () => {
      const index = await integrated()
      const { query } = test.registry.get(Database)
      await query.schema.renameTable('registry_log_entries', 'entries_with_a_key')
      await query.raw('create table registry_log_entries as select * from entries_with_a_key')
      expect((await compare())[index]).to.equal('asLogged')
      await entries().insert(row({ log: 0, index, kind: LOGGED_KINDS.signature, ref: '77', salt: Buffer.alloc(32) }))
      expect((await compare())[index]).to.equal('changed')
      await query.schema.dropTable('registry_log_entries')
      await query.schema.renameTable('entries_with_a_key', 'registry_log_entries')
    })

    it('counts entries of the compared tree alone', async () => {
      const index = await integrated(2)
      test.clock.time += 10 * MINUTE
      expect(await notLogged(index + 1)).to.have.length(1)
      expect(await notLogged(index + 2)).to.deep.equal([])
    })

    it('counts no entry that nothing opens', async () => {
      const index = await integrated()
      await entries()
        .where(row({ index }))
        .update(row({ salt: undefined }))
      test.clock.time += 10 * MINUTE
      expect(await notLogged()).to.have.length(1)
    })

    it('says which other log names a fact, where the registry has it and a checkpoint of it covers the entry', async () => {
      const index = await integrated(2)
      test.clock.time += 10 * MINUTE
      const { query } = test.registry.get(Database)
      const log = await current()
      const others = async () => {
        const found: (string | undefined)[] = []
        for await (const { elsewhere } of test.registry.get(UnloggedFacts).of(log, log.size))
          found.push(elsewhere?.origin)
        return found
      }
      await entries()
        .where(row({ index: index + 1 }))
        .update(row({ log: 1 }))
      expect(await others()).to.deep.equal([undefined])
      const [checkpoint] = await query('registry_log_checkpoints').select()
      await query('registry_log_checkpoints').insert({ ...checkpoint, log: 1, size: index + 1 })
      await query('registry_log_checkpoints').insert({ ...checkpoint, log: 2, size: index + 2 })
      expect(await others()).to.deep.equal([undefined])
      const [row0] = await query('registry_logs').select()
      await query('registry_logs').insert({ ...row0, log: 1, name: 'other', origin: 'other' })
      expect(await others()).to.deep.equal([undefined])
      await query('registry_log_checkpoints').insert({ ...checkpoint, log: 1, size: index + 2 })
      expect(await others()).to.deep.equal(['other'])
      await query('registry_logs').where({ log: 1 }).delete()
      expect(await others()).to.deep.equal([undefined])
    })

    it('looks through any number of facts', async () => {
      const index = await integrated()
      const { query } = test.registry.get(Database)
      const signature = await query('registry_signatures').first()
      const first = Number(signature.sign_id) + 1
      const rows = Array.from({ length: 1100 }, (_, n) => {
        const fingerprint = Buffer.alloc(32)
        fingerprint.writeUInt32BE(n)
        return { ...signature, sign_id: first + n, fingerprint }
      })
      for (let at = 0; at < rows.length; at += 50) await query('registry_signatures').insert(rows.slice(at, at + 50))
      test.clock.time += 10 * MINUTE
      expect(await notLogged()).to.deep.equal(rows.map(({ sign_id }) => `${sign_id}`))
      await query('registry_signatures').where('sign_id', '>=', first).delete()
      expect((await compare())[index]).to.equal('asLogged')
    })
  })
})
