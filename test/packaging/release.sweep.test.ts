import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { migrationHashes } from '../support/migration-hashes.js'
import { exhaustive } from '../support/sweep.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const VERSION = '1.2.3'
const ARCHIVE = `signed-registry-${VERSION}.tar.gz`

// There is no cheap sample: minutes go into installing, bundling and the site. What it refuses is tested beside this file.
const suite = exhaustive ? describe : describe.skip

suite('npm run release', function () {
  this.timeout(1_800_000)
  let folder: string
  let repository: string
  let files: string
  const run = (program: string, args: readonly string[], cwd = folder) =>
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const git = (...args: string[]) => run('git', args, repository).trim()
  const release = (out: string, ...args: string[]) =>
    run(process.execPath, ['packaging/release.mjs', VERSION, '--out', out, ...args], repository)

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-test-'))
    repository = join(folder, 'repository')
    files = join(folder, 'files')
    run('git', ['clone', '--quiet', root, repository])
    run('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'key.pem'])
    release(files, '--key', join(folder, 'key.pem'), '--dry-run')
  })
  after(() => rmSync(folder, { recursive: true }))

  it('makes every package, the host, the site, a list of what is in it, the changes and signed checksums', () => {
    const names = readdirSync(files)
    const packages = readdirSync(join(root, 'plugins')).map((name) => `signed-registry-${name}-${VERSION}.tgz`)
    expect(names).to.include.members([
      ...packages,
      ...['core', 'verifier', 'client', 'host'].map((name) => `signed-registry-${name}-${VERSION}.tgz`),
      ...[ARCHIVE, `signed-registry-site-${VERSION}.tar.gz`, `signed-registry-${VERSION}.cdx.json`],
      ...['CHANGES.md', 'SHA256SUMS', 'SHA256SUMS.sig'],
    ])
    const summed = readFileSync(join(files, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(summed).to.have.length(names.length - 2)
  })

  it('changes nothing in the repository with --dry-run', () => {
    expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).to.deep.equal([
      ...['', ''],
      run('git', ['log', '-1', '--format=%s'], root).trim(),
    ])
  })

  it('is checked as the documents say', () => {
    run('openssl', ['pkey', '-in', 'key.pem', '-pubout', '-out', 'files/release-key.pem'])
    const text = readFileSync(join(root, 'docs/releases.md'), 'utf8')
    const [, commands = ''] = /```sh check\n([\s\S]*?)```/.exec(text) ?? []
    expect(commands).to.include('SHA256SUMS')
    run('bash', ['-euc', commands], files)
    rmSync(join(files, 'release-key.pem'))
  })

  it('gives a host that runs from its archive', async () => {
    run('tar', ['xzf', join(files, ARCHIVE)])
    const data = join(folder, 'data')
    mkdirSync(data)
    giveDevAuthorities(data)
    const env = { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', MTLS_PORT: 'off', DEV_AUTHORITIES: 'yes' }
    const program = join(folder, `signed-registry-${VERSION}/host/bundle/signed-registry.js`)
    const host = spawn(process.execPath, [program, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      let said = ''
      host.stdout.on('data', (chunk) => {
        said += chunk
      })
      const address = /The registry is at (http:[^"\s]+)/
      await until(async () => address.test(said))
      const [, url] = address.exec(said) ?? []
      const version = await (await fetch(`${url}/api/version`)).json()
      expect(version).to.include({ version: `v${VERSION}` })
    } finally {
      host.kill()
    }
  })

  it('makes the same files in another folder, byte for byte, and commits and tags what it released', () => {
    const again = join(folder, 'again')
    release(again, '--key', join(folder, 'key.pem'))
    const different = readdirSync(files).filter(
      (name) => !readFileSync(join(files, name)).equals(readFileSync(join(again, name))),
    )
    expect(different).to.deep.equal([])
    expect(readdirSync(again).toSorted()).to.deep.equal(readdirSync(files).toSorted())
    expect([git('tag'), git('log', '-1', '--format=%s'), git('status', '--porcelain')]).to.deep.equal([
      ...[`v${VERSION}`, `Release ${VERSION}`, ''],
    ])
    const archive = join(repository, `test/upgrades/${VERSION}.tar.gz`)
    expect(run('tar', ['tzf', archive]))
      .to.include('sqlite\n')
      .and.include('mariadb.sql\n')
    const migrations = JSON.parse(readFileSync(join(repository, 'test/architecture/released-migrations.json'), 'utf8'))
    expect(migrations).to.deep.equal(migrationHashes())
    const { version, dependencies } = JSON.parse(readFileSync(join(repository, 'host/package.json'), 'utf8'))
    expect([version, dependencies['@signed-registry/core']]).to.deep.equal([VERSION, VERSION])
  })
})
