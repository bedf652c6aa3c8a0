import type { ServerResponse } from 'node:http'
import { checkpointText, readLogPolicy, verifyCosignature } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { AskWitness } from '#core/log/ask-witness.js'
import { CheckpointStore } from '#core/log/checkpoint-store.js'
import { LogStore } from '#core/log/log-store.js'
import { treeOf } from '#core/log/prove-entry.js'
import { PublishCheckpoint } from '#core/log/publish-checkpoint.js'
import { StampCheckpoint } from '#core/log/stamp-checkpoint.js'
import { forEachDatabase } from '../../support/databases.js'
import { COSIGNED_AT, type FakeWitness, policyOf } from '../../support/log/fake-witness.js'
import { WITNESSED_ORIGIN, witnessedLogs } from '../../support/log/witnessed-logs.js'

const MINUTE = 60_000

describe('checkpoints are cosigned by witnesses', () => {
  forEachDatabase((open) => {
    const { witnessAt, start, work, grow, published, cosigners, pass } = witnessedLogs(open)

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
        response
          .writeHead(200)
          .end(witness.line(checkpointText({ origin: WITNESSED_ORIGIN, size: 1, root: Buffer.alloc(32) }))),
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
        pass(MINUTE / 2)
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
        pass(MINUTE / 2)
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
      pass(MINUTE)
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
      pass(MINUTE)
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
