import { expect } from 'chai'
import { CarefulHost, INVALID, UNACCEPTABLE, UNAVAILABLE } from '../../support/careful-host.js'
import { forEachDatabase } from '../../support/databases.js'
import { cutOff, flippedBits } from '../../support/der-mutants.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import type { Fault } from '../../support/pki/authority-server.js'
import { signWithEvidence } from '../../support/pki/build-cms.js'
import {
  type Answer,
  hostileOcsp,
  hostileTimeStamping,
  ocspLies,
  timeStampLies,
} from '../../support/pki/hostile-authorities.js'
import { hostileCms, weakCms } from '../../support/pki/hostile-cms.js'
import { hostileSigners } from '../../support/pki/hostile-signers.js'
import { hostileXml } from '../../support/pki/hostile-xml.js'
import { until } from '../../support/until.js'

const DATA = Buffer.from('document')
const NOT_PARSED = ['signatureNotParsed']
const FAULTS: readonly Exclude<Fault, Answer>[] = ['down', 'endless', 'failing', 'rubbish', 'redirect']

/** Which refusals fit what is wrong with a CMS, by the first words that match. */
const CMS_CODES: readonly [RegExp, string][] = [
  [/^two time stamps/, 'invalidTspTimeStamp'],
  [/^two OCSP answers/, 'invalidOcspData'],
  [/^(no|only the) certificate/, 'badSignerCertificate'],
  [/algorithm/, 'signatureAlgorithmNotSupported'],
  [/^trailing|cut off$|BER|absurd|nesting|nothing/, 'signatureNotParsed'],
  [/./, 'invalidSignature'],
]

/** The same for XML; everything else cannot be parsed. */
const XML_CODES: readonly [RegExp, string][] = [
  [/^no certificate/, 'badSignerCertificate'],
  [/^a canonicalization|HMAC/, 'signatureAlgorithmNotSupported'],
  [/SHA-1/, 'algorithmNotTrusted'],
  [/changed$/, 'invalidSignature'],
  [/./, 'signatureNotParsed'],
]

const codeFor = (codes: readonly [RegExp, string][], title: string) => codes.find(([words]) => words.test(title))?.[1]

forEachDatabase((open) => {
  describe('bad input to POST /api is refused with an error of the catalogue, and nothing is stored', () => {
    const authorities = testAuthorities()
    const person = authorities.person()
    let host: CarefulHost
    let written = 0
    // The clock stands still: the same person over the same data would be the same signature.
    const another = () => Buffer.from(`document ${++written}`)
    before(async () => {
      host = await CarefulHost.start(open, authorities)
    })
    after(() => host.close())
    afterEach(() => {
      host.server.faults.tsp = undefined
      host.server.faults.ocsp = undefined
    })

    it('is told from good input', async () => {
      await host.registered(person.signCms(another()))
      await host.registered(signWithEvidence(authorities, person, another()))
      await host.registered(authorities.person().signXml('<a/>').signature, { signType: 'xml' })
    })

    for (const [title, cms] of hostileCms(authorities, DATA)) {
      it(`a CMS with ${title}`, async () => {
        const code = await host.refused(() => host.register(cms), INVALID, UNACCEPTABLE)
        expect(code).to.equal(codeFor(CMS_CODES, title))
      })
    }

    for (const [title, cms] of weakCms(authorities, DATA)) {
      it(`a CMS with ${title}`, async () => {
        expect(await host.refused(() => host.register(cms), UNACCEPTABLE)).to.equal('algorithmNotTrusted')
      })
    }

    it('a CMS with a flipped bit, wherever it is', async () => {
      for (const { name, der } of thinned(flippedBits(person.signCms(DATA)), 11)) {
        const code = await host.refused(() => host.register(Buffer.from(der)), INVALID, UNACCEPTABLE)
        expect(code, name).to.match(/^(signature|invalid|bad|certificate|signer|digest|algorithm)/)
      }
    })

    it('a CMS that is cut off anywhere, or goes on', async () => {
      for (const { name, der } of thinned(cutOff(person.signCms(DATA)), 7)) {
        expect(await host.refused(() => host.register(Buffer.from(der)), INVALID), name).to.be.oneOf(NOT_PARSED)
      }
    })

    for (const [title, xml] of hostileXml(person)) {
      it(`an XML signature with ${title}`, async () => {
        const code = await host.refused(() => host.register(xml, { signType: 'xml' }), INVALID, UNACCEPTABLE)
        expect(code).to.equal(codeFor(XML_CODES, title))
      })
    }

    for (const [title, { signer, certificates, code }] of hostileSigners(authorities)) {
      it(`a signer with a certificate ${title}`, async () => {
        const cms = signer.signCms(DATA, { certificates })
        expect(await host.refused(() => host.register(cms), UNACCEPTABLE)).to.equal(code)
      })
    }

    for (const [title, timeStamp] of timeStampLies(authorities)) {
      it(`a signature with a time stamp ${title}`, async () => {
        const cms = signWithEvidence(authorities, person, DATA, { timeStamp })
        const code = await host.refused(() => host.register(cms), UNACCEPTABLE)
        expect(code).to.equal(/SHA-1/.test(title) ? 'algorithmNotTrusted' : 'invalidTspTimeStamp')
      })
    }

    for (const [title, ocsp] of ocspLies(authorities, person)) {
      it(`a signature with an OCSP answer ${title}`, async () => {
        const cms = signWithEvidence(authorities, person, DATA, { ocsp })
        const code = await host.refused(() => host.register(cms), UNACCEPTABLE)
        if (/revoked|unknown/.test(title)) expect(code).to.equal('invalidCertificateStatus')
        else expect(code).to.be.oneOf(['invalidOcspData', 'evidenceTimesDiffer', 'algorithmNotTrusted'])
      })
    }

    describe('while an authority fails, and the same request works once it recovers:', () => {
      const fails = async (service: 'tsp' | 'ocsp', fault: Fault, code: string, status = UNAVAILABLE) => {
        const cms = person.signCms(another())
        host.server.faults[service] = fault
        expect(await host.refused(() => host.register(cms), status)).to.equal(code)
        host.server.faults[service] = undefined
        await host.registered(cms)
      }

      for (const service of ['tsp', 'ocsp'] as const) {
        it(`${service} is silent`, async () => {
          const hasty = await CarefulHost.start(open, authorities, { timeoutMs: 100 })
          try {
            // With a time stamp inside only the silent responder is asked.
            const cms = person.signCms(another(), { timeStamp: service === 'ocsp' })
            hasty.server.faults[service] = 'silent'
            const code = await hasty.refused(() => hasty.register(cms), UNAVAILABLE)
            expect(code).to.equal(`${service}ServerProblem`)
            hasty.server.faults[service] = undefined
            // A busy machine may take longer to answer than this host waits.
            await until(async () => (await hasty.register(cms)).status === 200)
          } finally {
            await hasty.close()
          }
        })
        for (const fault of FAULTS) it(`${service} is ${fault}`, () => fails(service, fault, `${service}ServerProblem`))
      }

      for (const [title, answer] of hostileTimeStamping(authorities)) {
        it(`a TSA answers: ${title}`, async () => {
          if (title === 'replayed') {
            host.server.faults.tsp = answer
            await host.registered(person.signCms(another()))
          }
          await fails('tsp', answer, 'tspServerProblem')
        })
      }

      for (const [title, answer] of hostileOcsp(authorities, person)) {
        it(`a responder answers: ${title}`, async () => {
          if (title === 'replayed') {
            host.server.faults.ocsp = answer
            await host.registered(person.signCms(another()))
          }
          const bad = /revoked|unknown/.test(title)
          if (bad) await fails('ocsp', answer, 'invalidCertificateStatus', UNACCEPTABLE)
          else await fails('ocsp', answer, 'ocspServerProblem')
        })
      }
    })
  })
})

function* thinned<T>(items: Iterable<T>, step: number): Generator<T> {
  let at = 0
  for (const item of items) if (at++ % step === 0) yield item
}
