import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { streebog512 } from '@signed-registry/verifier/gost-hashes'
import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { NcaLayer } from '../../support/ncalayer.js'
import { startPagesHost } from '../../support/pages-host.js'

describeInBrowser('a file that is too large for NCALayer', (browser) => {
  let host: TestHost
  let program: NcaLayer
  before(async () => {
    host = await startPagesHost()
    const [signing, authentication] = [host.authorities.named('person-2'), host.authorities.named('person-2-auth')]
    program = await NcaLayer.start({ signing, authentication })
    browser.ncaLayerPort = program.port
  })
  after(async () => {
    await program.close()
    await host.close()
  })

  it('is signed by its hash, of the kind that the key signs, and is too large for a phone', async () => {
    const { page, problems } = await browser.open(host.url)
    const folder = mkdtempSync(join(tmpdir(), 'large-'))
    const large = join(folder, 'large.bin')
    writeFileSync(large, 'large')
    truncateSync(large, 40 * 2 ** 20 + 1)
    const bytes = readFileSync(large)
    program.behaviour = 'signs'
    await page.goto('/new')
    await page.setInputFiles('#files', large)
    await page.check('#way-ncalayer')
    await page.click('#submit')
    await page.locator('.outcome .said.good').getByRole('link').click()
    await page.locator('.signature').waitFor()
    // The phone takes no hashes, and says at once what is too much for it.
    truncateSync(large, 70 * 2 ** 20 + 1)
    await page.goto('/new')
    await page.setInputFiles('#files', large)
    await page.check('#way-phone')
    await page.click('#submit')
    await page.locator('.outcome .said.bad').getByText('too large to be signed by phone').waitFor()
    rmSync(folder, { recursive: true })
    const asked = program.asked.slice(-2).map(({ args }) => [args?.signingParams.digested, args?.data])
    expect(asked).to.deep.equal([
      [true, Buffer.from(streebog512().update(bytes).digest()).toString('base64')],
      [true, createHash('sha256').update(bytes).digest('base64')],
    ])
    expect(problems.filter((one) => !one.startsWith('Failed to load resource'))).to.deep.equal([])
  })
})
