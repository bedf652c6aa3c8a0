import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFile } from './write-aside.mjs'

const SOURCE = 'core/verifier/src/version.ts'
const UNRELEASED = /^## Unreleased.*$/m

/** What the change log says of what is not released yet. */
export function unreleasedIn(log) {
  const [, entries = ''] = log.split(UNRELEASED)
  const [unreleased = ''] = entries.split(/^## /m)
  return unreleased.trim()
}

/** Gives a checked-out repository and all its packages a version, and closes what is unreleased in the change log. */
export function setVersion(root, version, day) {
  const change = (name, by) => writeFile(join(root, name), by(readFileSync(join(root, name), 'utf8')))
  const changeJson = (name, by) => change(name, (text) => `${JSON.stringify(by(JSON.parse(text)), null, 2)}\n`)
  const versioned = (manifest) => {
    const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@signed-registry/'))
    const dependencies = { ...manifest.dependencies, ...Object.fromEntries(own.map((name) => [name, version])) }
    return { ...manifest, version, ...(own.length > 0 && { dependencies }) }
  }
  let ours = []
  changeJson('package-lock.json', (lock) => {
    ours = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'))
    for (const path of ours) lock.packages[path] = versioned(lock.packages[path])
    return { ...lock, version }
  })
  for (const path of ours) changeJson(join(path, 'package.json'), versioned)
  change(SOURCE, (text) => text.replace(/'[^']+'/, `'${version}'`))
  change('CHANGELOG.md', (text) => text.replace(UNRELEASED, `## Unreleased\n\n## ${version} (${day})`))
}
