import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { writeLargeContainer } from '../../support/asic/write-large-container.js'
import { largeContract } from '../../support/pdf/large-contract.js'
import { signedBy } from '../../support/pdf/signed-contracts.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { runProgram } from '../../support/run-program.js'
import { amount } from '../../support/sweep.js'

const MAX_MIB = 250
/** Of the processor; by the clock other work may hold the machine. */
const MAX_WORKED = 500
const PEAK = fileURLToPath(import.meta.resolve('../../support/asic/judge-peak.js'))

describe('the memory that a signed file takes', () => {
  const authorities = presentAuthorities()
  const [seller, buyer] = [authorities.person(), authorities.employee()]
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-large-files-'))
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    writeFileSync(join(folder, 'trust.pem'), certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join(''))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const large: Readonly<Record<string, { readonly signatures: number; write(path: string): void }>> = {
    [`a PDF of ${amount(20, 100)} MiB with two signatures`]: {
      signatures: 2,
      write: (path) => writeFileSync(path, largeContract(amount(20, 100), signedBy(seller), signedBy(buyer))),
    },
    [`a container of ${amount(400, 1024)} MiB`]: {
      signatures: 1,
      write: (path) => writeLargeContainer(path, amount(400, 1024), seller),
    },
  }
  for (const [name, { signatures, write }] of Object.entries(large))
    it(`is bounded, and the event loop is not held: ${name}`, async () => {
      const path = join(folder, 'large')
      write(path)
      const words = ['--max-old-space-size=128', PEAK, path, join(folder, 'trust.pem')]
      const found = JSON.parse((await runProgram(process.execPath, words)).stdout)
      console.log(`      ${name}: ${JSON.stringify(found)}`)
      expect(found).to.deep.include({ outcome: 'proved', signatures, problems: [] })
      expect(found.more).to.be.above(1).and.below(MAX_MIB)
      expect(found.worked).to.be.below(MAX_WORKED)
    })
})
