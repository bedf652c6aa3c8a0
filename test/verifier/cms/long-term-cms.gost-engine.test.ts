import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pem } from '#dev-authorities/index.js'
import { joinCms } from '#verifier/cms/join-cms.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { inFolder } from '../../support/pki/openssl.js'
import { hasGostEngine } from '../algorithms/gost/gost-engine.js'

const TEXT = 'a contract'
/** A key of TC 26: the engine does not know the national identifiers. */
const NEW_SIGNER =
  'req -x509 -newkey gost2012_512 -pkeyopt paramset:A -nodes -keyout key -subj /CN=S -out signer -days 9'
const SIGN = 'cms -sign -cades -binary -in content -signer signer -inkey key -md md_gost12_512 -outform DER -out cms'
const VERIFY = 'cms -verify -cades -binary -inform DER -in cms -content content -CAfile trust -purpose any'

describe("a CMS for the long term, in the eyes of OpenSSL's gost engine", () => {
  const authorities = presentAuthorities()
  before(function () {
    if (!hasGostEngine) this.skip()
  })

  const withEngine = (folder: string, [command = '', ...args]: readonly string[]) => {
    const run = spawnSync('openssl', [command, '-engine', 'gost', ...args], { cwd: folder, encoding: 'utf8' })
    return `${run.status === 0} ${run.stdout}${run.stderr}`
  }
  /** A signature by a new key, and the certificate that the key signed itself. */
  const signed = () =>
    inFolder({ content: TEXT }, (folder) => {
      for (const command of [NEW_SIGNER, SIGN]) expect(withEngine(folder, command.split(' '))).to.match(/^true/)
      return { cms: readFileSync(join(folder, 'cms')), certificate: readFileSync(join(folder, 'signer'), 'utf8') }
    })
  const judged = (cms: Uint8Array, content: string, certificate: string) => {
    const anchors = authorities.anchors.map((der) => pem('CERTIFICATE', der)).join('')
    return inFolder({ cms, content, trust: certificate + anchors }, (folder) => withEngine(folder, VERIFY.split(' ')))
  }
  const somebody = authorities.person({ algorithm: 'rsa2048' })
  const evidence = (signatureValue: Uint8Array) => ({
    timeStamp: authorities.tsa.stamp(signatureValue),
    ocsp: authorities.ocsp.status(somebody.certificate, somebody.issuer),
    certificates: [somebody.issuer],
  })

  it('is good by itself, and joined with one of RSA', () => {
    const { cms, certificate } = signed()
    const [signer = expect.fail()] = readSignedData(cms).signerInfos
    const byGost = longTermCms(cms, evidence(signer.signature))
    const rsa = somebody.signCms(Buffer.from(TEXT))
    const byRsa = longTermCms(rsa, evidence(readCms(rsa).signatureValue))
    for (const written of [byGost, joinCms(undefined, [byGost, byRsa])]) {
      expect(judged(written, TEXT, certificate)).to.match(/^true .*successful/s)
      expect(judged(written, 'another contract', certificate)).to.match(/^false .*failure/s)
    }
  })
})
