import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('npm run release refuses', () => {
  let folder: string
  let repository: string
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-test-'))
    repository = join(folder, 'repository')
    execFileSync('git', ['clone', '--quiet', root, repository])
    git('config', 'user.name', 'Somebody')
    git('config', 'user.email', 'somebody@example.test')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const refusal = (...args: string[]) => {
    const program = join(repository, 'packaging/release.mjs')
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
    expect(status).to.equal(1)
    expect(stderr).not.to.include('    at ')
    return stderr
  }

  for (const version of ['', '1', 'v1.0.0', '01.0.0', '1.0.0-rc', '1.0.0;id'])
    it(`what is no version: ${version || 'none'}`, () => {
      expect(refusal(version)).to.include('Say which version')
    })

  it('changes that nobody committed', () => {
    writeFileSync(join(repository, 'README.md'), 'Changed.\n')
    expect(refusal('1.0.0')).to.include('Commit or stash your changes first')
  })

  it('a version that exists', () => {
    git('tag', 'v1.0.0')
    expect(refusal('1.0.0')).to.include('There is a version 1.0.0 already')
  })

  it('a folder that has something else', () => {
    mkdirSync(join(folder, 'out'))
    writeFileSync(join(folder, 'out/other.txt'), '')
    expect(refusal('1.0.0', '--out', join(folder, 'out'))).to.include('is not empty')
  })

  it('a key that is not Ed25519, and a file that is no key', () => {
    const key = join(folder, 'key.pem')
    execFileSync('openssl', ['genpkey', '-quiet', '-algorithm', 'RSA', '-out', key])
    expect(refusal('1.0.0', '--key', key)).to.include('has no Ed25519 key')
    writeFileSync(key, 'no key')
    expect(refusal('1.0.0', '--key', key)).to.include('has no Ed25519 key')
  })

  it('to release nothing', () => {
    const log = join(repository, 'CHANGELOG.md')
    writeFileSync(
      log,
      readFileSync(log, 'utf8').replace(/^## Unreleased.*$/m, '## Unreleased\n\n## 0.1.0 (2026-11-01)'),
    )
    git('commit', '--quiet', '--all', '--message', 'Release nothing')
    expect(refusal('1.0.0', '--out', join(folder, 'out'))).to.include('CHANGELOG.md says nothing that is unreleased')
    expect(git('tag')).to.equal('')
  })
})
