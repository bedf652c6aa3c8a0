import { anonymous } from '@signed-registry/core'

import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import {
  isConsistent,
  isIncluded,
  leafHash,
  openCheckpoint,
  readLogProof,
  readPublicEntry,
} from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { LogTree } from '#core/log/log-tree.js'
import { LogWorker } from '#core/log/log-worker.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { ServeLog } from '#core/log/serve-log.js'
import { forEachDatabase } from '../../support/databases.js'
import { LOG_KEY } from '../../support/log-key.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

describe('the log', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let log: { origin: string; verifierKey?: string; address: string }
    before(async () => {
      test = await testRegistry(await open(), { log: { key: LOG_KEY } })
      await integrate()
      log = await test.registry.get(GetLog).execute()
    })
    after(() => test.registry.close())

    const integrate = () => test.registry.get(LogWorker).run()
    const name = () => log.address.split('/').at(-1) ?? ''
    const register = async (data = Buffer.from(`I owe you ${Math.random()} tenge.`)) => {
      const { registry, authorities } = test
      const signature = authorities.person().signCms(data).toString('base64')
      const { documentId, signId = 0 } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature } })
      return { documentId, signId, data }
    }
    const served = async () => {
      const note = await test.registry.get(ServeLog).checkpoint(name())
      return openCheckpoint(note, (await test.registry.get(GetLog).execute()).verifierKey ?? '')
    }
    const provedSignature = async (signId: number) => {
      const proved = await test.registry.get(ProveEntry).of('signature', `${signId}`)
      if (proved.state !== 'logged') throw new Error(`The signature is ${proved.state}`)
      return proved
    }

    it('has each registered signature, and proves it by a signed checkpoint', async () => {
      const { documentId, signId } = await register()
      expect(await test.registry.get(ProveEntry).of('signature', `${signId}`)).to.deep.equal({ state: 'pending' })
      await integrate()
      const proved = await provedSignature(signId)
      const proof = readLogProof(proved.proof)
      const { size, root, origin } = openCheckpoint(
        proof.checkpoint,
        (await test.registry.get(GetLog).execute()).verifierKey ?? '',
      )
      expect(origin).to.equal(log.origin)
      const [entry = Buffer.alloc(0)] = (
        await test.registry.get(LogTree).entries({ log: 0, size, root }, 0, size)
      ).slice(proof.index)
      expect(isIncluded({ leaf: leafHash(entry), index: proof.index, size, root, proof: proof.hashes })).to.equal(true)
      expect(
        Buffer.from(proof.extra ?? [])
          .subarray(32)
          .toString(),
      ).to.match(
        new RegExp(
          `^signature\ndocumentId ${documentId}\ndocumentStoredAt \\d{4}-.*Z\nsignId ${signId}\nstoredAt \\d{4}-.*Z\nsignature [0-9a-f]{64}\n`,
        ),
      )
    })

    it('has the hashes that are fixed for a document', async () => {
      const { documentId, data } = await register()
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      await integrate()
      expect(await test.registry.get(ProveEntry).of('digests', documentId)).to.include({ state: 'logged' })
    })

    it('grows, and each checkpoint is consistent with the ones before', async () => {
      const before = await served()
      for (let n = 0; n < 300; n += 1) await register()
      await integrate()
      const after = await served()
      expect(after.size).to.be.greaterThan(before.size + 299)
      const proof = await test.registry.get(LogTree).consistency({ log: 0, ...after }, before.size)
      expect(isConsistent({ from: before, to: after, proof })).to.equal(true)
    })

    it('tells that a registration is not what was logged', async () => {
      const { signId } = await register()
      await integrate()
      const { query } = test.registry.get(Database)
      await query('registry_signatures').where({ sign_id: signId }).increment('stored_at', 1)
      expect(await test.registry.get(ProveEntry).of('signature', `${signId}`)).to.deep.equal({ state: 'changed' })
    })

    it('does not serve a tile that was changed', async () => {
      const { query } = test.registry.get(Database)
      const [{ hashes } = { hashes: Buffer.alloc(0) }] = await query('registry_log_tiles')
        .where({ level: 0, idx: 0 })
        .select('hashes')
      const wrong = Buffer.from(hashes)
      wrong[40] = (wrong[40] ?? 0) ^ 1
      await query('registry_log_tiles').where({ level: 0, idx: 0 }).update({ hashes: wrong })
      await register()
      await integrate()
      await test.registry
        .get(ServeLog)
        .tile(name(), '0/000')
        .then(
          () => expect.fail('a changed tile was served'),
          (error: unknown) => expect(error).to.include({ code: 'logUnreadable' }),
        )
      await query('registry_log_tiles').where({ level: 0, idx: 0 }).update({ hashes })
    })

    it('stamps a checkpoint, and logs the stamp for everybody', async () => {
      await register()
      test.clock.time += 60 * 60_000
      await integrate()
      await integrate()
      const { size, root } = await served()
      const entries = await test.registry
        .get(LogTree)
        .entries({ log: 0, size, root }, Math.floor(size / 256), size % 256)
      expect(readPublicEntry(entries.at(-1) ?? Buffer.alloc(0))).to.include({ kind: 'stamp' })
    })
  })
})
