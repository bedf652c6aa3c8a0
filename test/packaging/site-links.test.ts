import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'

const { brokenLinks } = await import(new URL('../../packaging/site/check-links.mjs', import.meta.url).href)
const { rewriteLinks } = await import(new URL('../../packaging/site/links.mjs', import.meta.url).href)

describe('the links of the site', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-links-'))
    mkdirSync(join(folder, 'documents'))
    writeFileSync(join(folder, 'documents/log.html'), '<h2 id="proofs">Proofs</h2>')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const faultsOf = (html: string): string[] => {
    writeFileSync(join(folder, 'index.html'), html)
    return brokenLinks(folder)
  }

  it('may lead to pages, to their headings, and to other sites', () => {
    const good = ['documents/log.html', 'documents/log.html#proofs', '#here', 'https://c2sp.org/tlog-tiles']
    expect(faultsOf(`<p id="here">${good.map((to) => `<a href="${to}">x</a>`).join('')}</p>`)).to.deep.equal([])
  })

  for (const [what, html, fault] of [
    ['a page that is missing', '<a href="documents/logs.html">x</a>', 'does not exist'],
    ['a heading that is missing', '<a class="x" href="documents/log.html#proof">x</a>', 'has no such anchor'],
    ['a heading of the same page that is missing', '<a href="#there">x</a>', 'has no such anchor'],
    ['a picture that is missing', '<img alt="" src="media/card.png">', 'does not exist'],
    ['a script of another site', '<script src="https://cdn.example/x.js"></script>', 'is loaded from elsewhere'],
    ['a style of another site', '<link rel="stylesheet" href="//fonts.example/x.css">', 'is loaded from elsewhere'],
    ['the root of the server', '<a href="/documents/log.html">x</a>', 'leads out of the folder of the site'],
  ] as const)
    it(`may not lead to ${what}`, () => {
      expect(faultsOf(html)).to.have.length(1)
      expect(faultsOf(html)[0]).to.match(new RegExp(`^index\\.html: .* ${fault}$`))
    })
})

describe('links in documents', () => {
  const root = new URL('../../', import.meta.url).pathname
  const documents = new Set(['README.md', 'docs/log.md', 'docs/decisions/README.md', 'docs/examples/scripts.md'])
  const kept: string[] = []
  const onSite = (text: string, repository?: string): string =>
    rewriteLinks(text, { root, from: 'docs/log.md', documents, repository, keep: (path: string) => kept.push(path) })

  it('to documents stay, and folders lead to what describes them', () => {
    expect(onSite('[a](../README.md#run-it) [b](decisions) [c](examples/scripts)')).to.equal(
      '[a](../README.md#run-it) [b](decisions/README.md) [c](examples/scripts.md)',
    )
  })

  it('to files of the repository lead to its address, and are plain code where there is none', () => {
    const text = 'See [the file](../deploy/nginx.conf) and [`app.ts`](../host/src/app.ts).'
    expect(onSite(text)).to.equal('See the file (`deploy/nginx.conf`) and `app.ts`.')
    expect(onSite(text, 'https://git.example/registry')).to.equal(
      'See [the file](https://git.example/registry/blob/HEAD/deploy/nginx.conf) and ' +
        '[`app.ts`](https://git.example/registry/blob/HEAD/host/src/app.ts).',
    )
  })

  it('to pictures and data bring these along', () => {
    const text = '![A card](pictures/card.png) [schema](evidence.schema.json)'
    expect(onSite(text)).to.equal(text)
    expect(kept).to.deep.equal(['docs/pictures/card.png', 'docs/evidence.schema.json'])
  })

  it('are none inside of code', () => {
    const text = '`[x](nowhere.md)`\n\n```sh\n[y](nowhere.md)\n```\n'
    expect(onSite(text)).to.equal(text)
  })

  it('that lead nowhere are refused', () => {
    expect(() => onSite('[x](nowhere.md)')).to.throw('docs/log.md links to nowhere.md, which does not exist')
  })
})
