import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runProgram } from '../support/run-program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'dist-test', 'wiring')

const HEAD = `
import { anyone, area, guard, type Clock, Clock as ClockPort, type Caller, type Injected, type Input, operation, port, provide, provideValue } from '@signed-registry/core'

import { Type } from 'typebox'
export const parts: unknown[] = []
interface Mailer { send(to: string): Promise<void> }
const Mailer = port<Mailer>('Mailer', 'required')
class Sender { static readonly inject = { mailer: Mailer }; constructor(readonly use: Injected<typeof Sender.inject>) {} }
const sample = operation({ id: 'sample', group: 'test', at: 'GET /sample/:id', who: anyone(), summary: 'Sample', params: Type.Object({ id: Type.String() }), answer: Type.Object({ n: Type.Integer() }) })
void [guard, area, ClockPort, provide, provideValue, Sender, sample, Type]; export type Used = Clock | Caller | Input<typeof sample>
`

/** Wiring that must compile, and wiring that must not. */
const SNIPPETS = {
  good: `parts.push(area({ name: 'a', services: [Sender], provides: [provideValue(Mailer, { send: async () => {} })] }))
class Good { static readonly operation = sample; execute(_caller: Caller, { id }: Input<typeof sample>) { return { n: id.length } } }
parts.push(area({ name: 'a', operations: [Good] }))`,
  partOfAnotherType: `parts.push(provideValue(Mailer, { send: (n: number) => n }))`,
  classOfAnotherType: `class Clockwork { static readonly inject = {}; constructor(_use: object) {}; now() { return 0 } }
parts.push(provide(Mailer, Clockwork))`,
  recipeOfAnotherType: `parts.push(provide(Mailer, { inject: { clock: ClockPort }, make: ({ clock }) => clock }))`,
  dependencyThatWasNotNamed: `class Late { static readonly inject = { mailer: Mailer }; constructor(readonly use: { clock: Clock }) {} }
parts.push(area({ name: 'a', services: [Late] }))`,
  dependencyOfAnotherType: `class Wrong { static readonly inject = { mailer: Mailer }; constructor(readonly use: { mailer: Clock }) {} }
parts.push(area({ name: 'a', services: [Wrong] }))`,
  classThatNamesNothing: `class Bare { constructor(readonly mailer: Mailer) {} }
parts.push(area({ name: 'a', services: [Bare] }))`,
  operationThatTakesSomethingElse: `class Takes { static readonly operation = sample; execute(_caller: Caller, _input: { query: { page: number } }) { return { n: 1 } } }
parts.push(area({ name: 'a', operations: [Takes] }))`,
  operationThatAnswersSomethingElse: `class Answers { static readonly operation = sample; execute() { return { n: 'one' } } }
parts.push(area({ name: 'a', operations: [Answers] }))`,
  guardThatAsksForWhatIsNotGiven: `const ofNobody = guard({ words: 'nobody', refuses: [], inject: {}, check: () => async (_caller: Caller, _input: { page: number }) => ({}) })
class Asks { static readonly operation = operation({ ...sample, who: ofNobody }); execute() { return { n: 1 } } }
parts.push(area({ name: 'a', operations: [Asks] }))`,
  operationThatTakesWhatItsGuardDoesNotFind: `const counted = guard({ words: 'counted', refuses: [], inject: {}, check: () => async (_caller: Caller) => ({ count: 1 }) })
const spec = operation({ id: 'sample', group: 'test', at: 'GET /sample/:id', who: counted, summary: 'Sample', params: Type.Object({ id: Type.String() }), answer: Type.Object({ n: Type.Integer() }) })
class Takes { static readonly operation = spec; execute(_caller: Caller, { count }: { count: string }) { return { n: count.length } } }
parts.push(area({ name: 'a', operations: [Takes] }))`,
  taskWithoutSchedule: `class Task { static readonly task = { name: 'task' }; run = async () => {} }
parts.push(area({ name: 'a', tasks: [Task] }))`,
  kindThatIsNone: `parts.push(port<Mailer>('Mailer', 'optional'))`,
}

describe('wrong wiring does not compile', () => {
  let failures: ReadonlyMap<string, string>
  before(async () => {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(SNIPPETS)) writeFileSync(join(folder, `${name}.ts`), HEAD + text)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: {
          noEmit: true,
          composite: false,
          declaration: false,
          declarationMap: false,
          sourceMap: false,
        },
        include: ['*.ts'],
      }),
    )
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout = '' } = await runProgram(tsc, ['-p', folder, '--pretty', 'false']).catch((error) => error)
    failures = new Map(
      [...stdout.matchAll(/(\w+)\.ts\(\d+,\d+\): (error TS\d+: .*)/g)].map(([, file, error]) => [file, error]),
    )
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('while right wiring does', () => expect(failures.get('good')).to.equal(undefined))

  for (const name of Object.keys(SNIPPETS)) {
    if (name === 'good') continue
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    it(words, () => expect(failures.get(name)).to.match(/TS2\d{3}/))
  }
})
