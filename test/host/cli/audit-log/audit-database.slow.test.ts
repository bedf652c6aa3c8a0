import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, siteAt } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { expect } from 'chai'
import { AuditSeals, AuditStore } from '#core/audit/index.js'
import { Database } from '#core/database/database.js'
import { openDatabase, openToRead } from '#core/database/open.js'
import { LOGGED_KINDS, LogEntries, LogWorker } from '#core/log/index.js'
import { entriesTable, forgottenRef } from '#core/log/log-tables.js'
import { auditLog } from '#host/cli/audit-log/audit-log.js'
import { forEachDatabase } from '../../../support/databases.js'
import { LogServer } from '../../../support/log/log-server.js'
import { MemoryLog } from '../../../support/log/memory-log.js'
import { registryLog } from '../../../support/log/registry-log.js'
import { auditJson, auditText } from '../../../support/log/run-audit.js'
import { LOG_KEY } from '../../../support/log-key.js'
import { MINUTE } from '../../../support/pki/authorities.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../../support/registry.js'

describe('signed-registry audit-log compares a database', () => {
  forEachDatabase((open) => {
    let folder: string
    let database: string
    let test: TestRegistry
    let server: LogServer
    let key: string
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'audit-'))
      database = await open()
      server = await LogServer.start()
      const site = siteAt(server.url)
      test = await testRegistry(database, { log: { key: LOG_KEY }, site })
      server.serve(registryLog(test.registry))
      for (let n = 0; n < 3; n += 1) await register()
      await integrate()
      key = (await test.registry.get(GetLog).execute()).verifierKey ?? ''
    })
    after(async () => {
      await test.registry.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const integrate = () => test.registry.get(LogWorker).run()
    const query = () => test.registry.get(Database).query
    const register = async () => {
      const data = Buffer.from(`I owe you ${Math.random()} tenge.`)
      const signature = test.authorities.person().signCms(data).toString('base64')
      const { documentId, signId = 0 } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature } })
      return { documentId, signId, data }
    }
    const audit = async (more: readonly string[] = []) => {
      const state = join(folder, 'state.json')
      return auditJson([server.url, '--key', key, '--state', state, '--with-database', database, ...more])
    }
    /** Does something to the database, audits, and undoes it. */
    const auditAfter = async (change: () => Promise<() => Promise<unknown>>) => {
      const undo = await change()
      try {
        return await audit()
      } finally {
        await undo()
      }
    }
    /** Changes a column of a signature. */
    const changed = async (signId: number, column: string, value: string | number | Buffer | null) => {
      const rows = () => query()('registry_signatures').where({ sign_id: signId })
      const before = await rows().first(column)
      await rows().update({ [column]: value })
      return () => rows().update({ [column]: before[column] })
    }
    /** Deletes rows. */
    const deleted = async (table: string, where: object) => {
      const rows = await query()(table).where(where).select()
      await query()(table).where(where).delete()
      return () => query()(table).insert(rows)
    }
    /** Three changes of settings, sealed, and their seal in the log. */
    const sealedEvents = async () => {
      const [owner, modifiedAt] = ['IIN123456789011', test.clock.time]
      for (let n = 0; n < 3; n += 1) {
        const change = { original: { n }, modified: { n: n + 1 }, modifiedBy: owner, modifiedAt }
        await test.registry.get(AuditStore).append({ ownerKind: 'user', ownerId: owner, ...change })
      }
      test.clock.time += 10 * MINUTE
      await test.registry.get(AuditSeals).run()
      await integrate()
    }
    const entryOf = async (kind: number, ref: string) => {
      const entry = await query()('registry_log_entries').where(entriesTable.row({ kind, ref })).first('idx')
      return Number(entry.idx)
    }

    it('opens every entry as it was logged', async () => {
      const { documentId, data } = await register()
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      await integrate()
      const { code, wrong, database: counts, log, key: told } = await audit()
      expect([code, wrong]).to.deep.equal([0, []])
      expect(counts).to.deep.include({ changed: 0, removed: 0, unknown: 0, olderThanLog: 0 })
      expect(Object(counts).asLogged).to.be.greaterThan(4)
      expect(log).to.deep.include({ address: (await test.registry.get(GetLog).execute()).address })
      expect(told).to.include({ source: 'given', isTold: false })
    })

    it('takes it from the environment, where no list of processes shows its password', async () => {
      const withDatabase = async (args: readonly string[], env: Record<string, string>) =>
        (await auditText([...args, '--key', key, '--state', join(folder, 'environment.json')], 20_000, env)).out
      for (const args of [
        [server.url, '--with-database'],
        ['--with-database', server.url],
      ])
        expect(await withDatabase(args, { DATABASE_URL: database })).to.match(/\ndatabase +\d+ entries opened/)
      const [variables, file] = [join(folder, 'environment'), join(folder, 'registry.config.mjs')]
      writeFileSync(variables, `DATABASE_URL='${database}'\nDATA_DIR='${folder}'\n`)
      writeFileSync(
        file,
        `export default { settings: ${JSON.stringify({ DATABASE_URL: database, DATA_DIR: folder })} }\n`,
      )
      for (const env of [{ ENVIRONMENT_FILE: variables }, { REGISTRY_CONFIG: file }])
        expect(await withDatabase([server.url, '--with-database'], env)).to.match(/\ndatabase +\d+ entries opened/)
      const refused = await withDatabase([server.url, '--with-database'], {}).catch((error) => error)
      expect(refused).to.include({ name: 'UsageError' })
      expect(String(refused)).to.include('DATABASE_URL, which is not set')
    })

    it('tells programs why it ended early', async () => {
      const said: string[] = []
      const console = { env: {}, err: () => undefined, out: (text: string) => said.push(text) }
      const args = [server.url, '--key', key, '--state', join(folder, 'other.json'), '--with-database', await open()]
      const error = await auditLog([...args, '--json'], console).catch((reason) => reason)
      expect(said).to.have.length(1)
      expect(JSON.parse(said[0] ?? '')).to.include({ outcome: 'failed', error: error.message })
    })

    it('cannot write into it', async () => {
      const reading = openToRead(database)
      try {
        const refused = await reading('registry_signatures')
          .update({ stored_at: 1 })
          .catch((error: unknown) => error)
        expect(String(refused)).to.match(/readonly|READ ONLY/i)
      } finally {
        await reading.destroy()
      }
    })

    describe('of a malicious operator, who', () => {
      let victim: Awaited<ReturnType<typeof register>>
      let index: number
      before(async () => {
        victim = await register()
        await integrate()
        index = await entryOf(1, `${victim.signId}`)
      })

      it('removes a registered signature', async () => {
        const found = await auditAfter(() => deleted('registry_signatures', { sign_id: victim.signId }))
        expect(found).to.deep.include({ code: 1, wrong: ['removed'] })
        expect(found.findings.at(-1)).to.deep.include({ index, facts: { kind: 'signature', ref: `${victim.signId}` } })
      })

      it('removes it with what opens its entry', async () => {
        const found = await auditAfter(async () => {
          const undo = await deleted('registry_signatures', { sign_id: victim.signId })
          const undoEntry = await deleted('registry_log_entries', { log: 0, idx: index })
          return () => undo().then(undoEntry)
        })
        expect(found).to.deep.include({ code: 1, wrong: ['removed'] })
        expect(found.findings.at(-1)).to.include({ index })
      })

      for (const [what, column, value] of [
        ['the evidence', 'time_stamp', Buffer.from('another')],
        ['where the evidence stands', 'time_stamp', Buffer.from([0, 255, 255, 255, 255, 0, 0, 0, 9])],
        ['the signature', 'signature', Buffer.from('another')],
        ['the status answer', 'ocsp', null],
        ['when it was stored', 'stored_at', 1_700_000_000_000],
        ['the hashes that were signed', 'signed_digests', '{}'],
      ] as const) {
        it(`changes ${what}`, async () => {
          const found = await auditAfter(() => changed(victim.signId, column, value))
          expect(found).to.deep.include({ code: 1, wrong: ['changed'] })
          const finding = found.findings.at(-1)
          expect(finding).to.include({ index })
          expect(finding?.text).to.include(`signature ${victim.signId}`)
          expect(finding?.facts).to.include({ ref: `${victim.signId}` })
        })
      }

      it('changes a hash that was fixed', async () => {
        const { documentId, data } = await register()
        await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
        await integrate()
        const hashes = () => query()('registry_document_digests').where({ document_id: documentId })
        const found = await auditAfter(async () => {
          const { value } = await hashes().first('value')
          await hashes().update({ value: createHash('sha256').update('another').digest() })
          return () => hashes().update({ value })
        })
        expect(found).to.deep.include({ code: 1, wrong: ['changed'] })
        expect(found.findings.at(-1)?.text).to.include(`hashes of document ${documentId} is not as it was logged`)
      })

      it('removes what opens an entry, without saying that it was forgotten', async () => {
        const entry = () => query()('registry_log_entries').where({ log: 0, idx: index })
        const found = await auditAfter(async () => {
          const { salt } = await entry().first('salt')
          await entry().update({ salt: null })
          return () => entry().update({ salt })
        })
        expect(found).to.deep.include({ code: 1, wrong: ['removed', 'notLogged'] })
        expect(found.findings.find(({ code }) => code === 'removed')).to.include({ index })
      })

      it('says in the database alone that it was forgotten', async () => {
        const entry = () => query()('registry_log_entries').where({ log: 0, idx: index })
        const other = () => query()('registry_log_entries').where({ log: 0, idx: 0 })
        const found = await auditAfter(async () => {
          const { salt } = await entry().first('salt')
          const before = await other().first('kind', 'ref')
          await entry().update({ salt: null })
          await other().update({ kind: 0, ref: `forgotten 0 ${index} signature` })
          return async () => {
            await entry().update({ salt })
            await other().update(before)
          }
        })
        expect(found.wrong).to.include('removed').and.include('changed')
      })

      it('replaces what opens an entry', async () => {
        const entry = () => query()('registry_log_entries').where({ log: 0, idx: index })
        const found = await auditAfter(async () => {
          const { salt } = await entry().first('salt')
          await entry().update({ salt: Buffer.alloc(32) })
          return () => entry().update({ salt })
        })
        expect(found).to.deep.include({ code: 1, wrong: ['changed'] })
      })

      it('changes rows of the tree: what is served counts, which is then not proved', async () => {
        const bundle = () => query()('registry_log_bundles').where({ log: 0, idx: 0 })
        const found = await auditAfter(async () => {
          const { entries } = await bundle().first('entries')
          const wrong = Buffer.from(entries)
          wrong[10] = (wrong[10] ?? 0) ^ 1
          await bundle().update({ entries: wrong })
          return () => bundle().update({ entries })
        })
        expect(found).to.deep.include({ code: 3, wrong: [], unread: ['entriesUnproved'] })
      })

      it('registers past the log', async () => {
        const found = await auditAfter(async () => {
          const row = await query()('registry_signatures').where({ sign_id: victim.signId }).first()
          const sign_id = victim.signId + 1000
          await query()('registry_signatures').insert({ ...row, sign_id, fingerprint: Buffer.alloc(32, 1) })
          return () => query()('registry_signatures').where({ sign_id }).delete()
        })
        expect(found).to.deep.include({ code: 1, wrong: ['notLogged'] })
        expect(found.findings.at(-1)?.facts).to.include({ kind: 'signature', ref: `${victim.signId + 1000}` })
      })

      it('names an entry for it that the log does not have', async () => {
        const found = await auditAfter(async () => {
          const row = await query()('registry_signatures').where({ sign_id: victim.signId }).first()
          const sign_id = victim.signId + 1000
          await query()('registry_signatures').insert({ ...row, sign_id, fingerprint: Buffer.alloc(32, 1) })
          const entry = entriesTable.row({
            log: 0,
            index: 1_000_000,
            kind: 1,
            ref: `${sign_id}`,
            salt: Buffer.alloc(32),
          })
          await query()('registry_log_entries').insert(entry)
          return async () => {
            await query()('registry_signatures').where({ sign_id }).delete()
            await query()('registry_log_entries').where({ idx: 1_000_000 }).delete()
          }
        })
        expect(found).to.deep.include({ code: 1, wrong: ['notLogged'] })
      })

      it('names an entry for it in a log that there never was, or in an earlier one', async () => {
        const logs = () => query()('registry_logs')
        const row = await query()('registry_signatures').where({ sign_id: victim.signId }).first()
        const sign_id = victim.signId + 1000
        const undo = async () => {
          await query()('registry_signatures').where({ sign_id }).delete()
          for (const table of ['entries', 'checkpoints'])
            await query()(`registry_log_${table}`).where({ log: -1 }).delete()
        }
        const insertion = async () => {
          await query()('registry_signatures').insert({ ...row, sign_id, fingerprint: Buffer.alloc(32, 1) })
          const of = { kind: LOGGED_KINDS.signature, ref: `${sign_id}`, salt: Buffer.alloc(32) }
          await query()('registry_log_entries').insert(entriesTable.row({ log: -1, index: 0, ...of }))
          const checkpoint = { size: 1, note: '', signed_at: 1, stamp: null, stamped_at: null }
          await query()('registry_log_checkpoints').insert({ log: -1, ...checkpoint })
          return undo
        }
        expect((await auditAfter(insertion)).wrong).to.deep.equal(['notLogged'])
        const found = await auditAfter(async () => {
          await logs().insert({ ...(await logs().first()), log: -1, name: 'earlier', origin: 'earlier.example/log' })
          await insertion()
          return async () => {
            await undo()
            await logs().where({ log: -1 }).delete()
          }
        })
        expect(found).to.deep.include({ code: 3, wrong: [], unread: ['loggedElsewhere'] })
        expect(found.findings.at(-1)?.text).to.equal(
          '1 facts of the database are in the log earlier.example/log, as the database says: audit that log with the same database and this folder of --state, then this one again, which proves it',
        )
      })

      it('says in the database alone that a later log says that something was forgotten', async () => {
        const { documentId, data } = await register()
        await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
        await integrate()
        const { address } = await test.registry.get(GetLog).execute()
        const digests = await entryOf(LOGGED_KINDS.digests, documentId)
        const entry = () => query()('registry_log_entries').where({ log: 0, idx: digests })
        const { salt } = await entry().first('salt')
        const later = {
          ...(await query()('registry_logs').first()),
          log: 1,
          name: 'later',
          origin: 'later.example/log',
        }
        const ref = forgottenRef({ log: 0, index: digests }, 'digests')
        const saying = { log: 1, index: 0, kind: LOGGED_KINDS.public, ref, salt: undefined }
        const fixed = () => query()('registry_document_digests').where({ document_id: documentId })
        const hashes = await fixed().select()
        await query()('registry_logs').insert(later)
        await query()('registry_log_entries').insert(entriesTable.row(saying))
        const signed = { log: 1, size: 1, note: '', signed_at: 1, stamp: null, stamped_at: null }
        await query()('registry_log_checkpoints').insert(signed)
        await entry().update({ salt: null })
        await fixed().delete()
        const document = () => query()('registry_documents').where({ id: documentId })
        const { digests_fixed_at } = await document().first('digests_fixed_at')
        await document().update({ digests_fixed_at: null })
        const args = [address, '--key', key, '--state', join(folder, 'state.json'), '--with-database', database]
        const { code, wrong, unread, findings } = await auditJson(args)
        for (const table of ['log_entries', 'log_checkpoints', 'logs'])
          await query()(`registry_${table}`).where({ log: 1 }).delete()
        await entry().update({ salt })
        await document().update({ digests_fixed_at })
        await query()('registry_document_digests').insert(hashes)
        expect([code, wrong, unread]).to.deep.equal([3, [], ['forgottenElsewhere']])
        expect(findings.at(-1)?.text).to.include('was forgotten, by entry 0 of later.example/log: audit that log')
        expect(await audit()).to.deep.include({ code: 0, unread: [] })
      })

      it('makes a row unreadable: the others are still compared', async () => {
        const found = await auditAfter(() => changed(victim.signId, 'signed_digests', '{'))
        expect(found).to.deep.include({ code: 1, wrong: ['changed'] })
      })

      it('changes an event of the audit', async () => {
        await sealedEvents()
        const events = () => query()('registry_audit_events').where({ owner_id: 'IIN123456789011' })
        const found = await auditAfter(async () => {
          await events().update({ modified_by: 'IIN999999999999' })
          return () => events().update({ modified_by: 'IIN123456789011' })
        })
        expect(found).to.deep.include({ code: 1, wrong: ['auditBroken'] })
      })

      it('changes an event of the audit, and computes its chain again', async () => {
        await sealedEvents()
        const events = () => query()('registry_audit_events').where({ owner_id: 'IIN123456789011' })
        const found = await auditAfter(async () => {
          const seals = await query()('registry_audit_seals').select()
          await events().update({ modified_by: 'IIN999999999999' })
          await query()('registry_audit_seals').delete()
          await test.registry.get(AuditSeals).run()
          await integrate()
          return async () => {
            await events().update({ modified_by: 'IIN123456789011' })
            await query()('registry_audit_seals').delete()
            await query()('registry_audit_seals').insert(seals)
          }
        })
        expect(found.wrong).to.include('changed').and.not.include('auditBroken')
        expect(found.findings.at(-1)?.text).to.match(
          /^entry \d+: seal of audit events up to \d+ is not the one that was logged: the chain/,
        )
      })
    })

    it('accepts what the log says to be forgotten, with its reason', async () => {
      const { documentId, data } = await register()
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      await integrate()
      const { registry } = test
      const index = await entryOf(LOGGED_KINDS.digests, documentId)
      await registry.get(Database).transaction(async () => {
        await registry.get(LogEntries).forget('digests', [documentId], 'retention')
        await query()('registry_document_digests').where({ document_id: documentId }).delete()
        await query()('registry_documents').where({ id: documentId }).update({ digests_fixed_at: null })
      })
      const early = await audit()
      expect(early).to.deep.include({ code: 1, wrong: ['removed'] })
      expect(early.findings.at(-1)?.text).to.include('if it was forgotten just now, audit again in ten minutes')
      await integrate()
      const { code, publicEntries, database: counts } = await audit()
      expect(code).to.equal(0)
      expect(counts).to.include({ forgotten: 1 })
      expect(publicEntries.map(({ entry }) => entry)).to.deep.include({
        kind: 'forgotten',
        origin: (await registry.get(GetLog).execute()).origin,
        index,
        entryKind: 'digests',
        reason: 'retention',
      })
    })

    it('finds a fork that another database with the same key signs', async () => {
      const site = siteAt(server.url)
      const log = { key: LOG_KEY, origin: 'registry.example/log' }
      const serving = async () => {
        const other = await testRegistry(await open(), { log, site, clock: test.clock })
        const signature = other.authorities
          .person()
          .signCms(Buffer.from(`${Math.random()}`))
          .toString('base64')
        await other.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
        await other.registry.get(LogWorker).run()
        server.serve(registryLog(other.registry))
        return other.registry
      }
      // Apart from the states of the log that is at this address otherwise.
      const args = [server.url, '--state', join(mkdtempSync(join(folder, 'forked-')), 'state.json')]
      const first = await serving()
      expect(await auditJson(args)).to.deep.include({ code: 0, found: ['keyTold', 'firstSight', 'policyMissing'] })
      const second = await serving()
      expect(await auditJson(args)).to.deep.include({ code: 1, wrong: ['fork'] })
      await first.close()
      await second.close()
      server.serve(registryLog(test.registry))
    })

    it('counts what is older than the log, which cannot become more', async () => {
      const logs = () => query()('registry_logs').where({ log: 0 })
      const { signId } = await register()
      const older = async () => {
        const { started_at } = await logs().first('started_at')
        return changed(signId, 'stored_at', Number(started_at) - 1)
      }
      await audit()
      for (let n = 0; n < 2; n += 1) {
        const found = await auditAfter(older)
        expect(found).to.deep.include({ code: 1, wrong: ['olderGrew'] })
        expect(found.database).to.include({ olderThanLog: 1 })
      }
      const moved = await auditAfter(async () => {
        const { started_at } = await logs().first('started_at')
        await logs().update({ started_at: Number(started_at) + 1000 })
        return () => logs().update({ started_at })
      })
      expect(moved).to.deep.include({ code: 1, wrong: ['startMoved', 'olderGrew'] })
      const undo = await older()
      const first = [server.url, '--key', key, '--state', join(folder, 'older.json'), '--with-database', database]
      expect(await auditJson(first)).to.deep.include({ code: 0, wrong: [] })
      rmSync(join(folder, 'older.json'))
      expect((await auditJson(first)).found).to.include('olderThanLog')
      expect((await auditJson(first)).found).to.not.include('olderThanLog')
      await undo()
      const { wrong, findings } = await audit()
      expect(wrong).to.deep.equal(['notLogged'])
      expect(findings.at(-1)?.text).to.match(new RegExp(`^signature ${signId}, stored at .* is in no entry`))
      await integrate()
    })

    it('says in lines what is wrong, and what to do', async () => {
      const { signId, documentId } = await register()
      await integrate()
      const undo = await changed(signId, 'stored_at', 5)
      const args = [server.url, '--key', key, '--state', join(folder, 'lines.json'), '--with-database', database]
      const { code, out } = await auditText(args)
      await undo()
      expect(code).to.equal(1)
      const index = await entryOf(1, `${signId}`)
      expect(out).to.include(
        `WRONG       entry ${index}: signature ${signId} of document ${documentId} is not as it was logged: compare it with a backup`,
      )
      expect(out).to.match(/\nSomething is wrong: 1\.\n$/)
    })

    it('refuses a database of another registry, of another version, and none', async () => {
      const other = await open()
      const strange = new MemoryLog('a\u009bb').grow(1)
      server.serve(strange.served())
      const args = ['--key', strange.key, '--state', join(mkdtempSync(join(folder, 'strange-')), 'state.json')]
      const error = await auditJson([server.url, ...args, '--with-database', database]).catch((reason) => reason)
      expect(error.message).to.match(/^The database has no log a\ufffdb:/)
      server.serve(registryLog(test.registry))
      const refused = async (url: string) => {
        const error = await auditJson([
          ...[server.url, '--key', key, '--state', join(folder, 'other.json')],
          ...['--with-database', url],
        ]).catch((reason: unknown) => reason)
        return error instanceof Error ? error.message : 'accepted'
      }
      expect(await refused(other)).to.match(/^The database has no log /)
      const knex = openDatabase(other)
      await knex('registry_migrations').where({ name: '0160-log' }).delete()
      expect(await refused(other)).to.include('its schema lacks 0160-log: run "signed-registry migrate up" on a copy')
      await knex('registry_migrations').insert([
        { name: '0160-log', applied_at: 1 },
        { name: '9999-later', applied_at: 1 },
      ])
      expect(await refused(other)).to.include('its schema is newer than this program (9999-later)')
      await knex.destroy()
      const missing = join(folder, 'missing.sqlite')
      expect(await refused(`sqlite:${missing}`)).to.match(/^--with-database: /)
      expect(() => statSync(missing)).to.throw(/ENOENT/)
    })
  })
})
