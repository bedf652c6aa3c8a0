import type { PersonName } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { PeopleHost } from '../../support/people/people-host.js'
import { Scales, total } from '../../support/weights.js'

const FIRST_PAINT_BYTES = 20_000
const PAGE_BYTES = 60_000
/** 400 kbit/s and 400 ms there and back, as a phone in the steppe has it. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

describeInBrowser('what pages weigh', (browser) => {
  let people: PeopleHost
  let documentId: string
  let paths: readonly string[]
  let received: string
  before(async () => {
    people = await PeopleHost.start()
    documentId = await people.register('person-2', { title: 'Lease.txt' }, Buffer.from('A lease\n'))
    const sender = await people.as('person-2')
    const { outgoingId } = await sender.sendDocument({
      id: documentId,
      request: { to: 'IIN900101300010', toSign: true },
    })
    const { items } = await (await people.as('person-1')).listIncoming({})
    const id = `/d/${documentId}`
    paths = [
      ...['/', '/check', '/new', '/login', '/help', '/contact', '/privacy', '/nowhere'],
      ...[
        '/documents',
        '/packages',
        '/incoming',
        '/outgoing',
        '/settings',
        '/send-many',
        `/send-many?id=${documentId}`,
      ],
      ...[id, `${id}/sign`, `${id}/send`, `${id}/notify`, `${id}/settings`],
      `/outgoing/${outgoingId}`,
    ]
    received = `/incoming/${items[0]?.incomingId}`
  })
  after(() => people.close())

  const open = async (language: string, person: PersonName = 'person-2-auth') => {
    const cookies = await logInOverHttp(people.url, people.host.authorities.named(person))
    const { page } = await browser.open(people.url, { language, cookies, width: 360 })
    return { page, scales: await Scales.at(page) }
  }

  it('is 20 KB at most before something is seen, and 60 KB with everything', async () => {
    // Cyrillic is the heaviest.
    const sender = await open('kk')
    const receiver = await open('kk', 'person-1-auth')
    const tooHeavy: string[] = []
    for (const path of [...paths, received]) {
      const { page, scales } = path === received ? receiver : sender
      await page.goto(path, { waitUntil: 'load' })
      const files = scales.weigh()
      const [first, all] = [total(files.filter(({ isFirst }) => isFirst)), total(files)]
      expect(first, path).to.be.above(0)
      if (first > FIRST_PAINT_BYTES || all > PAGE_BYTES) tooHeavy.push(`${path}: ${first} and ${all} bytes`)
    }
    expect(tooHeavy).to.deep.equal([])
  })

  it('lets text be read on a slow line before the scripts have come', async () => {
    const { page, scales } = await open('ru')
    await scales.session.send('Network.emulateNetworkConditions', SLOW)
    // They never come.
    await page.route('**/assets/**/*.js', () => undefined)
    await page.goto(`/d/${documentId}`, { waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1, name: 'Lease.txt' }).waitFor()
    // What needs scripts is disabled.
    const isEarly = await page.evaluate(
      "document.querySelectorAll('button[data-live][disabled], [data-live] button[disabled]').length > 0",
    )
    const painted = await page.evaluate(
      "new Promise(done => new PerformanceObserver(l => done(l.getEntries().length > 0)).observe({ type: 'paint', buffered: true }))",
    )
    expect([isEarly, painted]).to.deep.equal([true, true])
  })
})
