import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { anonymous } from '@signed-registry/core'
import { GetDocument, RegisterDocument } from '@signed-registry/core/documents'
import { GetUserSettings, SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { CheckArchive } from '#core/originals/check-archive.js'
import { SweepOriginals } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import { archiveAt } from './archive-at.js'
import { bundledProgram } from './bundle.js'
import { personCaller } from './core-registry.js'
import { testRegistry } from './registry.js'
import { shareDifferences } from './share-differences.js'
import { amount } from './sweep.js'

const program = await bundledProgram('originals-killer.js')
const IIN = 'IIN900101300017'
const MIB = 1024 * 1024
const SIZES = [700_000, 3 * MIB + 7]
/** Moments from one kill to the next. */
const STEP = amount(9, 1)

/**
 * Uploads originals that are to be archived, or to be in temporary storage, each by a process of its own that is killed one step later than the one before
 * it, until so many were killed. After each of them the original must be kept and counted, or neither.
 */
export async function killUploads(databaseUrl: string, where: string, kills: number): Promise<void> {
  const { registry, clock, authorities } = await testRegistry(databaseUrl, { plugins: [archiveAt(where)] })
  try {
    await registry.get(ArchiveAccounts).setQuota(IIN, { bytes: 2 ** 40, expires: undefined }, 'test')
    const request = { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' }
    await registry.get(SaveUserSettings).execute(personCaller(IIN), { request })
    const archivist = authorities.person({ iin: IIN.slice(3) })
    const other = authorities.person({ iin: '880101300014' })
    let [killed, used] = [0, 0]
    for (let moment = 1; killed < kills; moment += STEP) {
      const size = SIZES[killed % SIZES.length] ?? 0
      // In turns, whatever the size.
      const isArchived = killed % 4 < 2
      const person = isArchived ? archivist : other
      const settings = isArchived ? {} : { tempStorageAfterRegistration: 90_000 }
      clock.time += 1000
      const signature = person.signCms(Buffer.alloc(size)).toString('base64')
      const { documentId } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature, settings } })
      const args = [program, databaseUrl, where, documentId, String(size), String(clock.time), String(moment)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
      const [code, signal] = await once(child, 'exit')
      if (signal === 'SIGKILL') killed += 1
      else {
        expect(code).to.equal(0)
        moment = 1 - STEP
      }

      // The claim of whoever was killed ends, and the next sweep tidies up.
      clock.time += 61_000
      await registry.get(SweepOriginals).run()
      const document = await registry.get(GetDocument).execute(anonymous, { id: documentId })
      expect([document.dataArchived, document.tempStorage, document.signedDataSize]).to.be.deep.oneOf([
        [false, false, 0],
        [isArchived, !isArchived, size],
      ])
      if (isArchived) used += document.signedDataSize
      expect(await shareDifferences(registry)).to.deep.equal([])
      expect((await registry.get(GetUserSettings).execute(personCaller(IIN))).dataArchiveUsage).to.equal(used)
    }
    for await (const finding of registry.get(CheckArchive).findings()) expect(finding.kind).to.equal('progress')
  } finally {
    await registry.close()
  }
}
