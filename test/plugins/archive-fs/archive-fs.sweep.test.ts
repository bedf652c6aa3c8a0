import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { FolderStore } from '@signed-registry/archive-fs'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { hold } from '../../support/hold.js'
import { amount, exhaustive } from '../../support/sweep.js'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
/** A disk: where temporary files are in memory, an original of 5 GiB has no place. */
const DISK = '/var/tmp'

describe('a folder as an archive store', () => {
  const folder = mkdtempSync(join(DISK, 'registry-archive-'))
  const { bavail, bsize } = statfsSync(folder)
  const hasRoom = !exhaustive || bavail * bsize > 6 * GIB
  after(() => rmSync(folder, { recursive: true }))

  const large = hasRoom ? amount(64 * MIB, 5 * GIB) : undefined
  hold(archiveStoreContract({ open: () => new FolderStore(join(folder, 'archive')), large }))
  if (!hasRoom) it.skip(`carries an original of 5 GiB (skipped: no room in ${DISK})`)
})
