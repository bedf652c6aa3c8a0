import { readdirSync, readFileSync } from 'node:fs'
import { terms } from '@signed-registry/core'

import { expect } from 'chai'

const root = new URL('../../', import.meta.url)
const naming = readFileSync(new URL('docs/naming.md', root), 'utf8').split('## Words for people')[1] ?? ''
const [termRows = [], bannedRows = []] = naming
  .split(/^Never said/m)
  .map((part) => [...part.matchAll(/^\| ([^|]*?) *\| ([^|]*?) *\| ([^|]*?) *\|(?: ([^|]*?) *\|)?$/gm)])

/** Files that have texts for people; examples are what the interface answered. */
const sources = ['core/verifier', 'core/registry', 'host', ...inFolder('plugins')].flatMap((name) =>
  ['src', 'browser'].flatMap((folder) => filesIn(`${name}/${folder}/`)),
)

function inFolder(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}`)
}

function filesIn(folder: string): { path: string; text: string }[] {
  const isThere = inFolder(folder.split('/').slice(0, -2).join('/')).includes(folder.slice(0, -1))
  return (isThere ? readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }) : [])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('examples.ts'))
    .map((name) => ({ path: folder + name, text: readFileSync(new URL(folder + name, root), 'utf8') }))
}

/** Where English is for people: elsewhere it is code and comments. */
const ENGLISH =
  /\/(?:texts|errors|[a-z]+-errors|english-names|unsubscribe-words|(?:verdict-|words-)?en)\.ts$|^host\/src\/(?:cli|admin|demo)\//

const LETTER = '[\\p{L}\\p{M}]'
const pattern = (never: string): RegExp =>
  new RegExp(`(?<!${LETTER})${never.replaceAll('*', `${LETTER}*`)}(?!${LETTER})`, 'giu')

describe('the words for people', () => {
  it('are those of the catalogue in docs/naming.md', () => {
    const written = termRows.flatMap(([, name = '', ru = '', kk = '', en = '']) =>
      name.startsWith('`') ? [[name.replaceAll('`', ''), { ru, kk, en }] as const] : [],
    )
    expect(Object.fromEntries(written)).to.deep.equal(terms)
  })

  const nevers = bannedRows.flatMap(([, never = '']) => [...never.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one))

  it('are looked for', () => {
    expect(nevers.length).to.be.greaterThan(30)
    expect('Хэши документа'.match(pattern('хэш*'))).to.deep.equal(['Хэши'])
  })

  for (const never of nevers)
    it(`never include ${never}`, () => {
      const searched = /[а-я]/i.test(never) ? sources : sources.filter(({ path }) => ENGLISH.test(path))
      const found = searched.flatMap(({ path, text }) =>
        [...text.matchAll(pattern(never))].map(([one]) => `${path}: ${one}`),
      )
      expect(found).to.deep.equal([])
    })

  it('mix no letters of two alphabets, which look alike', () => {
    const mixed = /[a-z][а-яёәіңғүұқөһ]|[а-яёәіңғүұқөһ][a-z]/iu
    const found = sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (mixed.test(line.replaceAll('\\n', ' ')) ? [`${path}: ${line.trim()}`] : [])),
    )
    expect(found).to.deep.equal([])
  })
})
