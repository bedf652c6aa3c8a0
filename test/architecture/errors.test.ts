import { readdirSync, readFileSync } from 'node:fs'
import type { ErrorCatalogue } from '@signed-registry/core'

import { expect } from 'chai'
import { coreOperations } from '#core/core-areas.js'
import { OF_ANY } from '../support/refusals-met.js'

const root = new URL('../../', import.meta.url)

/** The TypeScript files of a folder with their text. */
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ path: `${folder}${file}`, text: readFileSync(new URL(`${folder}${file}`, root), 'utf8') }))

const packages = (folder: string) => readdirSync(new URL(folder, root)).map((name) => `${folder}${name}/src/`)
const sources = [...packages('core/'), ...packages('plugins/'), 'host/src/'].flatMap(filesIn)
/** The tests that `.ci/run` runs whole, and their support files. */
const tests = filesIn('test/').filter(({ path }) => !/\.(sweep|long)\.test\.ts$/.test(path))

const isCatalogue = (value: unknown): value is { readonly texts: ErrorCatalogue } =>
  typeof value === 'object' && value !== null && 'texts' in value && 'error' in value

/** Every catalogue that is declared anywhere. */
async function findCatalogues(): Promise<readonly { readonly texts: ErrorCatalogue }[]> {
  const declaring = sources.filter(({ text }) => text.includes(' = defineErrors('))
  const modules: object[] = await Promise.all(
    declaring.map(({ path }) => import(new URL(path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'), root).href)),
  )
  return modules.flatMap((module) => Object.values(module).filter(isCatalogue))
}
const catalogues = await findCatalogues()

/** Letters that Russian does not have. */
const KAZAKH = /[әғқңөұүһі]/i

const refused = new Set(coreOperations.flatMap(({ refusals }) => refusals.map(({ code }) => code)))

describe('the catalogues of errors', () => {
  const errors = catalogues.flatMap(({ texts }) => Object.entries(texts))

  it('have every code once, and one translation for every message', () => {
    expect(new Set(errors.map(([code]) => code)).size).to.equal(errors.length)
    for (const [, { message, ru, kk, description }] of errors) {
      const alike = errors.filter(([, other]) => other.message === message)
      for (const [code, other] of alike) expect(other, code).to.include({ ru, kk, description })
    }
  })

  it('leave failures that any operation may meet out of what each refuses with', () => {
    const named = coreOperations.flatMap(({ id, refusals }) => refusals.map(({ code, kind }) => ({ id, code, kind })))
    expect(named.filter(({ kind }) => OF_ANY.includes(kind))).to.deep.equal([])
  })

  for (const [code, { message, ru, kk, description }] of errors) {
    it(`translate and explain ${code}, and some test meets it`, () => {
      expect(message).to.match(/^[\x20-\x7e]+[^.]$/)
      expect(ru)
        .to.match(/[а-яё]/i)
        .and.not.match(KAZAKH)
      expect(kk)
        .to.match(/[а-яәғқңөұүһі]/i)
        .and.not.equal(ru)
      expect(description).to.match(/^[A-Za-z].*\.$/)
      const named = new RegExp(`\\b${code}\\b`)
      const isAlone = errors.filter(([, other]) => other.message === message).length === 1
      const meets = (text: string) => named.test(text) || (isAlone && text.includes(message))
      // Refusals of operations are checked by the run of all tests (refusals-met.ts).
      expect(refused.has(code) || tests.some(({ text }) => meets(text))).to.equal(true)
    })
  }
})
