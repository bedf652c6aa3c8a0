import { createPublicKey } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { anonymous, openAdministration, provideValue } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { checkpointText, openCheckpoint, readLogPolicy, verifyCosignature } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { AskWitness } from '#core/log/ask-witness.js'
import { CheckpointStore } from '#core/log/checkpoint-store.js'
import { LogState } from '#core/log/log-state.js'
import { LogStore } from '#core/log/log-store.js'
import { LogTimes, LogWorker } from '#core/log/log-worker.js'
import { treeOf } from '#core/log/prove-entry.js'
import { PublishCheckpoint } from '#core/log/publish-checkpoint.js'
import { StampCheckpoint } from '#core/log/stamp-checkpoint.js'
import type { ReadAddCheckpoint } from '#verifier/log/witness.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { forEachDatabase } from '../../support/databases.js'
import { type ForwardTime, forwardTime } from '../../support/forward-time.js'
import { COSIGNED_AT, FakeWitness, policyOf } from '../../support/log/fake-witness.js'
import { privateKeyOf } from '../../support/log/note-keys.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { RecordingLogger } from '../../support/recording-logger.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const origin = 'registry.example/log'
const pem = (number: number) => privateKeyOf(number).export({ type: 'pkcs8', format: 'pem' }).toString()
const logKey = verifierKey(origin, createPublicKey(privateKeyOf(1)))
const MINUTE = 60_000
/** Hosts take turns at once. */
const times = { name: 'times', provides: [provideValue(LogTimes, { gatherMs: 1000, pollMs: 2000, turnMs: 0 })] }

describe('checkpoints are cosigned by witnesses', () => {
  forEachDatabase((open) => {
    const closing: (() => Promise<void>)[] = []
    let processTime: ForwardTime
    beforeEach(() => {
      processTime = forwardTime()
    })
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
      processTime.end()
    })

    const witnessAt = async (number: number) => {
      const witness = await FakeWitness.start(number, logKey)
      closing.push(() => witness.close())
      return witness
    }
    const start = async (
      witnesses: readonly FakeWitness[],
      { database, policy = policyOf(...witnesses) }: { database?: string; policy?: string } = {},
    ) => {
      const clock = testClock()
      const logger = new RecordingLogger()
      const authorities = testAuthorities({ clock })
      const log = { key: pem(1), origin, witnesses: policy }
      const url = database ?? (await open())
      const test = await testRegistry(url, { clock, authorities, logger, log, plugins: [times] })
      let isOpen = true
      const close = async () => {
        if (isOpen) await test.registry.close()
        isOpen = false
      }
      closing.push(close)
      return { ...test, url, logger, close }
    }
    const work = ({ registry }: Pick<TestRegistry, 'registry'>) => registry.get(LogWorker).run()
    const register = async ({ registry, authorities }: Pick<TestRegistry, 'registry' | 'authorities'>) => {
      const signature = authorities
        .person()
        .signCms(Buffer.from(`${Math.random()}`))
        .toString('base64')
      await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
    }
    const grow = async (test: TestRegistry) => {
      await register(test)
      await work(test)
    }
    const published = async ({ registry }: Pick<TestRegistry, 'registry'>) => {
      const { checkpoint } = await registry.get(GetLog).execute()
      return checkpoint === undefined ? undefined : openCheckpoint(checkpoint, logKey)
    }
    const cosigners = async (test: TestRegistry, ...witnesses: readonly FakeWitness[]) => {
      const { note = '' } = (await published(test)) ?? {}
      return witnesses.filter(({ verifierKey }) => verifyCosignature(note, verifierKey)).map(({ name }) => name)
    }

    it('before they are published, each from the last tree that the witness has cosigned', async () => {
      const [first, second] = [await witnessAt(11), await witnessAt(12)]
      const test = await start([first, second])
      await grow(test)
      const before = await published(test)
      await grow(test)
      const after = await published(test)
      expect(await cosigners(test, first, second)).to.deep.equal(['w11', 'w12'])
      expect(verifyCosignature(after?.note ?? '', first.verifierKey)).to.deep.equal({ time: COSIGNED_AT })
      expect(first.asked.at(-1)).to.include({ oldSize: before?.size }).and.have.property('checkpoint')
      expect(after?.size).to.be.greaterThan(before?.size ?? 0)
      expect(test.logger.said).to.deep.equal([])
    })

    it('from the size that the witness tells, if it knows the log differently', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const first = witness.latest
      await grow(test)
      witness.latest = first
      await grow(test)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
      expect(witness.asked.at(-1)?.oldSize).to.equal(first?.size)
      expect(witness.asked.at(-1)?.proof).not.to.deep.equal([])
    })

    const answers: Readonly<Record<string, (witness: FakeWitness, response: ServerResponse, note: string) => void>> = {
      'is down': (_witness, response) => response.destroy(),
      'answers an error': (_witness, response) => response.writeHead(500).end(),
      'leads elsewhere': (_witness, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      'answers nothing': (_witness, response) => response.writeHead(200).end(),
      'answers nonsense': (_witness, response) => response.writeHead(200).end('<html>'),
      'answers 10 MB': (_witness, response) => response.writeHead(200).end('x'.repeat(10 * 2 ** 20)),
      'cosigns another tree': (witness, response) =>
        response.writeHead(200).end(witness.line(checkpointText({ origin, size: 1, root: Buffer.alloc(32) }))),
      'answers the text once more': (witness, response, note) =>
        response.writeHead(200).end(note + witness.line(note.slice(0, note.indexOf('\n\n') + 1))),
      'answers a conflict with what it was told': (witness, response) => witness.conflict(0, response),
      'answers a conflict without a size': (_witness, response) =>
        response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('many\n'),
      'answers a conflict of another type': (_witness, response) =>
        response.writeHead(409, { 'content-type': 'text/plain' }).end('99999\n'),
      'finds no way from the empty tree': (_witness, response) => response.writeHead(422).end(),
    }
    for (const [what, answer] of Object.entries(answers))
      it(`without one that ${what}: the checkpoint is published, and it is left alone for a while`, async () => {
        const [wrong, right] = [await witnessAt(11), await witnessAt(12)]
        const test = await start([wrong, right])
        wrong.answer = ({ note }, response) => answer(wrong, response, note)
        await grow(test)
        expect(await cosigners(test, wrong, right)).to.deep.equal(['w12'])
        const { length } = wrong.asked
        await grow(test)
        expect(wrong.asked).to.have.length(length)
        expect(test.logger.about(/does not cosign/)).to.have.length(1)
        wrong.answer = (asked, response) => wrong.honest(asked, response)
        processTime.pass(MINUTE / 2)
        await grow(test)
        expect(await cosigners(test, wrong, right)).to.deep.equal(['w11', 'w12'])
      })

    it('without one that changes its mind each time', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      await grow(test)
      let told = 0
      witness.answer = (_asked, response) => {
        told = told === 1 ? 0 : 1
        witness.conflict(told, response)
      }
      const { length } = witness.asked
      await grow(test)
      expect(witness.asked).to.have.length(length + 4)
      expect((await published(test))?.size).to.be.greaterThan(witness.latest?.size ?? 0)
    })

    it('without one that does not answer in time', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await work(test)
      witness.answer = () => undefined
      await grow(test)
      expect(await cosigners(test, witness)).to.deep.equal([])
      expect((await published(test))?.size).to.be.greaterThan(0)
    })

    it('with one line of each witness, so that no witness fills the note', async () => {
      const witness = await witnessAt(11)
      witness.answer = ({ note }, response) => {
        const line = witness.line(note.slice(0, note.indexOf('\n\n') + 1))
        response.writeHead(200).end(line.repeat(60))
      }
      const test = await start([witness])
      await grow(test)
      const { note = '' } = (await published(test)) ?? {}
      expect(note.split(` ${witness.name} `)).to.have.length(2)
    })

    it('later, if a witness was down, while nothing new is logged; pauses grow up to five minutes', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await work(test)
      witness.answer = (_asked, response) => response.destroy()
      await grow(test)
      const asked = []
      for (let minutes = 0; minutes < 20; minutes += 0.5) {
        processTime.pass(MINUTE / 2)
        const { length } = witness.asked
        await test.registry.get(CheckpointStore).newest(0)
        await work(test)
        if (witness.asked.length > length) asked.push(minutes + 0.5)
      }
      // The first pause is over after 30 seconds, the next ones after 1, 2, 4, 5 and 5 minutes.
      expect(asked).to.deep.equal([0.5, 1.5, 3.5, 7.5, 12.5, 17.5])
    })

    it('later, if a witness was down while the clock was wrong, as soon as its pause is over', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await work(test)
      witness.answer = (_asked, response) => response.destroy()
      test.clock.time += 365 * 24 * 60 * MINUTE
      await grow(test)
      test.clock.time -= 365 * 24 * 60 * MINUTE
      witness.answer = (asked, response) => witness.honest(asked, response)
      processTime.pass(MINUTE)
      await grow(test)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
    })

    it('later, in the checkpoint that is published already, which gets no time stamp before', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      const newest = () => test.registry.get(CheckpointStore).newest(0)
      witness.answer = (_asked, response) => response.destroy()
      await grow(test)
      expect(await newest()).to.include({ size: 1, stampedAt: undefined })
      witness.answer = (asked, response) => witness.honest(asked, response)
      processTime.pass(MINUTE)
      await work(test)
      expect(await newest())
        .to.include({ size: 1 })
        .and.have.property('stampedAt')
        .that.is.a('number')
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
    })

    it('never after the time stamp, which waits for an hour at most', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      const newest = () => test.registry.get(CheckpointStore).newest(0)
      witness.answer = (_asked, response) => response.destroy()
      await grow(test)
      test.clock.time += 60 * MINUTE
      const { registry } = test
      await registry
        .get(StampCheckpoint)
        .run({ log: 0, startedAt: (await registry.get(LogStore).current())?.startedAt ?? 0 })
      const stamped = await newest()
      expect(stamped?.stampedAt).to.be.a('number')
      const { length } = witness.asked
      await registry.get(PublishCheckpoint).run(await registry.get(LogStore).begin())
      expect(witness.asked).to.have.length(length)
      expect(await newest()).to.deep.equal(stamped)
    })

    it('no more once a witness has cosigned a larger tree, also after a restart: the database was restored', async () => {
      const [ahead, other] = [await witnessAt(11), await witnessAt(12)]
      const test = await start([ahead, other])
      await grow(test)
      const before = await published(test)
      ahead.latest = { size: 99_999, root: Buffer.alloc(32) }
      await grow(test)
      await grow(test)
      expect((await published(test))?.note).to.equal(before?.note)
      expect(test.logger.about(/not signed/)).to.have.length(1)
      expect(test.logger.about(/not signed/)[0]).to.include({ reason: 'witnessAhead' })
      await test.close()

      const again = await start([ahead, other], { database: test.url })
      const { length } = other.asked
      await grow(again)
      expect((await published(again))?.note).to.equal(before?.note)
      expect(other.asked).to.have.length(length)
      expect(again.logger.about(/not signed/)[0]).to.include({ reason: 'witnessAhead' })
      await again.close()

      const without = await start([other], { database: test.url })
      await grow(without)
      expect((await published(without))?.size).to.be.greaterThan(before?.size ?? 0)
    })

    it('no more once a witness has cosigned another tree', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      witness.latest = { size: before?.size ?? 0, root: Buffer.alloc(32) }
      await grow(test)
      expect((await published(test))?.note).to.equal(before?.note)
      expect(test.logger.about(/not signed/)[0]).to.include({ reason: 'witnessDisagrees' })
    })

    for (const grown of [1, 2, 3])
      for (const more of [0, 1])
        it(`no more once a witness has cosigned another tree: that of ${grown} rounds, seen ${more} later`, async () => {
          const witness = await witnessAt(11)
          const test = await start([witness])
          for (let at = 0; at < grown; at += 1) await grow(test)
          const before = witness.latest
          if (more > 0) await grow(test)
          witness.latest = { size: before?.size ?? 0, root: Buffer.alloc(32) }
          await test.close()
          const again = await start([witness], { database: test.url })
          await work(again)
          expect((await again.registry.get(LogState).report()).halted?.reason).to.equal('witnessDisagrees')
        })

    const gateways: Readonly<Record<string, (asked: ReadAddCheckpoint, isFirst: boolean) => boolean>> = {
      'refuses everything': () => true,
      'refuses what has a proof': ({ proof }) => proof.length > 0,
      'refuses once': (_asked, isFirst) => isFirst,
    }
    for (const [what, isRefused] of Object.entries(gateways))
      it(`although a gateway before a witness ${what} with 422`, async () => {
        const witness = await witnessAt(11)
        const test = await start([witness])
        for (let at = 0; at < 3; at += 1) await grow(test)
        const before = await published(test)
        const { length } = witness.asked
        witness.answer = (asked, response) =>
          isRefused(asked, witness.asked.length === length + 1)
            ? response.writeHead(422).end('<html>')
            : witness.honest(asked, response)
        await grow(test)
        expect((await published(test))?.size).to.be.greaterThan(before?.size ?? 0)
        expect(test.logger.about(/not signed/)).to.deep.equal([])
        const [row] = await test.registry.get(Database).query('registry_log_witnesses').select()
        expect(row.objection).to.equal(null)
        expect(row.failure).to.equal(what === 'refuses once' ? null : 'status422')
      })

    it('again once a witness that objected cosigns the log, which it is asked for every five minutes', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const first = witness.latest
      const other = { size: first?.size ?? 0, root: Buffer.alloc(32) }
      witness.latest = other
      await grow(test)
      const { length } = witness.asked
      for (let minutes = 0; minutes < 20; minutes += 0.5) {
        processTime.pass(MINUTE / 2)
        // That the database has grown as large meanwhile is no agreement.
        witness.latest = { ...other, size: other.size + (minutes > 10 ? 1 : 0) }
        await work(test)
      }
      // Each time 0 and then, of the tree that is published, what the witness told, something else, and the same again.
      expect(witness.asked.slice(length).map(({ oldSize }) => oldSize)).to.deep.equal([0, 1, 0, 1, 0, 1, 0, 1, 0, 0])
      expect((await published(test))?.size).to.equal(first?.size)
      expect(test.logger.about(/not in the database/)).to.have.length(1)
      witness.latest = first
      processTime.pass(5 * MINUTE)
      await work(test)
      await work(test)
      expect((await published(test))?.size).to.be.greaterThan(first?.size ?? 0)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
    })

    it('again in another log, which an operator begins', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      witness.latest = { size: 99_999, root: Buffer.alloc(32) }
      await grow(test)
      await test.close()
      const log = { key: pem(1), origin, witnesses: policyOf(witness) }
      const administration = await openAdministration({ database: test.url, log, clock: test.clock })
      expect((await administration.log.report()).halted?.reason).to.equal('witnessAhead')
      expect(await administration.log.resume()).to.include({ ended: origin })
      await administration.close()
      const again = await start([witness], { database: test.url })
      await grow(again)
      const { origin: begun, size } = await again.registry.get(GetLog).execute()
      expect(begun).not.to.equal(origin)
      expect(size).to.be.greaterThan(0)
    })

    it('only after the witnesses were asked at the start: a database that was restored signs nothing', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      await test.close()
      witness.latest = { size: (before?.size ?? 0) + 50, root: Buffer.alloc(32) }
      const { length } = witness.asked
      const restored = await start([witness], { database: test.url })
      await grow(restored)
      expect((await published(restored))?.note).to.equal(before?.note)
      expect(witness.asked.slice(length).map(({ checkpoint }) => checkpoint.size)).to.deep.equal([before?.size])
    })

    it('only after the witnesses were asked about a log that begins: one that they know signs nothing but the empty tree', async () => {
      const witness = await witnessAt(11)
      witness.latest = { size: 7, root: Buffer.alloc(32) }
      const test = await start([witness])
      await grow(test)
      expect(await published(test)).to.equal(undefined)
      expect(witness.asked.map(({ checkpoint }) => checkpoint.size)).to.deep.equal([0])
    })

    it('past one that another host has published meanwhile', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const older = await test.registry.get(CheckpointStore).newest(0)
      await grow(test)
      if (older === undefined) throw new Error('Nothing was published')
      const [known] = readLogPolicy(policyOf(witness)).witnesses
      if (known === undefined) throw new Error('The policy has no witness')
      const asked = { note: older.note, tree: treeOf(older) }
      const answer = await test.registry.get(AskWitness).ask(known, asked, 0, performance.now() + MINUTE)
      const { size } = (await test.registry.get(LogStore).current()) ?? {}
      expect(answer).to.deep.equal({ outcome: 'passed', size })
    })

    it('as the operator can see in the database', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      witness.answer = (_asked, response) => response.writeHead(500).end()
      await grow(test)
      const [row] = await test.registry.get(Database).query('registry_log_witnesses').select()
      expect(row).to.include({ name: 'w11', failure: 'status500', objection: null })
      expect(Number(row.size)).to.equal(witness.latest?.size)
      expect(Number(row.cosigned_at)).to.equal(test.clock.time)
      expect(Number(row.failed_at)).to.equal(test.clock.time)
    })

    it('and the operator is warned of a quorum that lets the log show two trees', async () => {
      const [first, second] = [await witnessAt(11), await witnessAt(12)]
      const policy = `${first.policyLine}\n${second.policyLine}\ngroup one any w11 w12\nquorum one\n`
      const test = await start([first, second], { policy })
      await grow(test)
      await grow(test)
      expect(test.logger.about(/two trees/)).to.deep.equal([{ quorum: 'one' }])
    })
  })
})
