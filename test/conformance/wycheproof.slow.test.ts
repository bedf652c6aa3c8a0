import { digestAlgorithms, publicKey } from '@signed-registry/verifier'
import { expect } from 'chai'
import { verifierInBrowsers } from '../support/as-in-browsers.js'
import { requireConformance } from '../support/conformance.js'
import { Scoreboard } from '../support/scoreboard.js'
import { wycheproofCases, wycheproofTotal } from '../support/wycheproof.js'

describe('conformance: Wycheproof', () => {
  before(function () {
    requireConformance(this, 'wycheproof/index.json')
  })

  it('gives the expected result for every vector of ECDSA, Ed25519, Ed448, RSA PKCS#1 v1.5 and RSA-PSS', () => {
    const score = new Scoreboard('Wycheproof')
    for (const { name, expected, verify } of wycheproofCases({ publicKey, digestAlgorithms }))
      score.judge(name, expected, verify)
    score.print()
    score.expectAllRight(wycheproofTotal())
  })

  it('gives the same results in browsers', async () => {
    const inBrowsers = wycheproofCases(await verifierInBrowsers())
    let compared = 0
    for (const here of wycheproofCases({ publicKey, digestAlgorithms })) {
      const there = inBrowsers.next().value
      expect(there?.name).to.equal(here.name)
      expect(there?.verify(), here.name).to.equal(here.verify())
      compared += 1
    }
    expect(compared).to.equal(wycheproofTotal())
  })
})
