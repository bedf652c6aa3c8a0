import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailerContract } from '@signed-registry/core/contracts'
import { FolderMailer } from '@signed-registry/mailer-files'
import { expect } from 'chai'
import { asReceived } from '../../support/smtp-sink.js'

describe('a folder as a Mailer', () => {
  const parent = mkdtempSync(join(tmpdir(), 'registry-mail-'))
  const folder = join(parent, 'mail')
  after(() => rmSync(parent, { recursive: true }))
  const mailer = new FolderMailer(folder, 'Registry <registry@example.kz>')
  const files = () => readdirSync(folder).map((name) => join(folder, name))
  const received = async () => {
    try {
      return await Promise.all(files().map((path) => asReceived(readFileSync(path))))
    } catch {
      return []
    }
  }
  for (const { title, check } of mailerContract({ open: () => mailer, received })) it(title, check)

  it('writes files readable only by their owner, and replaces a repeated mail', async () => {
    const count = files().length
    expect(files().map((path) => statSync(path).mode & 0o777)).to.deep.equal(files().map(() => 0o600))
    const message = {
      ...{ to: 'a@example.kz', subject: 's', text: 't', html: '<p>t</p>', headers: {}, attachments: [] },
      ...{ messageId: '<../../evil/x.y@h>', signal: new AbortController().signal },
    }
    await mailer.send(message)
    await mailer.send(message)
    expect(files()).to.have.length(count + 1)
    expect(files()).to.include(join(folder, '....evilx.y.eml'))
  })
})
