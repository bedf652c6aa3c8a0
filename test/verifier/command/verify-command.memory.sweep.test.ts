import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { makeBundle } from '../../support/evidence/bundle.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { runProgram } from '../../support/run-program.js'
import { amount } from '../../support/sweep.js'

const MIB = 1024 * 1024
const MAX_MIB = 250
const PEAK = fileURLToPath(import.meta.resolve('../../support/evidence/verify-peak.js'))

describe('the memory of signed-registry verify', () => {
  let folder: string
  const authorities = presentAuthorities()
  const certificates = [...authorities.anchors, ...authorities.intermediates]
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-memory-'))
    const content = Buffer.alloc(amount(256, 512) * MIB, 'contract ')
    const signed = [authorities.person().signCms(content, { timeStamp: true, ocsp: true })]
    put('trust.pem', certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join(''))
    put('contract.bin', content)
    for (const inside of [true, false])
      put(`${inside}.asice`, await makeBundle([{ title: 'contract.bin', content, signed, inside }], certificates))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, bytes: string | Uint8Array) => writeFileSync(join(folder, name), bytes)

  for (const [where, files] of [
    ['inside', ['true.asice']],
    ['beside', ['false.asice', 'contract.bin']],
  ] as const)
    it(`is below ${MAX_MIB} MiB, however large the original is ${where} the bundle`, async () => {
      const paths = [...files, 'trust.pem'].map((name) => join(folder, name))
      const words = [...paths.slice(0, -1), '--trust', paths.at(-1) ?? '', '--report', join(folder, 'r.json')]
      const { code, peak } = JSON.parse((await runProgram(process.execPath, [PEAK, ...words])).stdout)
      expect(code).to.equal(0)
      expect(peak).to.be.above(10).and.below(MAX_MIB)
    })
})
