import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCheckpoint, publicEntry, SALT_BYTES, saltedEntry } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { AuditSeals, AuditStore } from '#core/audit/index.js'
import { entriesTable, forgottenRef, pendingTable } from '#core/log/log-tables.js'
import { LOGGED_KINDS, LoggedTexts } from '#core/log/logged-facts.js'
import { forEachDatabase } from '../support/databases.js'
import { request } from '../support/http.js'
import { LogServer } from '../support/log/log-server.js'
import { MemoryLog } from '../support/log/memory-log.js'
import { type HeldDocument, OperatedRegistry } from '../support/log/operated-registry.js'
import { auditJson } from '../support/log/run-audit.js'
import { MINUTE } from '../support/pki/authorities.js'

const DAY = 24 * 60 * MINUTE
const SIGNATURE = 1

// The rows of the table in docs/log.md that need no second tree: each says who shows it, and who does not.
describe('an operator with all rights', () => {
  forEachDatabase((open) => {
    let folder: string
    let test: OperatedRegistry
    let held: HeldDocument
    let bundle: Buffer
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'operator-'))
      test = await OperatedRegistry.start({ database: await open() })
      await test.stamp()
      held = await test.register()
      await test.stamp()
      bundle = await test.bundle(held)
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal([])
    })
    afterEach(async () => {
      await test.close()
      rmSync(folder, { recursive: true })
    })

    /** What an auditor finds wrong or cannot read, who keeps a state from audit to audit. */
    const audit = async (database?: 'with the database', url = test.url) => {
      const { verifierKey = '' } = await test.log()
      const more = database === undefined ? [] : ['--with-database', test.database]
      const args = [url, '--key', verifierKey, '--state', join(folder, 'state.json'), ...more]
      const { wrong, unread } = await auditJson(args)
      return [...wrong, ...unread]
    }
    /** The bundle that was made before still proves what was registered. */
    const expectProvedByBundle = async () => {
      const { outcome, evidence } = await test.judge(bundle)
      expect([outcome, ...evidence.log.map(({ state }) => state)]).to.deep.equal(['proved', 'logged', 'logged'])
    }
    const signature = () => test.query('registry_signatures').where({ sign_id: held.signId })
    /** The operator takes care that nothing else of the database tells. */
    const removed = async () => {
      await signature().delete()
      await test.query('registry_documents').where({ id: held.id }).decrement('signatures_total', 1)
    }

    it('removes a registered signature', async () => {
      await removed()
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['removed'])
      await expectProvedByBundle()
    })

    it('changes evidence', async () => {
      await signature().update({ ocsp: null })
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['changed'])
      await expectProvedByBundle()
    })

    it('changes evidence, and logs it again', async () => {
      await signature().update({ ocsp: null })
      const ref = `${held.signId}`
      const text = (await test.registry.get(LoggedTexts).read('signature', [ref])).get(ref) ?? ''
      const salt = randomBytes(SALT_BYTES)
      const again = { kind: SIGNATURE, ref, salt, entry: saltedEntry(salt, text) }
      await test.query('registry_log_pending').insert(pendingTable.row(again))
      await test.integrate()
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['changed'])
      await expectProvedByBundle()
    })

    it('changes when something was registered', async () => {
      await signature().decrement('stored_at', DAY)
      expect(await test.judgeNow(held)).to.deep.equal(['unknown', 'changed'])
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['changed'])
      await expectProvedByBundle()
    })

    it('changes when a document was registered', async () => {
      await test
        .query('registry_documents')
        .where({ id: held.id })
        .decrement('stored_at', 3000 * DAY)
      expect(await test.judgeNow(held)).to.deep.equal(['unknown', 'changed'])
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['changed', 'changed'])
      await expectProvedByBundle()
    })

    it('dates a registration back before it is in the tree', async () => {
      const late = await test.register()
      const ref = `${late.signId}`
      await test
        .query('registry_signatures')
        .where({ sign_id: late.signId })
        .decrement('stored_at', 30 * DAY)
      const text = (await test.registry.get(LoggedTexts).read('signature', [ref])).get(ref) ?? ''
      const waiting = () => test.query('registry_log_pending').where(entriesTable.row({ kind: SIGNATURE, ref }))
      const { salt } = await waiting().first('salt')
      await waiting().update({ entry: saltedEntry(salt, text) })
      await test.stamp()
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal([])
      const { outcome, evidence } = await test.judge(await test.bundle(late))
      const [own] = evidence.log.filter(({ signId }) => signId !== undefined)
      expect(outcome).to.equal('unknown')
      expect(own).to.include({ state: 'logged', isOutside: true })
    })

    it('computes the chain of audit events again', async () => {
      const [owner, modifiedAt] = ['IIN123456789011', test.clock.time]
      const change = { original: {}, modified: { a: 1 }, modifiedBy: owner, modifiedAt }
      await test.registry.get(AuditStore).append({ ownerKind: 'user', ownerId: owner, ...change })
      test.clock.time += 10 * MINUTE
      await test.registry.get(AuditSeals).run()
      await test.integrate()
      await test.query('registry_audit_events').update({ modified_by: 'IIN999999999999' })
      await test.query('registry_audit_seals').delete()
      await test.registry.get(AuditSeals).run()
      await test.integrate()
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database'))
        .to.include('changed')
        .and.not.include('auditBroken')
    })

    it('deletes an entry before it is in the tree', async () => {
      const late = await test.register()
      await test.query('registry_log_pending').delete()
      await test.integrate()
      expect(await test.judgeNow(late)).to.deep.equal(['unknown'])
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['notLogged', 'notLogged'])
    })

    it('says that it is in an entry that the log does not have', async () => {
      const late = await test.register()
      await test.query('registry_log_pending').delete()
      await test.integrate()
      for (const [kind, ref] of [
        [LOGGED_KINDS.signature, `${late.signId}`],
        [LOGGED_KINDS.digests, late.id],
      ] as const) {
        const entry = entriesTable.row({ log: 99, index: kind, kind, ref, salt: randomBytes(SALT_BYTES) })
        await test.query('registry_log_entries').insert(entry)
      }
      expect((await test.judgeNow(late))[1]).to.not.equal('logged')
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['notLogged', 'notLogged'])
      await test.query('registry_log_entries').where({ log: 99 }).delete()
    })

    it('opens a document to others without logging it', async () => {
      const change = { original: { private: true }, modified: { private: false }, modifiedAt: test.clock.time }
      const owner = { ownerKind: 'document', ownerId: held.id } as const
      await test.registry.get(AuditStore).append({ ...owner, ...change })
      await test.query('registry_log_pending').delete()
      await test.integrate()
      test.clock.time += 10 * MINUTE
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['notLogged'])
    })

    it('registers without logging', async () => {
      const silent = await OperatedRegistry.start({ database: test.database, clock: test.clock, isLogOff: true })
      const late = await silent.register()
      await silent.close()
      await test.integrate()
      expect(await test.judgeNow(late)).to.deep.equal(['unknown'])
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['notLogged', 'notLogged'])
    })

    it('forgets without saying so', async () => {
      const ref = `${held.signId}`
      await test
        .query('registry_log_entries')
        .where(entriesTable.row({ kind: SIGNATURE, ref }))
        .update({ salt: null })
      await removed()
      expect(await audit()).to.deep.equal([])
      expect(await audit('with the database')).to.deep.equal(['removed'])
      await expectProvedByBundle()
    })

    /** Takes away what opens the entry of the signature, and logs for everybody that it was forgotten, as of some kind. */
    const forgotten = async (entryKind: 'signature' | 'digests') => {
      const entry = () =>
        test.query('registry_log_entries').where(entriesTable.row({ kind: SIGNATURE, ref: `${held.signId}` }))
      const index = Number((await entry().first('idx')).idx)
      await entry().update(entriesTable.row({ kind: LOGGED_KINDS[entryKind], ref: '', salt: undefined }))
      const { origin } = await test.log()
      const said = publicEntry({ kind: 'forgotten', origin, index, entryKind, reason: 'incompleteRetention' })
      const [kind, ref] = [LOGGED_KINDS.public, forgottenRef({ log: 0, index }, entryKind)]
      await test.query('registry_log_pending').insert(pendingTable.row({ kind, ref, salt: undefined, entry: said }))
      await removed()
      await test.integrate()
      return { index, said: { kind: 'forgotten', origin, index, entryKind, reason: 'incompleteRetention' } }
    }

    it('forgets a registered signature, and says so', async () => {
      await forgotten('signature')
      expect(await audit('with the database')).to.deep.equal(['neverForgotten', 'removed'])
      await expectProvedByBundle()
    })

    it('forgets a registered signature, and says that it was something else', async () => {
      const { index, said } = await forgotten('digests')
      expect(await audit('with the database')).to.deep.equal([])
      await expectProvedByBundle()
      // The earlier bundle proves a signature where the signed entry says that hashes were forgotten.
      const { evidence } = await test.judge(bundle)
      const [own] = evidence.log.filter(({ signId }) => signId !== undefined)
      expect(own).to.include({ signId: held.signId, index })
      const { verifierKey = '' } = await test.log()
      const { publicEntries } = await auditJson([test.url, '--key', verifierKey, '--state', join(folder, 'new.json')])
      expect(publicEntries.map(({ entry }) => entry)).to.deep.include(said)
    })

    it('changes a tile', async () => {
      const tile = () => test.query('registry_log_tiles').where({ level: 0, idx: 0 })
      const { hashes } = await tile().first('hashes')
      const wrong = Buffer.from(hashes)
      wrong[0] = (wrong[0] ?? 0) ^ 1
      await tile().update({ hashes: wrong })
      // Another process, which has no tile in memory.
      await test.close()
      test = await OperatedRegistry.start({ database: test.database, clock: test.clock })
      const { size } = await test.log()
      expect((await fetch(`${(await test.log()).address}/tile/0/000.p/${size}`)).status).to.equal(503)
      expect(await audit()).to.deep.equal(['entriesUnproved'])
      expect(await audit('with the database')).to.deep.equal(['entriesUnproved'])
      await expectProvedByBundle()
    })

    it('serves an older checkpoint', async () => {
      const { checkpoint: older = '', address } = await test.log()
      const late = await test.register()
      await test.integrate()
      expect(await audit()).to.deep.equal([])
      const { evidence } = await test.judge(await test.bundle(late))
      const { size } = openCheckpoint(older, (await test.log()).verifierKey ?? '')
      for (const one of evidence.log) expect(one).to.have.property('size').that.is.greaterThan(size)
      const server = await LogServer.start(async (path) => {
        if (path === '/checkpoint') return { body: older }
        const answer = await fetch(address + path)
        return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
      })
      expect(await audit(undefined, server.url)).to.deep.equal(['rolledBack'])
      await server.stop()
    })

    it('serves another log at the same address', async () => {
      const { address } = await test.log()
      const server = await LogServer.start(async (path) => {
        const answer = await fetch(address + path)
        return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
      })
      expect(await audit(undefined, server.url)).to.deep.equal([])
      const other = new MemoryLog('another.example/log').grow(300)
      server.serve(other.served())
      for (const name of ['state.json', 'another.json']) {
        const args = [server.url, '--key', other.key, '--state', join(folder, name)]
        expect((await auditJson(args)).wrong).to.deep.equal(['otherLog'])
      }
      // One that claims to follow more than anybody has seen is not believed, and takes the place of nothing.
      const { origin, size } = await test.log()
      const claim = publicEntry({ kind: 'succession', origin, size: size + 1, root: Buffer.alloc(32, 1) })
      const claiming = new MemoryLog('third.example/log').add(claim).grow(3)
      server.serve(claiming.served())
      const args = [server.url, '--key', claiming.key, '--state', join(folder, 'state.json')]
      expect((await auditJson(args)).unread).to.deep.equal(['successionUnproved'])
      expect(await audit(undefined, address)).to.deep.equal([])
      await server.stop()
      await expectProvedByBundle()
    })

    it('shows other signers than signatures have', async () => {
      const shown = async () => {
        const { json } = await request<{ signatures: { userId: string }[] }>(`${test.url}/api/${held.id}`)
        return json.signatures.map(({ userId }) => userId)
      }
      const signers = async (made: Uint8Array) =>
        (await test.judge(made)).signatures.map(({ signature: read }) => String(read?.signer.subject))
      const [before] = await shown()
      const { facts } = await signature().first('facts')
      await signature().update({ facts: String(facts).replaceAll(`"${before}"`, '"IIN999999999999"') })
      expect(await shown()).to.deep.equal(['IIN999999999999'])
      expect(await audit('with the database')).to.deep.equal([])
      expect(await signers(await test.bundle(held))).to.deep.equal(await signers(bundle))
      expect((await signers(bundle)).join()).to.include(before)
    })
  })
})
