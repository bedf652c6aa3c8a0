import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { keptStatementKey } from '#host/session/kept-secrets.js'

describe('the statement key of a host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'statement-key-'))
  after(() => rmSync(folder, { recursive: true }))

  it('is made once, for the owner alone, and is the same ever after', () => {
    const key = keptStatementKey(folder)
    expect(createPrivateKey(key).asymmetricKeyType).to.equal('ed25519')
    expect(keptStatementKey(folder)).to.equal(key)
    expect(statSync(join(folder, 'statement.key')).mode & 0o777).to.equal(0o600)
    expect(readdirSync(folder)).to.deep.equal(['statement.key'])
  })
})
