import { expect } from 'chai'
import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children, encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { conformanceFile, requireConformance } from '../support/conformance.js'
import { Scoreboard } from '../support/scoreboard.js'

/** The same CMS once per signer, with that signer alone. */
function split(der: Uint8Array): Uint8Array[] {
  const { parts } = readSignedData(der)
  return children(parts.signerInfos).map((info) =>
    writeSignedData(parts, { signerInfos: writeElement(0x31, encoded(info)) }),
  )
}

const SAMPLES = [
  { file: 'SIGNED_DETACHED_CMS-dfac5dc3.der', signers: 2, content: undefined },
  { file: 'SIGNED_CMS-15ca1a4e.der', signers: 2, content: 'test123' },
  { file: 'SIGNED_CMS-a638205e.der', signers: 1, content: 'lol_kek' },
  { file: 'SIGNED_CMS_ONE_SIGNER-89607f05.der', signers: 1, content: 'test123' },
]
const sample = (file: string) => conformanceFile(`kz/signatures/${file}`)

describe('conformance: Kazakh CMS signatures', () => {
  before(function () {
    requireConformance(this, 'kz/signatures/index.json')
  })

  it('have right values, RSA and GOST R 34.10-2015, each signer for itself', () => {
    const score = new Scoreboard('kz/signatures, single signers')
    for (const { file, signers, content } of SAMPLES) {
      const singles = split(sample(file))
      expect(singles).to.have.length(signers)
      for (const [index, der] of singles.entries())
        score.judge(`${file} signer ${index}`, 'accept', () => {
          const read = readCms(der)
          return (read.content && Buffer.from(read.content).toString()) === content
        })
    }
    score.print()
    score.expectAllRight(6)
  })

  it('are refused where two signed, and where one byte of what was signed differs', () => {
    const score = new Scoreboard('kz/signatures, to be refused')
    for (const { file, signers } of SAMPLES) {
      const der = sample(file)
      if (signers === 2) score.judge(`${file} as it is`, 'reject', () => readCms(der) !== undefined)
      for (const [index, single] of split(der).entries()) {
        const forged = Buffer.from(single)
        forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1)
        score.judge(`${file} signer ${index} forged`, 'reject', () => readCms(forged) !== undefined)
      }
    }
    score.print()
    score.expectAllRight(8)
  })
})
