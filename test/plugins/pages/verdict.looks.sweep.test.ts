import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postBytes } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { amount } from '../../support/sweep.js'
import { attachedTo } from '../ddc-pdf/attached.js'
import { numberedPdf } from '../ddc-pdf/cards.js'

const EVIDENCE = { timeStamp: true, ocsp: true }
const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1600, dark: false },
  { language: 'en', width: 360, dark: false },
  { language: 'kk', width: 1600, dark: false },
  { language: 'ru', width: 360, dark: true },
  { language: 'en', width: 1600, dark: true },
]

describeInBrowser('what is said of a signature, of a card, and of a private document', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('has nothing that axe finds wrong, and keeps its width, in any language, narrow and wide, light and dark', async () => {
    const { authorities } = host
    const original = Buffer.from('A contract')
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
    const good = authorities.named('person-2').signCms(original, EVIDENCE)
    const revoked = authorities.person({ surname: `${'ОЧЕНЬДЛИННАЯ'.repeat(5)} שלום 😀` })
    authorities.revoke(revoked, Date.now() - 86_400_000)
    const card = [
      { name: 'x'.repeat(200), bytes: original },
      { name: '1.cms', bytes: good },
      { name: '2.cms', bytes: authorities.named('employee-1').signCms(original) },
    ]
    const pdf = Buffer.from(await numberedPdf(1))
    const registeredId = await registered(host, { title: 'pay.pdf' }, pdf)
    const { json } = await postBytes<{ ddc: string }>(`${host.url}/api/${registeredId}/buildDDC`, new Uint8Array(pdf))
    const honest = Buffer.from(json.ddc, 'base64')
    const redrawn = await PDFDocument.load(honest, { updateMetadata: false })
    redrawn.getPage(1).drawText('1 tenge')
    const dropped = [
      [file('a.cms', authorities.named('employee-1').signCms(original)), file('a.txt', original)],
      [file('a.cms', good)],
      [file('a.cms', good), file('a.txt', Buffer.from('Another'))],
      [file('a.cms', revoked.signCms(original, { ...EVIDENCE, detached: false }))],
      [file('card.pdf', Buffer.from(await attachedTo(card)))],
      [file('card.pdf', honest)],
      [file('card.pdf', Buffer.from(await redrawn.save()))],
      [
        file('a.cms', good),
        file('a.txt', original),
        file(`${'y'.repeat(200)}.pdf`, honest),
        file('c.txt', Buffer.from('C')),
      ],
    ]
    const title = 'очень-длинное-имя-'.repeat(14)
    const id = await registered(host, { title, settings: { private: true, publicProof: true } })
    const cookies = await logInOverHttp(host.url, authorities.named('person-2-auth'))
    for (const look of LOOKS.slice(0, amount(1, LOOKS.length))) {
      const check = async (
        path: string,
        given: typeof look & { cookies?: string },
        files?: (typeof dropped)[number],
      ) => {
        const { page, problems } = await browser.open(host.url, given)
        await page.goto(path)
        if (files !== undefined) {
          await page.setInputFiles('#file', files)
          await page.locator('#verdict .said:not(.busy)').first().waitFor()
        }
        for (const closed of await page.locator('summary').all()) await closed.click()
        const about = `${path} ${JSON.stringify(look)} ${files?.map(({ name }) => name).join()}`
        expect(await violations(page), about).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), about).to.be.at.most(0)
        expect(problems.filter((one) => !one.startsWith('Failed to load resource'))).to.deep.equal([])
        await page.close()
      }
      for (const files of dropped.slice(0, amount(1, dropped.length))) await check('/check', look, files)
      if (amount(0, 1) === 0) continue
      await check(`/d/${id}`, look)
      await check(`/d/${id}`, { ...look, cookies })
      await check(`/d/${id}/settings`, { ...look, cookies })
    }
  })
})
