import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSessionCookie } from '#host/session/cookies.js'
import { keptSecret } from '#host/session/kept-secrets.js'

describe('the session cookie', () => {
  it('is found among others', () => {
    for (const header of ['jwt=a.b.c', 'a=1; jwt=a.b.c', 'jwt=a.b.c;x=y', ' a=b ;  jwt = a.b.c ; xjwt=z; jwt2=z']) {
      expect(readSessionCookie(header), header).to.equal('a.b.c')
    }
  })
  it('is none when it is empty, absent, or there twice: somebody else may have planted one', () => {
    for (const header of [undefined, '', 'jwt=', 'jwt', 'xjwt=a', '=jwt', 'jwt=a; jwt=b', 'jwt=a; a=b; jwt=a']) {
      expect(readSessionCookie(header), header).to.equal(undefined)
    }
  })
})

describe('the session secret of a host', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-secret-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('is made once, and readable by its owner alone', () => {
    const secret = keptSecret(folder)
    expect(secret).to.match(/^[\w-]{43}$/)
    expect(keptSecret(folder)).to.equal(secret)
    expect(statSync(join(folder, 'session-secret')).mode & 0o777).to.equal(0o600)
  })
})
