import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous } from '@signed-registry/core'
import { AddCheckpoint, GetLog, GetWitnessedCheckpoint } from '@signed-registry/core/log'
import {
  checkpointText,
  openCheckpoint,
  originHash,
  verifyCosignature,
  writeAddCheckpoint,
} from '@signed-registry/verifier/log'
import { expect } from 'chai'
import fc from 'fast-check'
import { Database } from '#core/database/database.js'
import { LogWorker } from '#core/log/log-worker.js'
import { ResumeWitness } from '#core/log/resume-witness.js'
import { WitnessedStore } from '#core/log/witnessed-store.js'
import { growTree } from '#verifier/log/grow-tree.js'
import { leafHash } from '#verifier/log/merkle.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { forEachDatabase } from '../../support/databases.js'
import { logKeyOf, privateKeyOf } from '../../support/log/note-keys.js'
import { newLogKey } from '../../support/log-key.js'
import { RecordingLogger } from '../../support/recording-logger.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const witnessFor = (...origins: readonly string[]) =>
  `${origins.map((origin) => `log ${logKeyOf(origin, origin.length)}\n`).join('')}quorum none\n`

/** Logs of the property below: a new one in each run. */
const RACES = Array.from({ length: 30 }, (_, at) => 'r'.repeat(at + 10))

/** A log that shows two trees: both begin with the same entries, and go on with their own. */
const COMMON = 5
const leavesOf = (branch: string, size: number) =>
  Array.from({ length: size }, (_, at) => leafHash(Buffer.from(`${at < COMMON ? '' : branch} ${at}`)))

async function headOf(branch: string, size: number) {
  const grown = growTree({ size: 0, edge: [] }, leavesOf(branch, size))
  const tree = new TiledTree(size, async ({ width }) => Buffer.concat(leavesOf(branch, width)))
  return { head: { size, root: grown.root }, tree }
}

/** A request to cosign a tree of a branch, from a size of the same branch. */
async function requestOf(origin: string, from: number, to: number, branch = 'a'): Promise<string> {
  const { head, tree } = await headOf(branch, to)
  const note = signNote(checkpointText({ origin, ...head }), origin, privateKeyOf(origin.length))
  const proof = from > to ? [] : await tree.consistency(from)
  return writeAddCheckpoint({ oldSize: from, proof, note })
}

const bodyOf = (text: string) => ({ body: { stream: [Buffer.from(text)] } })

describe('a registry as a witness', () => {
  forEachDatabase((open) => {
    const logger = new RecordingLogger()
    const folder = mkdtempSync(join(tmpdir(), 'registry-witness-'))
    const log = { witnessFor: witnessFor('a', 'ccc', 'dddd', ...RACES), witnessKey: newLogKey(), folder }
    let url: string
    let test: TestRegistry
    let witnessKey: string
    before(async () => {
      url = await open()
      test = await testRegistry(url, { log, logger })
      await test.registry.get(LogWorker).run()
      witnessKey = (await test.registry.get(GetLog).execute()).witnessKey ?? ''
    })
    after(async () => {
      await test.registry.close()
      rmSync(folder, { recursive: true })
    })

    const add = ({ registry }: TestRegistry, text: string) =>
      registry.get(AddCheckpoint).execute(anonymous, bodyOf(text))
    const refused = async (text: string) => {
      const { code, details } = await rejectionOf(add(test, text))
      return details?.size === undefined ? code : `${code} ${details.size}`
    }
    const shown = (origin: string) =>
      test.registry.get(GetWitnessedCheckpoint).execute(anonymous, { originHash: originHash(origin) })

    it('names its key for others', () => {
      expect(witnessKey).to.match(/^127\.0\.0\.1:8080\/witness\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{43}$/)
    })

    it('cosigns checkpoints that continue each other, and shows the last one with both signatures', async () => {
      expect((await rejectionOf(shown('a'))).code).to.equal('logNotWitnessed')
      await add(test, await requestOf('a', 0, 3))
      const request = await requestOf('a', 3, 9)
      const { signatures } = await add(test, request)
      const note = request.slice(request.indexOf('\n\n') + 2)
      const time = Math.floor(test.clock.time / 1000)
      expect(verifyCosignature(note + signatures, witnessKey)).to.deep.equal({ time })
      const { checkpoint } = await shown('a')
      expect(checkpoint).to.equal(note + signatures)
      expect(openCheckpoint(checkpoint, logKeyOf('a', 1)).size).to.equal(9)
    })

    it('cosigns the last one again, with the time', async () => {
      test.clock.time += 1000
      const { signatures } = await add(test, await requestOf('a', 9, 9))
      const { checkpoint } = await shown('a')
      expect(checkpoint).to.contain(signatures)
      expect(verifyCosignature(checkpoint, witnessKey)).to.deep.equal({ time: Math.floor(test.clock.time / 1000) })
    })

    it('keeps no signatures of others', async () => {
      const request = await requestOf('a', 9, 9)
      const note = request.slice(request.indexOf('\n\n') + 2)
      const foreign = signNote(note.slice(0, note.indexOf('\n\n') + 1), 'foreign', privateKeyOf(7))
        .split('\n')
        .at(-2)
      await add(test, `${request}${foreign}\n`)
      expect((await shown('a')).checkpoint).not.to.contain('foreign')
    })

    it('reads a note with 16 signatures of 5 kB', async () => {
      const value = Buffer.alloc(5004, 7).toString('base64')
      const lines = Array.from({ length: 15 }, (_, at) => `\u2014 other${at} ${value}\n`)
      const { signatures } = await add(test, `${await requestOf('a', 9, 9)}${lines.join('')}`)
      expect(signatures).to.contain('/witness ')
    })

    it('refuses what the rules refuse, and stores nothing', async () => {
      const before = await test.registry.get(Database).query('registry_log_witnessed').select()
      expect(await refused('old 0\n')).to.equal('checkpointUnreadable')
      expect(await refused('')).to.equal('checkpointUnreadable')
      expect(await refused('x'.repeat(256 * 1024 + 1))).to.equal('bodyTooLarge')
      expect(await refused(await requestOf('unknown', 0, 1))).to.equal('logNotWitnessed')
      const { head } = await headOf('a', 10)
      const forged = signNote(checkpointText({ origin: 'a', ...head }), 'a', privateKeyOf(9))
      expect(await refused(writeAddCheckpoint({ oldSize: 9, proof: [], note: forged }))).to.equal('checkpointNotSigned')
      expect(await refused(await requestOf('a', 10, 9))).to.equal('checkpointSizesReversed')
      expect(await refused(await requestOf('a', 3, 10))).to.equal('checkpointConflict 9')
      expect(await refused(await requestOf('a', 9, 10, 'b'))).to.equal('checkpointInconsistent')
      expect(await refused(await requestOf('a', 9, 9, 'b'))).to.equal('checkpointInconsistent')
      expect(await test.registry.get(Database).query('registry_log_witnessed').select()).to.deep.equal(before)
    })

    it('knows no logs without a policy', async () => {
      const none = await testRegistry(await open(), { log: {} })
      expect((await rejectionOf(add(none, await requestOf('a', 0, 1)))).code).to.equal('logNotWitnessed')
      await none.registry.get(LogWorker).run()
      expect(await none.registry.get(GetLog).execute()).not.to.have.property('witnessKey')
      const hash = { originHash: originHash('a') }
      const asked = none.registry.get(GetWitnessedCheckpoint).execute(anonymous, hash)
      expect((await rejectionOf(asked)).code).to.equal('logNotWitnessed')
      await none.registry.close()
    })

    it('judges again where another request was faster', async () => {
      await add(test, await requestOf('dddd', 0, 4))
      const store = test.registry.get(WitnessedStore)
      const read = store.of.bind(store)
      // The other request comes between reading and storing.
      store.of = async (hash) => {
        store.of = read
        const row = await read(hash)
        await add(test, await requestOf('dddd', 4, 8, 'a'))
        return row
      }
      expect(await refused(await requestOf('dddd', 4, 7, 'b'))).to.equal('checkpointConflict 8')
    })

    it('never cosigns two trees that do not continue each other, however requests race on two hosts', async () => {
      const other = await testRegistry(url, { log: { ...log, folder: join(folder, 'other') } })
      let run = 0
      const start = fc.integer({ min: 0, max: COMMON })
      const size = fc.integer({ min: 0, max: 12 })
      const from = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: size })
      const request = fc.record({ from, to: size, branch: fc.constantFrom('a', 'b'), host: fc.boolean() })
      const requests = fc.array(request, { minLength: 2, maxLength: 16 })
      const property = fc.asyncProperty(start, requests, async (start, requests) => {
        run += 1
        const origin = RACES[run % RACES.length] ?? ''
        await add(test, await requestOf(origin, 0, start))
        const texts = await Promise.all(
          requests.map(({ from = start, to, branch }) => requestOf(origin, from, to, branch)),
        )
        const cosigned: { readonly branch: string; readonly size: number }[] = []
        await Promise.all(
          requests.map(async ({ to, branch, host }, at) => {
            const outcome = await add(host ? other : test, texts[at] ?? '').catch((error) => error.code)
            if (typeof outcome === 'object') cosigned.push({ branch, size: to })
            else expect(outcome).not.to.equal('witnessBehind')
          }),
        )
        const apart = cosigned.filter(({ size }) => size > COMMON)
        expect(new Set(apart.map(({ branch }) => branch)).size).to.be.at.most(1)
      })
      await fc.assert(property, { numRuns: RACES.length, endOnFailure: true }).finally(() => other.registry.close())
    })

    it('cosigns nothing after its database was restored to an earlier state, until its operator puts the tree back', async () => {
      const rows = () => test.registry.get(Database).query('registry_log_witnessed').where({ origin: 'ccc' })
      await add(test, await requestOf('ccc', 0, 6))
      const [earlier] = await rows()
      await add(test, await requestOf('ccc', 6, 8))
      expect(readdirSync(folder)).to.contain(`witnessed-${originHash('ccc')}.checkpoint`)
      for (const restore of [() => rows().update(earlier), () => rows().delete()]) {
        await restore()
        // A host that starts anew reads the file.
        await test.registry.close()
        test = await testRegistry(url, { log, logger })
        logger.said.length = 0
        expect(await refused(await requestOf('ccc', 6, 8, 'b'))).to.equal('witnessBehind')
        expect(await refused(await requestOf('ccc', 0, 8, 'b'))).to.equal('witnessBehind')
        expect(logger.about(/not cosigned/)).to.have.length(1)
        const resume = test.registry.get(ResumeWitness)
        expect((await resume.of('ccc'))?.size).to.equal(8)
        expect(await resume.of('ccc')).to.equal(undefined)
        expect((await rejectionOf(shown('ccc'))).code).to.equal('logNotWitnessed')
        expect(await refused(await requestOf('ccc', 8, 8, 'b'))).to.equal('checkpointInconsistent')
        await add(test, await requestOf('ccc', 8, 8))
        expect((await shown('ccc')).checkpoint).to.contain(witnessKey.split('+')[0])
      }
    })

    describe('on two hosts', () => {
      const rows = () => test.registry.get(Database).query('registry_log_witnessed').where({ origin: 'dddd' })
      const bothBranches = async (host: TestRegistry) => {
        const codes = []
        for (const branch of ['a', 'b'])
          codes.push((await rejectionOf(add(host, await requestOf('dddd', 6, 8, branch)))).code)
        return codes
      }
      const HALTED = ['witnessBehind', 'witnessBehind']
      const poll = ({ registry }: TestRegistry) => registry.get(LogWorker).run()
      let other: TestRegistry
      let earlier: object
      beforeEach(async () => {
        await rows().delete()
        const [one, another] = [mkdtempSync(join(folder, 'host-')), mkdtempSync(join(folder, 'host-'))]
        await test.registry.close()
        test = await testRegistry(url, { log: { ...log, folder: one }, logger })
        other = await testRegistry(url, { log: { ...log, folder: another }, logger })
        await add(test, await requestOf('dddd', 0, 6))
        ;[earlier] = await rows()
        await add(test, await requestOf('dddd', 6, 8))
      })
      afterEach(() => other.registry.close())

      it('each knows what the other has cosigned, and misses it in a database that was restored', async () => {
        await poll(other)
        await rows().update(earlier)
        expect(await bothBranches(other)).to.deep.equal(HALTED)
      })

      for (const [what, restore] of [
        ['earlier', () => rows().update(earlier)],
        ['no', () => rows().delete()],
      ] as const)
        it(`what one misses, where the database has ${what} tree, halts all until an operator resumes on any`, async () => {
          await restore()
          await poll(test)
          expect(await bothBranches(other)).to.deep.equal(HALTED)
          await other.registry.close()
          other = await testRegistry(url, { log: { ...log, folder: mkdtempSync(join(folder, 'new-')) }, logger })
          await poll(other)
          expect(await bothBranches(other)).to.deep.equal(HALTED)

          const resume = other.registry.get(ResumeWitness)
          expect((await resume.of('dddd'))?.size).to.equal(8)
          expect(await resume.of('dddd')).to.equal(undefined)
          const wrong = await rejectionOf(add(other, await requestOf('dddd', 8, 9, 'b')))
          expect(wrong.code).to.equal('checkpointInconsistent')
          await add(other, await requestOf('dddd', 8, 9))
          await add(test, await requestOf('dddd', 9, 10))
        })

      it('the largest tree that one of them misses is the one to go on from', async () => {
        await poll(other)
        await add(other, await requestOf('dddd', 8, 9))
        await rows().update(earlier)
        for (const host of [test, other, test]) await poll(host)
        expect((await test.registry.get(ResumeWitness).of('dddd'))?.size).to.equal(9)
      })

      it('refusing a request halts all too', async () => {
        await rows().update(earlier)
        expect(await bothBranches(test)).to.deep.equal(HALTED)
        expect(await bothBranches(other)).to.deep.equal(HALTED)
      })

      it('one that misses another tree of the same size does not quarrel with one that has it', async () => {
        await rows().delete()
        await add(other, await requestOf('dddd', 0, 8, 'b'))
        for (const host of [test, other]) await poll(host)
        const [halted] = await rows()
        await poll(test)
        expect(await rows()).to.deep.equal([halted])
        expect(await bothBranches(other)).to.deep.equal(HALTED)
      })
    })

    it('cosigns nothing while the file of the last checkpoint cannot be read', async () => {
      const own = join(folder, 'unreadable')
      mkdirSync(own)
      writeFileSync(join(own, `witnessed-${originHash('a')}.checkpoint`), 'a\n9\n')
      const host = await testRegistry(url, { log: { ...log, folder: own } })
      expect((await rejectionOf(add(host, await requestOf('a', 9, 10)))).code).to.equal('witnessBehind')
      await host.registry.close()
    })

    it('resumes nothing that it has not cosigned', async () => {
      expect(await test.registry.get(ResumeWitness).of('unknown')).to.equal(undefined)
    })
  })
})
