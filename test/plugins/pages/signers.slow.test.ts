import type { DocumentResource } from '@signed-registry/client'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postBytes } from '../../support/http.js'
import { getAs, logInOverHttp } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'

const HEAD = '1.2.398.3.3.4.1.2.1'
const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]

/** Recipients of before are offered; an employee without the right to send is refused them, and writes the number. */
const isOurs = (problem: string) => !problem.includes('403')

describeInBrowser('who has to sign', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
  })
  after(() => host.close())

  let made = 0
  const post = async <T>(path: string, body: object) =>
    (await host.app.inject({ method: 'POST', url: path, headers: { cookie: cookies }, payload: body })).json<T>()
  /** A document of an employee, with settings. */
  async function document(settings: object = {}): Promise<string> {
    const original = Buffer.from(`Contract ${++made}`)
    const signature = host.authorities.named('employee-1').signCms(original, { timeStamp: true, ocsp: true })
    const { documentId } = await post<{ documentId: string }>('/api', {
      title: 'contract.txt',
      signature: signature.toString('base64'),
      settings,
    })
    await postBytes(`${host.url}/api/${documentId}/data`, original)
    return documentId
  }
  const settingsOf = async (id: string) =>
    (await getAs<DocumentResource>(`${host.url}/api/${id}`, cookies)).json.settings
  const save = async (page: Page, form: string) => {
    await page.click(`form[data-form=${form}] button.strong`)
    await page.locator(`form[data-form=${form}] .said.good`).waitFor()
  }
  const row = (page: Page, at: number) => page.locator('.signer-row').nth(at - 1)

  it('is said in one click: the head of my organization, then the counterparty, after whoever has signed', async () => {
    const id = await document()
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/d/${id}/settings`)
    await page.click('button:text-is("My head, then the counterparty")')
    expect(await page.evaluate('document.activeElement.closest("li").querySelector("legend").textContent')).to.equal(
      'Signer 3',
    )
    const kind = row(page, 2).locator('select').first()
    await page.keyboard.type('900101300010')
    expect(await kind.inputValue()).to.equal('iin')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('BIN 200 140 000 027')
    expect(await kind.inputValue()).to.equal('bin')
    await save(page, 'document-settings')
    const { signersRequirements, sequentialSignersRequirements } = await settingsOf(id)
    expect(sequentialSignersRequirements).to.equal(true)
    expect(signersRequirements).to.deep.equal([
      { iin: 'IIN900101300040', bin: 'BIN200140000019' },
      { bin: 'BIN200140000019', authorities: [HEAD] },
      { bin: 'BIN200140000027' },
    ])
    await page.reload()
    expect(await page.locator('.signer-row').count()).to.equal(2)
    expect(await page.locator('.signers .done').textContent()).to.include('ПЕТРОВ')
    await save(page, 'document-settings')
    expect((await settingsOf(id)).signersRequirements).to.deep.equal(signersRequirements)
    expect(problems.filter(isOurs)).to.deep.equal([])
  })

  it('is said when a document is registered, after whoever registers it', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/new')
    await page.setInputFiles('#files', { name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('New') })
    await page.selectOption('#person', 'employee-1')
    await page.click('summary:text-is("Who has to sign")')
    await page.click('button:text-is("My head, then the counterparty")')
    await page.click('#submit')
    await page.locator('.fault', { hasText: 'Signer 3' }).waitFor()
    await row(page, 2).locator('[data-number]').fill('200140000027')
    await page.click('#submit')
    const link = page.locator('.said.good').getByRole('link', { name: 'Open the document' })
    const id = (await link.getAttribute('href'))?.slice('/d/'.length) ?? ''
    expect((await settingsOf(id)).signersRequirements).to.have.length(3)
    expect(problems.filter(isOurs)).to.deep.equal([])
  })

  it('is edited by keyboard: added, moved, removed, and each step is told', async () => {
    const id = await document({ signersRequirements: [{ iin: 'IIN900101300010' }, { iin: 'IIN900101300020' }] })
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/d/${id}/settings`)
    const told = page.locator('.signers [role=status]')
    await row(page, 2).locator('[data-move="-1"]').press('Enter')
    expect(await told.textContent()).to.equal('Now 1 of 2.')
    expect(await page.evaluate('document.activeElement.dataset.move')).to.equal('-1')
    expect(await row(page, 1).locator('[data-move="-1"]').getAttribute('aria-disabled')).to.equal('true')
    await page.locator('[data-add]').press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('90010130005')
    await page.click('form[data-form=document-settings] button.strong')
    await page.locator('.fault', { hasText: 'Signer 3: an IIN or a BIN has 12 digits' }).waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).to.equal(1)
    await page.keyboard.press('End')
    await page.keyboard.type('0')
    await row(page, 2).locator('[data-remove]').press('Enter')
    expect(await told.textContent()).to.equal('Removed. 2 left.')
    await save(page, 'document-settings')
    expect(await settingsOf(id)).to.deep.include({
      sequentialSignersRequirements: false,
      signersRequirements: [{ iin: 'IIN900101300020' }, { iin: 'IIN900101300050' }],
    })
    expect(problems.filter(isOurs)).to.deep.equal([])
  })

  it('has a last moment, in the time of Astana, which can be taken away', async () => {
    const id = await document()
    const { page, problems } = await browser.open(host.url, { cookies })
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await page.goto(`/d/${id}/settings`)
    await page.fill('#signUntil', `${inTenDays}T18:30`)
    await save(page, 'document-settings')
    expect((await settingsOf(id)).signUntil).to.equal(Date.parse(`${inTenDays}T18:30:00+05:00`))
    await page.reload()
    expect(await page.inputValue('#signUntil')).to.equal(`${inTenDays}T18:30`)
    await page.goto(`/d/${id}`)
    expect(await page.locator('#changes').textContent()).to.match(
      /signatures are taken until: none → \w+ \d+, \d{4}, 6:30/,
    )
    await page.goto(`/d/${id}/settings`)
    await page.fill('#signUntil', '')
    await save(page, 'document-settings')
    expect((await settingsOf(id)).signUntil).to.equal(undefined)
    expect(problems.filter(isOurs)).to.deep.equal([])
  })

  it('keeps what its fields cannot say', async () => {
    const odd = { iin: 'IIN900101300010', bin: 'BIN200140000019', authorities: [HEAD] }
    const role = { authorities: [HEAD] }
    const id = await document({ signersRequirements: [odd, role] })
    const { page } = await browser.open(host.url, { cookies })
    await page.goto(`/d/${id}/settings`)
    await page.getByText('IIN 900101300010, BIN 200140000019, Head of the organization').waitFor()
    await save(page, 'document-settings')
    expect((await settingsOf(id)).signersRequirements).to.deep.equal([odd, role])
  })

  it('can be read without scripts', async () => {
    const id = await document({
      sequentialSignersRequirements: true,
      signersRequirements: [{ iin: 'IIN900101300040' }, { bin: 'BIN200140000027', authorities: [HEAD] }],
    })
    const { page } = await browser.open(host.url, { cookies, javaScript: false })
    await page.goto(`/d/${id}/settings`)
    const words = page.locator('noscript li, main section li')
    expect(await words.allTextContents()).to.deep.equal([
      'IIN 900101300040',
      'BIN 200140000027, Head of the organization',
    ])
  })

  it('is set for all documents of a package', async () => {
    const documents = ['a.txt', 'b.txt'].map((title) => ({ title, description: '' }))
    const { packageId, documentsIds } = await post<{ packageId: string; documentsIds: string[] }>('/api/package', {
      title: 'Two',
      description: '',
      documents,
    })
    for (const id of documentsIds) {
      const original = Buffer.from(`Part ${id}`)
      await host.app.inject({
        method: 'POST',
        url: `/api/${id}/data`,
        headers: { cookie: cookies, 'content-type': 'application/octet-stream' },
        payload: original,
      })
      const signature = host.authorities.named('employee-1').signCms(original, { timeStamp: true, ocsp: true })
      await post(`/api/${id}`, { signature: signature.toString('base64') })
    }
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/p/${packageId}/settings`)
    await page.locator('[data-add]').click()
    await row(page, 1).locator('[data-number]').fill('900101300010')
    await save(page, 'package-signers')
    for (const id of documentsIds) {
      expect((await settingsOf(id)).signersRequirements).to.deep.equal([{ iin: 'IIN900101300010' }])
    }
    expect(problems.filter(isOurs)).to.deep.equal([])
  })

  it('has nothing that axe finds wrong, in three languages, narrow and wide, and keeps its width', async () => {
    const id = await document({ signersRequirements: [{ iin: 'IIN900101300010' }, { bin: 'BIN200140000019' }] })
    for (const look of LOOKS) {
      const { page } = await browser.open(host.url, { ...look, cookies })
      await page.goto(`/d/${id}/settings`)
      await page.locator('[data-add]').click()
      expect(await violations(page), JSON.stringify(look)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
    }
  })
})
