import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const verifier = fileURLToPath(new URL('../../core/verifier', import.meta.url))

describe('the verifier', () => {
  it('needs nothing but Node: no packages, no network, and no files but on its command line', () => {
    const { dependencies } = JSON.parse(readFileSync(join(verifier, 'package.json'), 'utf8'))
    expect(dependencies).to.equal(undefined)
    const outside = readdirSync(join(verifier, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('command/'))
      .flatMap((name) => [...readFileSync(join(verifier, 'src', name), 'utf8').matchAll(/from '([^.][^']*)'/g)])
    expect([...new Set(outside.map(([, name]) => name))]).to.have.members(['node:crypto', 'node:buffer', 'node:zlib'])
  })
})
