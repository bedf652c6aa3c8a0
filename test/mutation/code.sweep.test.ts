import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { amount } from '../support/sweep.js'
import { type CodeMutant, mutantsOf, nameOf, parses } from './code-mutants.js'
import { EXPLAINED } from './survivors.js'

const tests = fileURLToPath(new URL('../', import.meta.url))
const mocha = fileURLToPath(new URL('bin/mocha.js', import.meta.resolve('mocha/package.json')))
/** Another sample: `SEED=7 MUTANTS=20 AREAS=routing,packages npx mocha dist-test/mutation/code.sweep.test.js`. */
const SEED = process.env.SEED ?? 'first'
const EACH = Number(process.env.MUTANTS ?? 2)
/** Nothing that is right takes as long. */
const HANGS = 300_000

/** Areas whose own tests do not say all of what they do, and the tests that say more. */
const MORE: Readonly<Record<string, string>> = { deliveries: 'core/webhooks', notifications: 'core/mail' }
/** Their tests are about more than an area, or go through the host. */
const LEFT_OUT = /\.|database|kernel|png|qr|cards|procedures/
const areas = readdirSync(`${tests}core`).filter((name) => !LEFT_OUT.test(name))
const chosen = process.env.AREAS?.split(',') ?? areas.slice(0, amount(1, areas.length))

/** The tests of a file first, which are likeliest to tell. */
function testsFor(area: string, file: string): string[] {
  const own = `${file.replace(/\.js$/, '')}.`
  const all = [`core/${area}`, MORE[area] ?? []]
    .flat()
    .flatMap((folder) =>
      readdirSync(`${tests}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
  return all
    .filter((name) => /\.test\.js$/.test(name) && !/\.(sweep|long)\./.test(name))
    .sort((a, b) => Number(b.startsWith(`core/${own}`)) - Number(a.startsWith(`core/${own}`)))
    .map((name) => `${tests}${name}`)
}

/** Whether all tests of the area pass, on SQLite. */
async function passes(area: string, mutant: CodeMutant): Promise<boolean> {
  const withMutant = new URL('./with-mutant.js', import.meta.url).href
  const hooks = `${tests}support/root-hooks.js`
  const options = ['--no-config', '--bail', '--exit', '--timeout', '60000', '--require', hooks, '--sort=false']
  const child = spawn(process.execPath, ['--import', withMutant, mocha, ...options, ...testsFor(area, mutant.file)], {
    // Refusals are not counted with those of this run: a mutant may refuse what nothing else would.
    env: {
      ...process.env,
      MUTANT: JSON.stringify(mutant),
      TEST_DATABASES: 'sqlite',
      EXHAUSTIVE: '',
      EVERY_REFUSAL: '',
      REFUSALS_MET: undefined,
    },
    stdio: 'ignore',
  })
  const hanging = setTimeout(() => child.kill('SIGKILL'), HANGS)
  const [code] = await once(child, 'exit')
  clearTimeout(hanging)
  return code === 0
}

describe(`mutants of the registry (SEED=${SEED})`, () => {
  const survivors: string[] = []
  let tried = 0
  after(() => {
    for (const name of survivors) console.log(`      No test notices: ${name}`)
  })

  it('leave nothing to find where they change nothing', async () => {
    expect(await passes('events', { file: 'events/event.js', line: 1, before: '', after: '' })).to.equal(true)
  })

  for (const area of chosen)
    it(`are tried on the tests of ${area}`, async function () {
      this.timeout(HANGS * EACH * 2)
      const sample = mutantsOf(area, SEED).filter((mutant) => !(nameOf(mutant) in EXPLAINED) && parses(mutant))
      for (const mutant of sample.slice(0, EACH)) {
        tried += 1
        if (await passes(area, mutant)) survivors.push(nameOf(mutant))
      }
    })

  // The sample changes with the code: a limit that is near would fail a change that is right.
  it('are noticed, most of them', () => {
    expect(survivors.length, 'write the tests, or explain them in survivors.ts').to.be.at.most(tried / 2)
  })
})
