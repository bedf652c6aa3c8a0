import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MaildirReports } from '@signed-registry/bounces-maildir'
import { deliveryReportsContract } from '@signed-registry/core/contracts'
import { hold } from '../../support/hold.js'

describe('a Maildir as the return path of mails', () => {
  let folder: string
  let delivered = 0
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-maildir-'))
    for (const name of ['new', 'cur']) mkdirSync(join(folder, name))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  hold(
    deliveryReportsContract({
      open: () => new MaildirReports(folder),
      async deliver(message) {
        delivered += 1
        writeFileSync(join(folder, 'new', `1700000000.${String(delivered).padStart(9, '0')}.host`), message)
      },
    }),
  )
})
