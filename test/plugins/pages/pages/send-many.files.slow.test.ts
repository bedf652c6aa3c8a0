import type { DocumentList, DocumentResource, OutgoingItem } from '@signed-registry/client'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { startPagesHost } from '../../../support/pages-host.js'

const TO = ['IIN900101300010', 'BIN200140000019', 'IIN900101300040']
/** The sender, to whom nothing is sent. */
const SELF = '900101300020'
const LOOKS = [
  { language: 'kk', width: 360 },
  { language: 'ru', width: 1440 },
  { language: 'en', width: 360 },
]

let made = 0

describeInBrowser('sending files to many', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())

  const file = (name: string, content = `File ${++made}`) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  })
  const open = async (options: object = {}) => {
    const { page, problems } = await browser.open(host.url, { cookies, ...options })
    await page.goto('/send-many')
    await page.locator('form#send-many button.strong:enabled').waitFor()
    // What leaves the browser, in order.
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
    })
    return { page, problems, asked }
  }
  const choose = (page: Page, csv: string) =>
    page.setInputFiles('#list', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const send = async (page: Page) => {
    await page.getByRole('radio').locator('visible=true').last().waitFor()
    await page.check('#way-development')
    await page.locator('#person option').first().waitFor({ state: 'attached' })
    await page.click('form#send-many button.strong')
  }
  const sent = async () => (await getAs<{ items: OutgoingItem[] }>(`${host.url}/api/outgoing`, cookies)).json.items
  const documents = async () => (await getAs<DocumentList>(`${host.url}/api`, cookies)).json.documents
  const documentOf = async (name: string) => {
    const found = (await documents()).filter(({ title }) => title === name)
    expect(found.length, name).to.equal(1)
    const id = found[0]?.documentId ?? ''
    return { id, ...(await getAs<DocumentResource>(`${host.url}/api/${id}`, cookies)).json }
  }

  it('signs all files in one sitting after every row was checked, registers each once, and sends it to whom the list names', async () => {
    const { page, problems, asked } = await open()
    const year = new Date().getFullYear() + 1
    await page.setInputFiles('#files', [file('Act No 1_2026.pdf'), file('Lease.txt'), file('Nobody.txt')])
    await choose(
      page,
      `Who;Words;Until;File\n900101300010;Please sign;01.02.${year};act no 1_2026.PDF\n200140000019;;;Act No 1_2026.pdf\n900101300010;;;Lease.txt\n`,
    )
    await page.getByText('All rows are right: 3.').waitFor()
    await page.getByText('No row names these files, and they are not sent: Nobody.txt.').waitFor()
    expect(asked).to.deep.equal([])
    await page.getByText('Who can see it').click()
    await page.check('#private')
    await send(page)
    await page.getByText('All is sent: 3.').waitFor()
    const steps = asked.map((path) => path.replace(/^\/api\/[\w-]{16}(?=\/)/, '/api/ID'))
    expect(steps).to.deep.equal([
      ...Array(3).fill('/api/checkRegistration'),
      ...Array(2).fill('/api/development/sign'),
      ...['/api', '/api/ID/data', '/api/ID/send', '/api/ID/send'],
      ...['/api', '/api/ID/data', '/api/ID/send'],
    ])
    const act = await documentOf('Act No 1_2026.pdf')
    expect(act.settings).to.include({ private: true })
    expect(act.tempStorage).to.equal(true)
    const items = (await sent()).filter(({ documentId }) => documentId === act.id)
    expect(items.map(({ receiver }) => receiver).sort()).to.deep.equal([TO[1], TO[0]])
    const [first] = items.filter(({ receiver }) => receiver === TO[0])
    expect(first).to.include({ toSign: true, deadline: Date.parse(`${year}-02-01T23:59:00+05:00`) })
    expect((await documents()).some(({ title }) => title === 'Nobody.txt')).to.equal(false)
    expect(await page.locator('#chosen a[href^="/d/"]').count()).to.equal(2)
    expect(problems).to.deep.equal([])
  })

  it('sends a single file to every row, under the nearest title that will do', async () => {
    const { page } = await open()
    await page.setInputFiles('#files', file('One:all.txt'))
    await page.getByText('It will be registered as').waitFor()
    await choose(page, TO.map((to) => to.slice(3)).join('\n'))
    await send(page)
    await page.getByText('All is sent: 3.').waitFor()
    const { id } = await documentOf('One-all.txt')
    expect((await sent()).filter(({ documentId }) => documentId === id).length).to.equal(3)
  })

  it('says at each row which file is missing, and at the field that none is chosen', async () => {
    const { page, asked } = await open()
    await page.click('form#send-many button.strong')
    await page.locator('#files-fault').getByText('Choose a file first.').waitFor()
    await choose(page, '900101300010;;;a.txt\n200140000019\n900101300010;;;a.txt\n')
    await page.setInputFiles('#files', [file('a.txt'), file('b.txt'), file('empty.txt', '')])
    await page.locator('#files-fault').getByText('is empty').waitFor()
    const rows = page.locator('#recipients tr')
    await rows.nth(1).getByText('none of the chosen files').waitFor()
    await rows.nth(2).getByText('twice').waitFor()
    await page.click('form#send-many button.strong')
    await page.locator('#list-fault').getByText('Some rows have faults.').waitFor()
    expect(asked).to.deep.equal([])
  })

  it('signs nothing that nobody can be sent, and goes on with the other rows', async () => {
    const { page, asked } = await open()
    await page.setInputFiles('#files', [file('Mine.txt'), file('Theirs.txt')])
    await choose(page, `${SELF};;;Mine.txt\n${SELF};;;Theirs.txt\n900101300010;;;Theirs.txt\n`)
    await send(page)
    await page.getByText('Refused: 2').waitFor()
    expect(asked.filter((path) => path === '/api/development/sign').length).to.equal(1)
    expect((await documents()).some(({ title }) => title === 'Mine.txt')).to.equal(false)
    await documentOf('Theirs.txt')
    expect(await page.locator('#recipients tr').nth(0).textContent()).to.include('cannot send to yourself')
    expect(await page.locator('#recipients tr').nth(2).locator('.chip.good').count()).to.equal(1)
  })

  it('says of all rows of a file why its registration is refused, and sends the other files', async () => {
    const { page } = await open()
    await page.route('**/api', async (route) => {
      const isBad = route.request().postData()?.includes('Bad.txt')
      const signature = Buffer.from('not a signature').toString('base64')
      await route.continue(isBad ? { postData: JSON.stringify({ ...route.request().postDataJSON(), signature }) } : {})
    })
    await page.setInputFiles('#files', [file('Bad.txt'), file('Good.txt')])
    await choose(page, '900101300010;;;Bad.txt\n200140000019;;;Bad.txt\n900101300010;;;Good.txt\n')
    await send(page)
    await page.getByText('Refused: 2').waitFor()
    await documentOf('Good.txt')
    await page.unroute('**/api')
    await page.click('form#send-many button.strong')
    await page.getByText('All is sent: 3.').waitFor()
    await documentOf('Bad.txt')
  })

  it('goes on after the page was left, with the same files, and signs and registers nothing twice', async () => {
    const { page, asked } = await open()
    const both = [file('First.txt'), file('Second.txt')]
    let uploads = 0
    await page.route('**/api/*/data', async (route) => {
      uploads += 1
      return uploads === 2 ? route.abort() : route.continue()
    })
    await page.setInputFiles('#files', both)
    await choose(page, '900101300010;;;First.txt\n900101300010;;;Second.txt\n200140000019;;;Second.txt\n')
    await send(page)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.reload()
    await page.locator('form#send-many button.strong:enabled').waitFor()
    await page.click('form#send-many button.strong')
    await page.locator('#files-fault').getByText('Second.txt').waitFor()
    await page.setInputFiles('#files', both)
    await page.click('form#send-many button.strong')
    await page.getByText('All is sent: 3.').waitFor()
    await documentOf('First.txt')
    await documentOf('Second.txt')
    expect(asked.filter((path) => path === '/api/development/sign').length).to.equal(2)
  })

  it('sends nothing twice when the same list and files come again, and signs nothing again', async () => {
    const { page, asked } = await open()
    const again = file('Again.txt')
    for (const told of ['All is sent: 2.', 'was sent before']) {
      await page.setInputFiles('#files', again)
      await choose(page, '900101300010\n200140000019\n')
      await send(page)
      await page.getByText(told).first().waitFor()
      await page.getByText('All is sent: 2.').waitFor()
      await page.click('#anew')
    }
    const { id } = await documentOf('Again.txt')
    expect((await sent()).filter(({ documentId }) => documentId === id).length).to.equal(2)
    expect(asked.filter((path) => path === '/api/development/sign').length).to.equal(1)
  })

  it('lets nobody else who logs in by this browser see what was sent', async () => {
    const { page } = await open()
    await page.setInputFiles('#files', file('Secret.txt'))
    await choose(page, '900101300010')
    await send(page)
    await page.getByText('All is sent: 1.').waitFor()
    const [name = '', value = ''] = (await logInOverHttp(host.url, host.authorities.named('person-1-auth'))).split('=')
    await page.context().clearCookies()
    await page.context().addCookies([{ name, value, url: host.url, secure: true, httpOnly: true, sameSite: 'Strict' }])
    await page.reload()
    await page.locator('form#send-many button.strong:enabled').waitFor()
    expect(await page.locator('#recipients tr').count()).to.equal(0)
    expect(await page.getByText('Secret.txt').count()).to.equal(0)
  })

  for (const { language, width } of LOOKS)
    it(`has no faults of accessibility at ${width} pixels in ${language}`, async () => {
      const { page, problems } = await open({ language, width })
      expect(await violations(page)).to.deep.equal([])
      await page.setInputFiles('#files', [file('a.txt'), file('A rather long name of an ordinary contract 2026.pdf')])
      await choose(page, '900101300010;words;;a.txt\n12;x;;b.txt\n')
      await page.locator('#recipients .chip.bad').waitFor()
      expect(await violations(page)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
      expect(problems).to.deep.equal([])
    })

  it('asks strangers to log in', async () => {
    const { page } = await browser.open(host.url)
    await page.goto('/send-many')
    expect(await page.locator('#send-many').count()).to.equal(0)
    await page.locator('main').getByRole('link', { name: 'Log in' }).waitFor()
  })
})
