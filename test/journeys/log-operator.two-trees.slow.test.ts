import { createPrivateKey, createPublicKey } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signNote, verifierKey } from '@signed-registry/verifier'
import {
  checkpointText,
  cosignerKey,
  growTree,
  HASH_BYTES,
  openCheckpoint,
  originHash,
  TiledTree,
  writeAddCheckpoint,
} from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogState } from '#core/log/log-state.js'
import { contentAt, unzipped } from '../support/containers.js'
import { forEachDatabase, type OpenDatabase, openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { FakeWitness } from '../support/log/fake-witness.js'
import { checkLogProof, requireGo } from '../support/log/go.js'
import { LogServer } from '../support/log/log-server.js'
import { privateKeyOf } from '../support/log/note-keys.js'
import { OPERATED_LOG, OperatedRegistry } from '../support/log/operated-registry.js'
import { auditJson } from '../support/log/run-audit.js'
import { LOG_KEY } from '../support/log-key.js'
import { DAY, testClock } from '../support/pki/authorities.js'

const LOG = verifierKey(OPERATED_LOG, createPublicKey(createPrivateKey(LOG_KEY)))
const WITNESS = 2

// The rows of the table in docs/log.md that are about a second tree, a second state, or others who help.
describe('an operator with all rights, who', () => {
  forEachDatabase((open) => {
    let folder: string
    let witness: TestHost
    let policy: string
    let started: OperatedRegistry[]
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'operator-'))
      started = []
      ;({ witness, policy } = await startWitness(open))
    })
    afterEach(async () => {
      for (const one of started) await one.close()
      await witness.close()
      rmSync(folder, { recursive: true })
    })

    /** A registry with the key of the log, on this state of its database. */
    const operated = async (options: {
      database?: string
      witnesses?: string
      clock?: ReturnType<typeof testClock>
    }) => {
      const { database = await open(), witnesses, clock } = options
      const log = witnesses === undefined ? {} : { witnesses }
      const one = await OperatedRegistry.start({ database, log, ...(clock && { clock }) })
      started.push(one)
      return one
    }
    /** Registers, and gives the bundle when it has a stamped checkpoint. */
    const registered = async (test: OperatedRegistry) => {
      const held = await test.register()
      await test.stamp()
      return test.bundle(held)
    }
    const audit = async (test: OperatedRegistry, auditor = 'state.json', ...more: string[]) => {
      const { address } = await test.log()
      return (await auditJson([address, '--key', LOG, '--state', join(folder, auditor), ...more])).wrong
    }
    const trustOf = async (test: OperatedRegistry, bundle: Uint8Array, by = policy) => {
      const { outcome, evidence } = await test.judge(bundle, by)
      const found = evidence.log.map((one) =>
        one.state === 'logged' ? [one.trust, ...one.problems].join(' ') : one.state,
      )
      expect(outcome).to.equal(found.every((one) => one.startsWith('established')) ? 'proved' : 'unknown')
      return found
    }
    const policyFile = (text = policy) => {
      const file = join(folder, 'policy.txt')
      writeFileSync(file, text)
      return file
    }

    it('shows two trees', async () => {
      const [one, two] = [await operated({ witnesses: policy }), await operated({})]
      const [seen, other] = [await registered(one), await registered(two)]
      expect(await trustOf(one, seen)).to.deep.equal(['established', 'established'])
      expect(await trustOf(two, other)).to.deep.equal(['notEstablished quorumMissing', 'notEstablished quorumMissing'])
      expect(await audit(one)).to.deep.equal([])
      expect(await audit(two)).to.deep.equal(['fork'])
      expect(await audit(two, 'another auditor.json')).to.deep.equal([])
      expect(await audit(two, 'a third.json', '--policy', policyFile())).to.deep.equal(['quorumMissing'])
      // The witness cosigns none of the second tree, and its operator's own host says why.
      const asking = await operated({ witnesses: policy })
      await asking.register()
      await asking.integrate()
      expect(await halted(asking)).to.match(/^witness/)
      expect((await asking.log()).size).to.equal(0)
    })

    it('has witnesses on his side', async () => {
      const liars = [await FakeWitness.start(WITNESS, LOG), await FakeWitness.start(WITNESS, LOG)] as const
      const [one, two] = [await operated({ witnesses: of(liars[0]) }), await operated({ witnesses: of(liars[1]) })]
      const [seen, other] = [await registered(one), await registered(two)]
      for (const [test, bundle] of [
        [one, seen],
        [two, other],
      ] as const)
        expect(await trustOf(test, bundle, of(liars[0]))).to.deep.equal(['established', 'established'])
      const file = policyFile(of(liars[0]))
      expect(await audit(one, 'one.json', '--policy', file)).to.deep.equal([])
      expect(await audit(two, 'two.json', '--policy', file)).to.deep.equal([])
      // Until one of them sees both.
      expect(await audit(two, 'one.json', '--policy', file)).to.deep.equal(['fork'])
      for (const liar of liars) await liar.close()
    })

    it('has a time-stamping authority on his side', async () => {
      const dated = Date.now() - 30 * DAY
      const test = await operated({ witnesses: policy, clock: testClock(dated) })
      const { evidence } = await test.judge(await registered(test), policy)
      for (const one of evidence.log) {
        if (one.state !== 'logged' || one.loggedBefore.state !== 'proved') throw new Error('It is logged and stamped')
        expect(one.loggedBefore.time).to.be.lessThan(Date.now() - 29 * DAY)
        expect(one.trust).to.equal('established')
        // The clock of the witness is not in the plot.
        for (const { time } of one.witnesses) expect(time * 1000).to.be.greaterThan(Date.now() - DAY)
      }
      expect(await audit(test)).to.deep.equal([])
      expect(await audit(test, 'state.json', '--with-database', test.database)).to.deep.equal([])
    })

    it('has his key stolen', async () => {
      const test = await operated({ witnesses: policy })
      await registered(test)
      const { checkpoint = '', address } = await test.log()
      const before = openCheckpoint(checkpoint, LOG)
      // The thief adds an entry to the tree that everybody can read, and the witness sees that it continues.
      const tile = Buffer.from(await (await fetch(`${address}/tile/0/000.p/${before.size}`)).arrayBuffer())
      const leaves = Array.from({ length: before.size }, (_, at) =>
        tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
      )
      const hashes = [...leaves, Buffer.alloc(HASH_BYTES)]
      const { size, root } = growTree({ size: 0, edge: [] }, hashes)
      const note = signNote(
        checkpointText({ origin: OPERATED_LOG, size, root }),
        OPERATED_LOG,
        createPrivateKey(LOG_KEY),
      )
      const tree = new TiledTree(size, async ({ width }) => Buffer.concat(hashes.slice(0, width)))
      const body = writeAddCheckpoint({ oldSize: before.size, proof: await tree.consistency(before.size), note })
      expect(await audit(test)).to.deep.equal([])
      const thief = await LogServer.start((path) => {
        if (path === '/checkpoint') return { body: note }
        return path === `/tile/0/000.p/${size}` ? { body: Buffer.concat(hashes) } : undefined
      })
      await auditJson([thief.url, '--key', LOG, '--state', join(folder, 'state.json')])
      await thief.stop()
      expect(await audit(test)).to.deep.equal(['rolledBackUnproved'])
      const asked = await fetch(`${witness.url}/api/witness/add-checkpoint`, { method: 'POST', body })
      expect(asked.status).to.equal(200)
      await test.register()
      await test.integrate()
      expect(await halted(test)).to.match(/^witness/)
      expect((await test.log()).size).to.equal(before.size)
      const monitored = await fetch(`${witness.url}/api/witness/${originHash(OPERATED_LOG)}/checkpoint`)
      expect(openCheckpoint(await monitored.text(), LOG)).to.include({ size })
    })
  })

  describe('restores the database of yesterday, and removes the file beside the key', () => {
    let folder: string
    let test: OperatedRegistry
    let today: Buffer
    let witness: TestHost
    let policy: string
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'operator-'))
      const database = await openSqlite()
      const yesterday = join(folder, 'yesterday.sqlite')
      ;({ witness, policy } = await startWitness(openSqlite))
      const lost = await OperatedRegistry.start({ database, log: { witnesses: policy } })
      await lost.register()
      await lost.stamp()
      await lost.query.raw('vacuum into ?', [yesterday])
      const held = await lost.register()
      await lost.stamp()
      today = await lost.bundle(held)
      expect(await audit(lost)).to.deep.equal([])
      await lost.close()
      copyFileSync(yesterday, join(folder, 'another.sqlite'))
      test = await OperatedRegistry.start({ database: `sqlite:${yesterday}` })
    })
    after(async () => {
      await test.close()
      await witness.close()
      rmSync(folder, { recursive: true })
    })

    const audit = async (one: OperatedRegistry) =>
      (await auditJson([(await one.log()).address, '--key', LOG, '--state', join(folder, 'state.json')])).wrong

    it('is seen by an auditor who followed the log', async () => {
      expect(await audit(test)).to.deep.equal(['rolledBackUnproved'])
      for (let n = 0; n < 3; n += 1) await test.register()
      await test.stamp()
      expect(await audit(test)).to.deep.equal(['fork'])
    })

    it('is seen by the witness', async () => {
      const database = `sqlite:${join(folder, 'another.sqlite')}`
      const asking = await OperatedRegistry.start({ database, log: { witnesses: policy } })
      const { size } = await asking.log()
      await asking.register()
      await asking.integrate()
      expect(await halted(asking)).to.match(/^witness/)
      expect((await asking.log()).size).to.equal(size)
      await asking.close()
    })

    it('is seen by the holder of a bundle who asks for the newest checkpoint', async function () {
      requireGo(this)
      const file = join(folder, 'registered.tlog-proof')
      const files = unzipped(today)
      const { name = '' } = files.find(({ name }) => /^proofs\/\d+\.tlog-proof$/.test(name)) ?? {}
      writeFileSync(file, contentAt(files, name))
      expect((await checkLogProof(file, LOG)).code).to.equal(0)
      const { code, output } = await checkLogProof(file, LOG, (await test.log()).address)
      expect([code, output]).to.satisfy(() => code === 1 && output.includes('NOT PROVED'))
    })
  })
})

/** A registry that is a witness of the log, and the policy that asks for it. */
async function startWitness(open: OpenDatabase): Promise<{ witness: TestHost; policy: string }> {
  const port = await freePort()
  const witnessKey = privateKeyOf(WITNESS).export({ type: 'pkcs8', format: 'pem' }).toString()
  const log = { witnessFor: `log ${LOG}\nquorum none\n`, witnessKey }
  const witness = await startTestHost(open, { port, registry: { log } })
  const key = cosignerKey(`127.0.0.1:${port}/witness`, createPublicKey(privateKeyOf(WITNESS)))
  return { witness, policy: `log ${LOG}\nwitness w ${key} ${witness.url}/api/witness\nquorum w\n` }
}

/** Why a host signs nothing. */
const halted = async ({ registry }: OperatedRegistry) => (await registry.get(LogState).report()).halted?.reason

/** A policy that asks for this witness. */
const of = (witness: FakeWitness): string => `log ${LOG}\n${witness.policyLine}\nquorum ${witness.name}\n`
