import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'
import { clientPage } from './client-program.mjs'

const program = ['chromium-headless-shell', 'chromium']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/**
 * A server of one page that runs the code of the client's README, with the client as it is in the application's packages: `origin`, which the
 * registry has to let call it, and `visit`, which opens the page in Chromium.
 */
export async function pageOfClient(application) {
  const client = realpathSync(join(application, 'node_modules/@signed-registry/client'))
  let page = ''
  const server = createServer(({ url = '/' }, response) => {
    const file = join(client, normalize(new URL(url, 'http://any').pathname))
    const isModule = url.startsWith('/dist/') && existsSync(file)
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isModule ? readFileSync(file) : page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${server.address().port}`
  return {
    origin,
    async visit(registry) {
      if (program === undefined) {
        if (process.env.REQUIRE_CHROMIUM === '1') throw new Error('REQUIRE_CHROMIUM=1, but chromium is not installed')
        return
      }
      page = pageFor(application, registry)
      await titled(origin)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function pageFor(application, registry) {
  const contract = `A contract of ${Date.now()}`
  writeFileSync(join(application, 'contract.txt'), contract)
  const sign = ['--as', 'person-1', 'contract.txt']
  const signature = execFileSync('node_modules/.bin/dev-sign', sign, { cwd: application, encoding: 'utf8' }).trim()
  const map = JSON.stringify({ imports: { '@signed-registry/client': '/dist/index.js' } })
  return `<!doctype html><title>…</title><script type="importmap">${map}</script>
<script type="module">${clientPage(registry, contract, signature)}</script>`
}

/** Opens a page, which takes a `documentId` as its title once all went well. */
async function titled(address) {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    const window = await browser.newPage()
    const problems = []
    window.on('pageerror', (error) => problems.push(error.message))
    window.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await window.goto(address)
    await window
      .waitForFunction(() => document.title.length === 16, undefined, { timeout: 60_000 })
      .catch((error) => {
        throw new Error(`The client in a page: ${problems.join(', ')}`, { cause: error })
      })
  } finally {
    await browser.close()
  }
}
