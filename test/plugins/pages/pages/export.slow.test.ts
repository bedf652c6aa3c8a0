import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'
import { onPath } from '../../../support/programs.js'

const REFUSAL = { message: 'Access denied', code: 'accessDenied', requestID: 'r1' }

describeInBrowser('evidence of several documents', (browser) => {
  let host: TestHost
  let cookies: string
  let ids: string[]
  const folder = mkdtempSync(join(tmpdir(), 'registry-export-'))
  before(async () => {
    host = await startPagesHost({}, [evidenceAsic({})])
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    ids = [await registered(host, { title: 'one.txt' }), await registered(host, { title: 'two.txt' })]
  })
  after(async () => {
    await host.close()
    rmSync(folder, { recursive: true })
  })

  const open = async (language = 'en') => {
    const { page, problems } = await browser.open(host.url, { cookies, language, width: 360 })
    await page.goto(`/export?${ids.map((id) => `id=${id}`).join('&')}`)
    return { page, problems }
  }
  /** The names of the files of a ZIP that unzip finds no fault with. */
  const namesIn = (zip: string) => {
    const tested = spawnSync('unzip', ['-tq', zip], { encoding: 'utf8' })
    expect(tested.status, tested.stdout).to.equal(0)
    return spawnSync('unzip', ['-Z1', zip], { encoding: 'utf8' }).stdout.trim().split('\n')
  }

  it('is saved as one ZIP, in which each document has a file', async function () {
    if (onPath('unzip') === undefined) this.skip()
    const { page, problems } = await open()
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-all')])
    const file = join(folder, 'evidence.zip')
    await download.saveAs(file)
    expect(download.suggestedFilename()).to.equal('evidence.zip')
    expect(namesIn(file)).to.deep.equal(ids.map((id) => `${id}.zip`))
    const unpacked = spawnSync('unzip', ['-oq', file, '-d', folder])
    expect(unpacked.status).to.equal(0)
    for (const id of ids) expect(namesIn(join(folder, `${id}.zip`))).to.include('evidence.json')
    await page.getByText('Evidence of 2 documents is saved.').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(problems).to.deep.equal([])
  })

  it('is no ZIP where none could be had', async () => {
    const { page } = await open()
    await page.route('**/evidence', (route) => route.fulfill({ status: 403, json: REFUSAL }))
    await page.click('#export-all')
    await page.locator('#export-outcome .bad li').nth(1).waitFor()
    expect(await page.locator('#export-outcome').textContent()).not.to.include('saved')
  })

  it('names what is not in the ZIP, and why', async () => {
    const { page } = await open()
    await page.route(`**/api/${ids[0]}/evidence`, (route) => route.fulfill({ status: 403, json: REFUSAL }))
    await Promise.all([page.waitForEvent('download'), page.click('#export-all')])
    await page.getByText('Evidence of 1 document is saved.').waitFor()
    expect(await page.locator('#export-outcome li').textContent()).to.match(/^one\.txt Access denied/)
  })
})
