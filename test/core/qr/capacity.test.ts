import { capacity, type Level, qrBitmap } from '@signed-registry/core/qr'
import { expect } from 'chai'

describe('capacity of QR codes', () => {
  for (const level of ['L', 'M', 'Q', 'H'] satisfies Level[]) {
    it(`is all that fits into every version at level ${level}`, () => {
      for (let version = 1; version <= 40; version += 1) {
        const full = 'a'.repeat(capacity(version, level))
        expect(qrBitmap(full, level, version).size, `version ${version}`).to.equal(2 * (17 + 4 * version + 8))
        expect(() => qrBitmap(`${full}a`, level, version), `version ${version}`).to.throw()
      }
    })
  }
})
