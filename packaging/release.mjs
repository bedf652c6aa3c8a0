import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setVersion, unreleasedIn } from './set-version.mjs'

/*
 * npm run release -- 1.2.0 [--key FILE] [--out FOLDER] [--dry-run]: makes a release of the last commit, in a clone, so that
 * nothing else gets in. The same commit and version give the same files, byte for byte. With --dry-run the repository stays
 * as it is; without, it gets the commit and the tag. Nothing is published: docs/releases.md says what comes then.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, out: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
})
const [version = ''] = positionals
const out = resolve(values.out ?? join(root, 'dist-release'))

const fail = (text) => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env })
const git = (...args) => run(root, 'git', ...args).trim()
const step = (text) => process.stdout.write(`${text}\n`)

// Files get the same rights whoever makes them, and what a build writes down of the time is that of the commit.
process.umask(0o022)
const env = { ...process.env, NODE_ENV: 'production', TZ: 'UTC', npm_config_ignore_scripts: 'false' }
if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[a-z]+\.\d+)?$/.test(version))
  fail('Say which version: npm run release -- 1.2.0, or 1.2.0-rc.1')
if (git('status', '--porcelain') !== '') fail('Commit or stash your changes first: a release is made of a commit')
if (!values['dry-run'] && git('tag', '--list', `v${version}`) !== '')
  fail(`There is a version ${version} already, and versions never change`)
if (!values['dry-run'] && !['mariadbd', 'mariadb-dump'].every(isInstalled))
  fail('Install MariaDB (mariadb-server): a release keeps a database of its schema, which later versions are tried on')
const log = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
if (unreleasedIn(log) === '') fail('CHANGELOG.md says nothing that is unreleased')
const key = values.key === undefined ? undefined : privateKey(values.key)
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) fail(`${out} is not empty: say another folder by --out`)
env.SOURCE_DATE_EPOCH = git('log', '-1', '--format=%ct')
/** Of the repository, in the archive of the host. */
const KEPT = new Set([
  ...['core', 'host', 'plugins', 'packaging', 'docs', 'deploy', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['tsconfig.base.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'],
])
const today = new Date(Number(env.SOURCE_DATE_EPOCH) * 1000).toISOString().slice(0, 10)

const folder = mkdtempSync(join(tmpdir(), 'release-'))
try {
  const clone = join(folder, 'registry')
  run(folder, 'git', 'clone', '--quiet', '--no-tags', root, clone)
  step(`Version ${version} of ${git('rev-parse', '--short', 'HEAD')}`)
  setVersion(clone, version, today)
  run(clone, 'npm', 'ci', '--silent', '--no-audit', '--no-fund', '--include=dev')
  run(clone, 'npm', 'run', '--silent', 'generate')
  // Made of random keys, so that only the commit has it: the files of a release are the same for whoever makes them again.
  if (!values['dry-run']) {
    step('Databases of this version, which later ones are tried on')
    run(clone, process.execPath, 'dist-test/support/write-released.js', version)
  }
  commit(clone)

  step('Packages')
  run(clone, 'npm', 'pack', '--workspaces', '--silent', '--pack-destination', out)
  step('The host with all that it needs')
  const hosts = join(folder, `signed-registry-${version}`)
  packHost(clone, hosts)
  step('The site')
  packSite(clone, `signed-registry-site-${version}`)
  step('What is in it')
  write(`signed-registry-${version}.cdx.json`, run(clone, process.execPath, 'packaging/sbom.mjs'))
  write('CHANGES.md', `## ${version} (${today})\n\n${unreleasedIn(log)}\n`)
  const sums = readdirSync(out)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
  write('SHA256SUMS', sums)
  if (key !== undefined) write('SHA256SUMS.sig', sign(null, Buffer.from(sums), key))
  if (!values['dry-run']) {
    // The tag last: without its commit it would stay where something else was committed meanwhile.
    git('pull', '--quiet', '--ff-only', '--no-tags', clone, 'HEAD')
    git('fetch', '--quiet', clone, `refs/tags/v${version}:refs/tags/v${version}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
step(`${readdirSync(out).length} files in ${out}`)
step(
  values['dry-run']
    ? 'Nothing was committed or tagged'
    : `Committed and tagged v${version}: docs/releases.md says how to publish it`,
)

function write(name, content) {
  writeFileSync(join(out, name), content)
}

function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** Commits with the time of the commit that it is made of. */
function commit(clone) {
  const [name, email] = [git('log', '-1', '--format=%cn'), git('log', '-1', '--format=%ce')]
  const as = ['-c', `user.name=${name}`, '-c', `user.email=${email}`, '-c', 'core.hooksPath=/dev/null']
  env.GIT_AUTHOR_DATE = env.GIT_COMMITTER_DATE = `${env.SOURCE_DATE_EPOCH} +0000`
  run(clone, 'git', 'add', '--all')
  run(clone, 'git', ...as, 'commit', '--quiet', '--message', `Release ${version}`)
  run(clone, 'git', ...as, 'tag', '--annotate', '--message', `Version ${version}`, `v${version}`)
}

/** The folder that the image has too, as a tar archive: unpacked, `node host/bundle/signed-registry.js start` runs there. */
function packHost(clone, at) {
  run(folder, 'git', 'clone', '--quiet', clone, at)
  for (const name of readdirSync(at)) if (!KEPT.has(name)) rmSync(join(at, name), { recursive: true })
  run(at, 'npm', 'ci', '--silent', '--omit=dev', '--no-audit', '--no-fund')
  run(at, process.execPath, 'packaging/compile.mjs')
  run(at, process.execPath, 'packaging/remove-compilers.mjs')
  archive(`signed-registry-${version}`)
}

/** The pages of `npm run site`, as a tar archive. */
function packSite(clone, name) {
  run(clone, 'npm', 'ci', '--silent', '--no-audit', '--no-fund', '--include=dev', '--prefix', 'packaging')
  run(clone, process.execPath, 'packaging/site.mjs', '--out', join(folder, name))
  archive(name)
}

/** Packs a folder of the temporary one, so that the same files give the same bytes. */
function archive(name) {
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=go-w', '--format=gnu']
  const file = join(folder, `${name}.tar`)
  run(folder, 'tar', ...order, `--mtime=@${env.SOURCE_DATE_EPOCH}`, '-cf', file, name)
  run(folder, 'gzip', '--no-name', '-9', file)
  cpSync(`${file}.gz`, join(out, `${name}.tar.gz`))
}

/** An Ed25519 key that signs the checksums. */
function privateKey(file) {
  try {
    const key = createPrivateKey(readFileSync(file))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below.
  }
  return fail(`${file} has no Ed25519 key: openssl genpkey -algorithm ed25519 -out FILE makes one`)
}
