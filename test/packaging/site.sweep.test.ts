import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { serveFolder } from '../support/static-site.js'
import { exhaustive } from '../support/sweep.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const makeSite = (out: string) =>
  execFileSync('npm', ['run', '--silent', 'site', '--', '--out', out], { cwd: root, encoding: 'utf8' })
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()

/** What TypeDoc's own theme does in its navigation and its lists of members. */
const OF_THE_THEME = /^(?:nested-interactive|heading-order): /

describeInBrowser('npm run site', (browser) => {
  let folder: string
  let site: string
  let server: Awaited<ReturnType<typeof serveFolder>>
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'site-test-'))
    site = join(folder, 'site')
    makeSite(site)
    server = await serveFolder(site, '/some/path/')
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** Opens a page; what it asks of others counts as a problem. */
  const open = async (path: string, options = {}): Promise<{ page: Page; problems: string[] }> => {
    const { page, problems } = await browser.open(server.url, options)
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) problems.push(`asks ${request.url()}`)
    })
    await page.goto(path)
    return { page, problems }
  }

  for (const [word, found] of [
    ['MTLS_PORT', 'Configuration of the stock host'],
    ['registryUnavailable', '@signed-registry/client.RegistryUnavailable'],
    ['registerDocument', 'Operations.Documents.registerDocument'],
    ['createRegistry', '@signed-registry/core.createRegistry'],
  ] as const)
    it(`finds ${word} under ${found}, without a server's help`, async () => {
      const { page, problems } = await open('')
      await page.click('#tsd-search-trigger')
      await page.fill('#tsd-search-input', word)
      const result = page.locator('#tsd-search-results a', { hasText: found }).first()
      await result.click()
      await page.waitForURL((url) => !url.pathname.endsWith('/path/'))
      expect((await page.textContent('body'))?.toLowerCase()).to.include(word.toLowerCase())
      expect(problems).to.deep.equal([])
    })

  for (const path of [
    '',
    'documents/Operations.Documents.registerDocument.html',
    'classes/_signed-registry_client.RegistryUnavailable.html',
  ])
    for (const options of [{}, { dark: true }, { width: 390 }])
      it(`shows ${path === '' ? 'the front page' : path} to everybody ${JSON.stringify(options)}`, async () => {
        const { page, problems } = await open(path, options)
        await page.locator('h1').first().waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).to.equal(true)
        expect((await violations(page)).filter((one) => !OF_THE_THEME.test(one))).to.deep.equal([])
        expect(problems).to.deep.equal([])
      })

  it('has a page for every operation, and every public name of a package', () => {
    const pages = filesOf(site).join('\n')
    const api: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
      readFileSync(join(root, 'docs/openapi.json'), 'utf8'),
    )
    const ids = Object.values(api.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
    expect(ids.filter((id) => !pages.includes(`.${id}.html`))).to.deep.equal([])
    for (const [name, source] of [
      ['core', 'core/registry'],
      ['client', 'core/client'],
      ['verifier', 'core/verifier'],
      ['host', 'host'],
    ]) {
      const listed = readFileSync(join(site, `modules/_signed-registry_${name}.html`), 'utf8')
      const index = readFileSync(join(root, `${source}/src/index.ts`), 'utf8')
      const names = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
        .flatMap(([, list = '']) => list.split(','))
        .map((one) =>
          one
            .trim()
            .replace(/^type /, '')
            .replace(/^.* as /, ''),
        )
        .filter((one) => one !== '')
      expect(names).to.have.length.above(10)
      const plain = listed.replaceAll('<wbr/>', '')
      expect(names.filter((one) => !plain.includes(`>${one}<`) && !plain.includes(`${one}.html`))).to.deep.equal([])
    }
  })

  it('is the same, byte for byte, when it is made again', function () {
    if (!exhaustive) this.skip()
    const again = join(folder, 'again')
    makeSite(again)
    expect(filesOf(again)).to.deep.equal(filesOf(site))
    const different = filesOf(site).filter(
      (name) => !readFileSync(join(site, name)).equals(readFileSync(join(again, name))),
    )
    expect(different).to.deep.equal([])
  })
})
