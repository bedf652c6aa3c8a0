import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { killUploads } from '../../support/killed-uploads.js'
import { amount } from '../../support/sweep.js'

describe('an upload to a folder whose host is killed', () => {
  forEachDatabase((open) => {
    it('is archived and counted, or neither', async () => {
      const [url, folder] = [await open(), mkdtempSync(join(tmpdir(), 'registry-killed-'))]
      try {
        await killUploads(url, folder, amount(3, url.startsWith('sqlite:') ? 100 : 30))
        expect(readdirSync(join(folder, 'incoming'))).to.deep.equal([])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
})
