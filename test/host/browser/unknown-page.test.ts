import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { sendRaw } from '../../support/http.js'
import { startPagesHost } from '../../support/pages-host.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
/** What the client of Java before 2018 sends without being asked. */
const OLD_JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'
const UNKNOWN: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/nowhere'],
  ['GET', '/nowhere/deeper?x=1'],
  ['POST', '/check'],
  ['DELETE', '/d/AAAAAAAAAAAAAAAA'],
  ['GET', '/%zz'],
  ['GET', '/\\\\evil.example'],
  ['GET', '//evil.example/x'],
  ['GET', '/.//evil.example/x'],
  ['GET', `/d/${'a'.repeat(2000)}`],
  ['GET', '/.well-known/security.txt'],
]

describe('an unknown address', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  const ask = (method: string, path: string, accept: string, to = host) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nConnection: close\r\n`
    return sendRaw(to.url, `${head}${method === 'POST' ? 'Content-Length: 0\r\n' : ''}\r\n`)
  }

  it('answers a page to browsers, whatever is wrong with it', async () => {
    for (const [method, path] of UNKNOWN)
      for (const accept of [BROWSER, 'text/html', 'text/html;q=0.9']) {
        const answer = await ask(method, path, accept)
        expect(answer, `${method} ${path}`).to.match(/^HTTP\/1\.1 404 [\s\S]*text\/html/)
        expect(answer, path)
          .to.include('<form class="find"')
          .and.not.match(/="(https?:)?\/\/evil/)
      }
  })

  it('answers JSON to programs', async () => {
    for (const [method, path] of UNKNOWN)
      for (const accept of ['*/*', 'application/json', OLD_JAVA])
        expect(await ask(method, path, accept), `${method} ${path}`)
          .to.match(/^HTTP\/1\.1 404 [\s\S]*application\/json/)
          .and.include('invalidRoute')
  })

  it('is none where only slashes are too many', async () => {
    for (const path of ['//', '//?lang=en']) expect(await ask('GET', path, BROWSER), path).to.match(/^HTTP\/1\.1 200 /)
  })

  it('of the API answers JSON to everybody', async () => {
    for (const path of ['/api/nowhere', '/api/a/b/c', '/log/none/checkpoint'])
      expect(await ask('GET', path, BROWSER), path).to.match(/^HTTP\/1\.1 40\d [\s\S]*application\/json/)
  })

  it('answers JSON where there are no pages', async () => {
    const plain = await startTestHost(openSqlite)
    expect(await ask('GET', '/nowhere', BROWSER, plain)).to.match(/^HTTP\/1\.1 404 [\s\S]*application\/json/)
    await plain.close()
  })
})
