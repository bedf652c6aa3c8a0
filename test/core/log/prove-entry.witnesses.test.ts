import { createPublicKey } from 'node:crypto'
import { verifierKey } from '@signed-registry/verifier'
import { policyVerdict, readLogPolicy, readLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { CheckpointStore } from '#core/log/checkpoint-store.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { forEachDatabase } from '../../support/databases.js'
import { FakeWitness, policyOf } from '../../support/log/fake-witness.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { privateKeyOf } from '../../support/log/note-keys.js'
import { MINUTE } from '../../support/pki/authorities.js'

const origin = 'registry.example/log'
const key = privateKeyOf(1).export({ type: 'pkcs8', format: 'pem' }).toString()

describe('the proof of a fact, to readers who ask for witnesses', () => {
  forEachDatabase((open) => {
    let database: string
    let witness: FakeWitness
    let test: LoggingRegistry
    beforeEach(async () => {
      database = await open()
      witness = await FakeWitness.start(11, verifierKey(origin, createPublicKey(privateKeyOf(1))))
    })
    afterEach(async () => {
      await test.registry.close()
      await witness.close()
    })

    const start = async (witnesses?: string) => {
      test = await loggingRegistry(database, { key, origin, ...(witnesses !== undefined && { witnesses }) })
    }
    /** Logs something, and stamps what is published then. */
    const hour = async () => {
      const document = await test.register()
      await test.integrate()
      test.clock.time += 120 * MINUTE
      await test.integrate()
      return document
    }
    const prove = async ({ signId }: { readonly signId: number }) => {
      const proved = await test.registry.get(ProveEntry).of('signature', `${signId}`)
      if (proved.state !== 'logged') throw new Error(`The signature is ${proved.state}`)
      const { quorum } = policyVerdict(readLogProof(proved.proof).checkpoint, readLogPolicy(policyOf(witness)))
      return { quorum, isStamped: proved.checkpoint.stampedAt !== undefined, proof: proved.proof }
    }
    const cosigns = (asked: Parameters<FakeWitness['honest']>[0], response: Parameters<FakeWitness['honest']>[1]) =>
      witness.honest(asked, response)

    it('has the first stamped checkpoint that they cosigned, also where they were down when it was logged', async () => {
      await start(policyOf(witness))
      await hour()
      witness.answer = (_asked, response) => response.destroy()
      const document = await hour()
      const without = await prove(document)
      expect(without).to.include({ quorum: false, isStamped: true })
      await hour()
      expect(await prove(document)).to.deep.equal(without)
      witness.answer = cosigns
      await restarted(policyOf(witness))
      await hour()
      const proved = await prove(document)
      expect(proved).to.include({ quorum: true, isStamped: true })
      await hour()
      await hour()
      expect(await prove(document), 'the same state gives the same bytes').to.deep.equal(proved)
    })

    it('has one that they cosigned, also of what was logged before they were asked', async () => {
      await start()
      const document = await hour()
      for (let hours = 0; hours < 4; hours += 1) await hour()
      expect(await prove(document)).to.include({ quorum: false, isStamped: true })
      await restarted(policyOf(witness))
      for (let hours = 0; hours < 8; hours += 1) await hour()
      expect(await prove(document)).to.include({ quorum: true, isStamped: true })
    })

    it('has a later checkpoint where somebody has changed the cosignature of the first one', async () => {
      await start(policyOf(witness))
      const document = await hour()
      const { proof } = await prove(document)
      await hour()
      const { note, size } = (await first()) ?? expect.fail('Nothing is stamped')
      const changed = note.replace(/(— w11 .{20})(.)/, (_line, before, one) => before + (one === 'A' ? 'B' : 'A'))
      await test.registry.get(Database).query('registry_log_checkpoints').where({ size }).update({ note: changed })
      const proved = await prove(document)
      expect(proved).to.include({ quorum: true, isStamped: true })
      expect(proved.proof).to.not.equal(proof)
    })

    const first = () => test.registry.get(CheckpointStore).covering(0, 0, () => true)
    /** A new process, which has no witness waiting. */
    const restarted = async (witnesses: string) => {
      const { time } = test.clock
      await test.registry.close()
      await start(witnesses)
      test.clock.time = time
    }
  })
})
