import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '@signed-registry/core'
import { expect } from 'chai'
import { CheckArchive } from '#core/originals/check-archive.js'
import { SweepOriginals } from '#core/originals/index.js'
import { ForgetProcedures } from '#core/procedures/end-procedures.js'
import { archiveAt } from '../../support/archive-at.js'
import { bundledProgram } from '../../support/bundle.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { testClock } from '../../support/pki/authorities.js'
import { shareDifferences } from '../../support/share-differences.js'
import { amount } from '../../support/sweep.js'

const program = await bundledProgram('bodies-killer.js')
const SIZES = [100_000, 2 ** 20 + 7]
/** Moments from one kill to the next. */
const STEP = amount(11, 1)
const HOUR = 60 * 60_000

describe('a body of a procedure whose host is killed', () => {
  forEachDatabase((open) => {
    it('is counted while it exists, and leaves neither rows nor objects', async () => {
      const [url, folder] = [await open(), mkdtempSync(join(tmpdir(), 'registry-killed-bodies-'))]
      const clock = testClock()
      const registry = await registryWithoutAuthorities(url, { clock }, [archiveAt(folder)])
      const rowsIn = async (name: string) => (await registry.get(Database).query(name).select()).length
      try {
        const kills = amount(6, url.startsWith('sqlite:') ? 120 : 40)
        for (let [killed, moment] = [0, 1]; killed < kills; moment += STEP) {
          const size = SIZES[killed % SIZES.length] ?? 0
          const args = [program, url, folder, String(size), String(clock.time), String(moment)]
          const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
          const [code, signal] = await once(child, 'exit')
          if (signal === 'SIGKILL') killed += 1
          else {
            expect(code).to.equal(0)
            moment = 1 - STEP
          }
          expect(await shareDifferences(registry)).to.deep.equal([])
          for await (const finding of registry.get(CheckArchive).findings()) expect(finding.kind).to.equal('progress')
          clock.time += HOUR
          await registry.get(ForgetProcedures).run()
          await registry.get(SweepOriginals).run()
          expect(await shareDifferences(registry)).to.deep.equal([])
          for (const name of ['bodies', 'chunks']) expect(await rowsIn(`registry_procedure_${name}`)).to.equal(0)
          expect(await rowsIn('registry_archive_pieces')).to.equal(0)
          const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
          expect(files).to.deep.equal([])
        }
      } finally {
        await registry.close()
        rmSync(folder, { recursive: true })
      }
    })
  })
})
