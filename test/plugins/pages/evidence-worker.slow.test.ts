import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'

/** Asks the worker from the page of its registry; runs in the browser. */
const ASK = `async ({ address, signature, document, anchors, at }) => {
  const bytes = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const worker = new Worker(address)
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  const file = new File([bytes(signature)], 'a.p7s')
  const beside = [new File([document], 'a.txt'), new File(['Another'], 'a.txt')]
  worker.postMessage({ file, beside, trust: anchors, language: 'ru', ...(at && { at }) })
  return answer
}`

interface Answer {
  readonly verdict: {
    readonly outcome: string
    readonly signatures: readonly {
      readonly document: string
      readonly indication: string
      readonly refusal?: object
    }[]
    readonly documents: readonly { readonly name: string; readonly signed: string }[]
  }
}

describeInBrowser('the verifier in a worker of the pages', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  const ask = async (
    signed: Buffer,
    { at = 0, trusts = true, content = 'A contract' } = {},
  ): Promise<Answer['verdict']> => {
    const { page, problems } = await browser.open(host.url)
    await page.goto('/check')
    const html = await page.content()
    const [folder = ''] = /\/assets\/[0-9a-f]+\//.exec(html) ?? []
    const { anchors, intermediates } = host.authorities
    const trusted = [...anchors, ...intermediates].map((der, place) => ({
      name: `${place}.cer`,
      certificate: Buffer.from(der).toString('base64'),
    }))
    const question = {
      address: `${folder}evidence-worker.js`,
      signature: signed.toString('base64'),
      document: content,
      anchors: trusts ? trusted : [],
      at,
    }
    const answer = (await page.evaluate(`(${ASK})(${JSON.stringify(question)})`)) as Answer
    expect(problems).to.deep.equal([])
    return answer.verdict
  }
  const document = Buffer.from('A contract')
  const EVIDENCE = { timeStamp: true, ocsp: true }

  it('judges RSA, ECDSA and GOST under the policy of workers, and numbers documents of one name', async () => {
    for (const algorithm of ['rsa2048', 'p256', 'gost512'] as const) {
      const { outcome, signatures, documents } = await ask(
        host.authorities.person({ algorithm }).signCms(document, EVIDENCE),
      )
      expect(signatures[0]?.indication, algorithm).to.equal('TOTAL-PASSED')
      expect(documents.map(({ name, signed }) => [name, signed])).to.deep.equal([
        ['a.txt', 'whole'],
        ['a.txt (2)', 'nothing'],
      ])
      expect(outcome).to.equal('unknown')
    }
  })

  it('judges XML over the octets of its document', async () => {
    const xml = '<contract><price>100</price></contract>'
    const { signature } = host.authorities.person().signXml(xml)
    const { signatures } = await ask(Buffer.from(signature), { content: xml })
    expect(signatures[0]).to.include({ document: 'matches' })
    const [other] = (await ask(Buffer.from(signature), { content: '<contract><price>200</price></contract>' }))
      .signatures
    expect(other).to.include({ document: 'differs' })
  })

  it('judges at the moment that it is asked about, trusts nobody by itself, and refuses in the language of the page', async () => {
    const signed = host.authorities.person().signCms(document, EVIDENCE)
    const [early] = (await ask(signed, { at: Date.UTC(2000, 0, 1) })).signatures
    expect(early?.indication).not.to.equal('TOTAL-PASSED')
    const [stranger] = (await ask(signed, { trusts: false })).signatures
    expect(stranger?.indication).to.equal('INDETERMINATE')
    expect(stranger?.refusal)
      .to.have.property('message')
      .that.matches(/^[А-ЯЁ].*\.$/)
  })
})
