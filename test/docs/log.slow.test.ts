import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readLeafText, readLogPolicy } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LOGGED_KINDS } from '#core/log/logged-facts.js'
import { bundleHost } from '../support/bundle.js'
import { freePort } from '../support/free-port.js'
import { startHostProcess } from '../support/host-process.js'
import { goEnvironment, requireGo } from '../support/log/go.js'
import { onPath } from '../support/programs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/log.md')
const run = promisify(execFile)

/** The blocks of a document in this language, `''` for none, as they stand without the margin of a list. */
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].flatMap(([, margin = '', of, block = '']) =>
    of === language ? [block.replaceAll(new RegExp(`^${margin}`, 'gm'), '')] : [],
  )

/** The rows of the first table behind a heading, cell by cell. */
const rowsBehind = (heading: string): string[][] =>
  (page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]?.split('\n\n') ?? [])
    .map((part) => part.trim())
    .filter((part) => part.startsWith('| '))
    .slice(0, 1)
    .flatMap((table) => table.split('\n').slice(2))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

describe('docs/log.md', () => {
  it('shows in five minutes what the worked example registered', async function () {
    requireGo(this)
    if (onPath('unzip') === undefined) this.skip()
    const folder = mkdtempSync(join(tmpdir(), 'registry-log-'))
    for (const name of ['node_modules', 'docs']) symlinkSync(join(root, name), join(folder, name))
    const host = startHostProcess({ DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) }, [
      await bundleHost(),
    ])
    try {
      const [example = ''] = blocksOf(read('README.md').split('## A worked example')[1] ?? '', 'sh')
      const [check = ''] = blocksOf(page, 'sh')
      const here = example.replace(/^registry=.*$/m, `registry=${await host.url}`)
      const script = `set -e\n${here}\n${check.replace(/^export GO111MODULE=.*$/m, '')}`
      const env = { ...process.env, ...goEnvironment }
      const { stdout } = await run('bash', ['-c', script], { cwd: folder, env })
      const [, entry = ''] = /\nis entry (\d+) in the tree of \d+ entries that/.exec(stdout) ?? []
      expect(stdout).to.match(/\nand it is in the newest tree, of \d+ entries, which has grown out of that one\n/)
      expect(stdout).to.include(`signature 1: entry ${entry} of`)
      expect(stdout.match(/^Everything is proved\.$/gm)).to.have.length(2)
      expect(stdout).to.match(
        / entries opened: \d+ as logged, \d+ public, 0 forgotten, 0 changed, 0 removed, 0 unknown/,
      )
      expect(stdout).to.match(/\ntimeStamp [0-9a-f]{64}\n.*Time stamp: /s)
    } finally {
      await host.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('has every kind of entry, with its fields in their order', () => {
    const rows = rowsBehind('What is logged').map(([kind = '']) => kind.replaceAll('`', ''))
    expect([...rows, 'public']).to.have.members(Object.keys(LOGGED_KINDS))
    const [example = ''] = blocksOf(page, '')
    const { kind, fields } = readLeafText(example)
    const [, , names] = rowsBehind('What is logged').find(([name]) => name === `\`${kind}\``) ?? []
    expect(names).to.equal(`\`${[...fields.keys()].join(' ')}\``)
  })

  for (const [kind, file] of Object.entries({
    seal: 'audit/audit-facts.ts',
    settings: 'audit/audit-facts.ts',
    delivery: 'routing/item-facts.ts',
    decision: 'routing/item-facts.ts',
    recall: 'routing/item-facts.ts',
  })) {
    it(`has the fields of a ${kind}`, () => {
      const [fact = ''] = read(`core/registry/src/${file}`).split(`kind: '${kind}'`)[1]?.split('\n})') ?? []
      const names = [...fact.matchAll(/\['(\w+)', /g)].map(([, name]) => name)
      expect(rowsBehind('What is logged').find(([name]) => name === `\`${kind}\``)?.[2]).to.equal(
        `\`${names.join(' ')}\``,
      )
    })
  }

  it('has policies that can be read', () => {
    const policies = blocksOf(page, '').filter((block) => block.includes('quorum '))
    expect(policies).to.have.length(3)
    for (const policy of policies) readLogPolicy(policy)
  })

  it('says of an operator only what a test shows, and all of it', () => {
    const told = rowsBehind('What an operator may do, and who shows it').map(([what]) => what)
    const files = readdirSync(join(root, 'test/journeys')).filter((name) => name.startsWith('log-operator'))
    const shown = files.flatMap((name) =>
      [...read(`test/journeys/${name}`).matchAll(/^(?: {4}it| {2}describe)\('((?!is seen)[^']+)'/gm)].map(
        ([, title]) => title,
      ),
    )
    expect(told).to.have.length.above(10)
    expect(shown).to.have.members(told)
  })
})
