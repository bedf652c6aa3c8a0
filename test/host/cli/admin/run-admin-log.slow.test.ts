import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { checkpointText, originHash, verifyLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { WitnessStates } from '#core/log/witness-states.js'
import { runAdmin } from '#host/cli/admin/run-admin.js'
import { forEachDatabase } from '../../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../../support/log/logging-registry.js'
import { newLogKey } from '../../../support/log-key.js'
import { uploadOf } from '../../../support/registry.js'

describe('signed-registry admin log', () => {
  forEachDatabase((open) => {
    let folder: string
    let database: string
    let test: LoggingRegistry
    const keyFile = () => join(folder, 'log.key')
    const start = async () => {
      test = await loggingRegistry(database, { key: readFileSync(keyFile(), 'utf8'), folder })
    }
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-admin-log-'))
      database = await open()
      writeFileSync(keyFile(), newLogKey(), { mode: 0o600 })
      await start()
    })
    afterEach(async () => {
      await test.registry.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const run = async (line: string, env: Record<string, string> = {}) => {
      const said = { out: '', err: '' }
      const code = await runAdmin(['log', ...line.split(' ').filter((word) => word !== '')], {
        env: { DATABASE_URL: database, DATA_DIR: folder, ...env },
        out(text) {
          said.out += text
        },
        err(text) {
          said.err += text
        },
      })
      expect(said.out + said.err, 'what is printed').to.not.include('PRIVATE KEY')
      return { code, ...said }
    }
    const registered = async () => {
      const document = await test.register()
      await test.integrate()
      return document
    }
    /** As if the database had been restored from before a checkpoint of this size. */
    const restored = async (size: number) => {
      const { origin, address } = await test.log()
      await test.registry.close()
      const text = checkpointText({ origin, size, root: Buffer.alloc(32, 1) })
      writeFileSync(join(folder, `log-${address.split('/').at(-1)}.checkpoint`), text)
      await start()
    }

    it('tells how the log is getting on', async () => {
      expect((await run('')).out).to.equal('The registry has not begun a log yet.\n')
      await registered()
      const { origin, verifierKey } = await test.log()
      const { code, out } = await run('')
      expect(code).to.equal(0)
      expect(out).to.match(new RegExp(`^${origin}\n  address {5}http`))
      expect(out)
        .to.include(`  key         ${verifierKey}\n`)
        .and.to.match(/checkpoint {2}of 1 entries, \d+ \w+ ago/)
      expect(out).to.not.include('not signed')
      const [json] = (await run('--json')).out.split('\n')
      expect(JSON.parse(json ?? '')).to.deep.include({ isOn: true, earlier: [] })
      expect((await run('', { LOG: 'off' })).out).to.equal('The log is off (LOG=off).\n')
    })

    it('goes on as a witness from the tree that was cosigned last', async () => {
      const origin = 'other.example/log'
      const file = join(folder, `witnessed-${originHash(origin)}.checkpoint`)
      writeFileSync(file, checkpointText({ origin, size: 7, root: Buffer.alloc(32, 1) }))
      expect((await run(`resume-witness ${origin}`)).out).to.match(
        /^other\.example\/log is cosigned again, .* 7 entries/,
      )
      expect((await run(`resume-witness ${origin}`)).out).to.match(/^The database has all/)
      expect((await run('resume-witness another')).out).to.match(/^The database has all/)
      expect((await run('resume-witness')).code).to.equal(2)
    })

    it('tells of witnesses, and of one that fails', async () => {
      const states = test.registry.get(WitnessStates)
      const witness = { name: 'w1', verifierKey: 'w1+any' }
      await registered()
      await states.keep(0, witness, { size: 5, cosignedAt: Date.now() })
      expect((await run('')).out).to.match(/^ {2}witness {5}w1 cosigned 5 entries \d+ \w+ ago .*\)$/m)
      await states.keep(0, witness, { failedAt: Date.now() + 1, failure: 'timeout' })
      expect((await run('')).out).to.match(/^ {2}witness {5}w1 cosigned 5 entries .*, and failed .*: timeout$/m)
    })

    it('tells why checkpoints are not signed, and what to do', async () => {
      await registered()
      await restored(40)
      expect((await run('')).out).to.match(/not signed {2}databaseOlder: the database was restored/)
    })

    it('begins another log after a restore, when that is confirmed', async () => {
      await registered()
      const { origin } = await test.log()
      expect((await run('resume --yes')).err).to.equal('The log can be signed: it goes on as it is\n')
      await restored(40)
      expect((await run('resume')).code).to.equal(2)
      const { code, out } = await run('resume --yes')
      expect(code).to.equal(0)
      expect(out).to.include(`${origin} has ended with its checkpoint of 40 entries`)
      await test.integrate()
      expect((await test.log()).earlier.map((log) => log.origin)).to.deep.equal([origin])
      expect((await run('')).out).to.include(`  succeeded   ${origin}\n`)
    })

    it('changes the key, and keeps the former one in a file beside it', async () => {
      await registered()
      const former = readFileSync(keyFile(), 'utf8')
      const { code, out } = await run('rotate-key')
      expect(code).to.equal(0)
      expect(out.split('\n')[0]).to.equal((await test.log()).verifierKey)
      expect(readFileSync(`${keyFile()}.old`, 'utf8')).to.equal(former)
      expect(readFileSync(keyFile(), 'utf8')).to.not.equal(former)
      expect(statSync(keyFile()).mode & 0o777).to.equal(0o600)
      expect(readdirSync(folder)).to.not.include('log.key.new')
      await test.registry.close()
      await start()
      const { size } = await test.checkpoint()
      await registered()
      expect((await test.checkpoint()).size).to.be.greaterThan(size)
    })

    it('goes on with a change of the key that ended before its file was in place', async () => {
      await registered()
      const former = readFileSync(keyFile(), 'utf8')
      await run('rotate-key')
      const next = readFileSync(keyFile(), 'utf8')
      writeFileSync(`${keyFile()}.new`, next)
      writeFileSync(keyFile(), former)
      const { verifierKey } = await test.log()
      expect((await run('rotate-key')).out.split('\n')[0]).to.equal(verifierKey)
      expect(readFileSync(keyFile(), 'utf8')).to.equal(next)
    })

    it('changes no key where it is not, and leaves no other one behind', async () => {
      await registered()
      rmSync(keyFile())
      const { code, err } = await run('rotate-key')
      expect([code, err]).to.deep.equal([1, `There is no key at ${keyFile()}: run this where the registry has it\n`])
      expect(readdirSync(folder).filter((name) => name.startsWith('log.key'))).to.deep.equal([])
      await test.registry.close()
      writeFileSync(keyFile(), newLogKey())
      await start()
    })

    it('changes no key of another user, who could not read the next one', async function () {
      if (process.getuid?.() !== 0) return this.skip()
      await registered()
      chownSync(keyFile(), 1, 1)
      const { code, err } = await run('rotate-key')
      expect([code, err]).to.deep.equal([1, `Run this as the user that the registry runs as, who owns ${keyFile()}\n`])
      expect(readdirSync(folder)).to.not.include('log.key.new')
    })

    it('writes the proofs of a document, and says what they prove', async () => {
      const { documentId, signId } = await test.register()
      const waits = await run(`prove ${documentId}`)
      expect(waits.out).to.equal(`Signature ${signId}: its entry, or a checkpoint that covers it, is still to come\n`)
      await test.integrate()
      const into = join(folder, 'proofs')
      const { code, out } = await run(`prove ${documentId} --into ${into}`)
      expect(code).to.equal(0)
      const { origin } = await test.log()
      expect(out).to.match(
        new RegExp(`^Signature ${signId}: entry \\d+ of ${origin}, in the tree of its signed checkpoint`),
      )
      const proof = readFileSync(join(into, `signature-${signId}.tlog-proof`), 'utf8')
      expect(verifyLogProof(proof)).to.deep.include({ kind: 'signature', origin })
      expect((await run(`prove ${documentId}`)).out).to.include(proof)
    })

    it('writes the proof of the hashes, too', async () => {
      const data = Buffer.from('I owe you 100 tenge.')
      const signature = test.authorities.person().signCms(data).toString('base64')
      const { registry } = test
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      await test.integrate()
      const into = join(folder, 'proofs')
      expect((await run(`prove ${documentId} --into ${into}`)).out).to.include(`Hashes of ${documentId}: entry `)
      const proof = readFileSync(join(into, 'digests.tlog-proof'), 'utf8')
      expect(verifyLogProof(proof)).to.include({ kind: 'digests' })
    })

    it('fails for a document that is not what was logged, and for one that it does not know', async () => {
      const { documentId, signId } = await registered()
      await test.registry
        .get(Database)
        .query('registry_signatures')
        .where({ sign_id: signId })
        .increment('stored_at', 1)
      const { code, out } = await run(`prove ${documentId}`)
      expect(code).to.equal(1)
      expect(out).to.include(`Signature ${signId}: IT IS NOT WHAT WAS LOGGED`)
      expect(await run('prove AAAAAAAAAAAAAAAA')).to.include({ code: 1, out: '' })
    })

    it('fails for a document that is not in the log, and does not call that right', async () => {
      const { documentId, signId } = await test.register()
      await test.registry.get(Database).query('registry_log_pending').delete()
      const { code, out, err } = await run(`prove ${documentId}`)
      expect(out).to.equal(
        `Signature ${signId}: it is not in the log; that is as it should be only if it was registered while the registry kept no log\n`,
      )
      expect([code, err]).to.deep.equal([1, 'Not all of this document is in the log\n'])
    })

    for (const line of ['x', 'prove', 'prove a b', 'resume', 'rotate-key --yes', '--into here', '--no'])
      it(`tells how it is used instead of: log ${line}`, async () => {
        expect(await run(line)).to.include({ code: 2, out: '' })
      })
  })
})
