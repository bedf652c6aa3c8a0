import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * npm run release:publish -- FOLDER [--dry-run]: publishes the packages of a release to the registry that npm is configured for,
 * each after those that it needs. What that registry has already is left alone, so it may be run again when it was interrupted.
 */
const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true })
const [folder = 'dist-release'] = positionals
const fail = (text) => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const packages = packagesIn(folder)
if (packages.length === 0) fail(`${folder} has no packages: npm run release makes them`)
for (const { name, version, file, repository } of inOrder(packages)) {
  const there = spawnSync('npm', ['view', `${name}@${version}`, 'version', '--json'], { encoding: 'utf8' })
  if (there.status === 0 && there.stdout.trim() !== '') {
    process.stdout.write(`${name} ${version}: is there already\n`)
    continue
  }
  if (there.status !== 0 && !there.stdout.includes('E404') && !there.stderr.includes('E404'))
    fail(`npm view ${name}: ${there.stderr.trim()}`)
  const args = ['publish', file, '--access', 'public', '--tag', version.includes('-') ? 'next' : 'latest']
  if (repository !== undefined && canProve(process.env)) args.push('--provenance')
  if (values['dry-run']) process.stdout.write(`npm ${args.join(' ')}\n`)
  else publish(`${name} ${version}`, args)
}

function publish(what, args) {
  // npm asks for a one-time password where the account has one.
  const { status } = spawnSync('npm', args, { stdio: ['inherit', 'ignore', 'inherit'] })
  if (status !== 0) fail(`${what} was not published. Mend what npm says above, and run this again: it goes on here`)
  process.stdout.write(`${what}: published\n`)
}

/**
 * GitHub Actions and GitLab CI, where the job may identify itself: npm signs there where and of which commit packages were made, if their
 * `repository` is that of the job.
 */
function canProve({ GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, GITLAB_CI, SIGSTORE_ID_TOKEN }) {
  return Boolean((GITHUB_ACTIONS && ACTIONS_ID_TOKEN_REQUEST_URL) || (GITLAB_CI && SIGSTORE_ID_TOKEN))
}

/** Their manifests, as they are in the tarballs. */
function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => {
      const file = join(folder, name)
      const manifest = JSON.parse(execFileSync('tar', ['xzOf', file, 'package/package.json'], { encoding: 'utf8' }))
      return { ...manifest, file }
    })
}

/** Each after its dependencies, so that whatever is there can be installed. */
function inOrder(packages) {
  const left = new Map(packages.map((one) => [one.name, one]))
  const ordered = []
  while (left.size > 0) {
    const next = [...left.values()].find(
      ({ dependencies = {} }) => !Object.keys(dependencies).some((name) => left.has(name)),
    )
    if (next === undefined) fail(`${[...left.keys()].join(', ')} need each other`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
