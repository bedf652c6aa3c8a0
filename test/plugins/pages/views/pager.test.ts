import { expect } from 'chai'
import type { TestHost } from '../../../support/host.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

describe('the pages of a search', () => {
  let host: TestHost
  let cookie: string
  before(async () => {
    host = await startPagesHost({ limits: { searchedDocuments: 4, itemsPerPage: 2 } })
    cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    await registered(host, { title: 'first second.txt' })
    for (let n = 0; n < 8; n += 1) await registered(host, { title: `${n % 2 ? 'first' : 'second'}.txt` })
  })
  after(() => host.close())

  const page = async (path: string) => {
    const text = await (await fetch(host.url + path, { headers: { cookie, 'accept-language': 'en' } })).text()
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    return { text, next, found: [...text.matchAll(/<a href="\/d\/[^"]*"><bdi>([^<]*)/g)].map(([, title]) => title) }
  }

  it('offer to search on where nothing was found so far, until all is found', async () => {
    const first = await page('/documents?q=first+second')
    expect(first.found).to.deep.equal([])
    expect(first.text).to.include('Nothing found so far').and.to.include('Search on')
    const found: unknown[] = []
    let { next } = first
    for (let read = 0; next !== undefined && read < 40; read += 1) {
      const on = await page(next)
      expect(on.text).to.include('Search from the beginning')
      found.push(...on.found)
      next = on.next
    }
    expect(next).to.equal(undefined)
    expect(found).to.deep.equal(['first second.txt'])
  })

  it('say how many they show, and no total, until the search has come to its end', async () => {
    const first = await page('/documents?q=first')
    expect(first.found).to.have.length.greaterThan(0)
    expect(first.text).to.include(`On this page: ${first.found.length} item`)
    const last = await page(first.next ?? '')
    expect(last.text).to.include(`On this page: ${last.found.length} item`)
    expect((await page('/documents')).text).to.include('9 items')
  })

  it('say that there is nothing only at the end', async () => {
    const { text, next } = await page('/documents?q=absent')
    expect(text).to.include('Nothing found.').and.to.not.include('so far')
    expect(next).to.equal(undefined)
  })

  it('are read on by time without a search', async () => {
    const first = await page('/documents')
    const second = await page(first.next ?? '')
    expect(first.found.length + second.found.length).to.equal(4)
    expect(second.text).to.include('Back to the newest')
  })
})
