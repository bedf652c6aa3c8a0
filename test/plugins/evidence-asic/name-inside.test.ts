import { BUNDLE_TYPE, sourceOf } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { nameInside } from '#evidence-asic/name-inside.js'
import { readContainer } from '#verifier/evidence/read-container.js'
import { zipped } from '../../support/containers.js'

const ID = 'D'.repeat(16)

describe('the name of an original in a container', () => {
  it('is its own, where every file system takes that', () => {
    for (const name of ['contract.pdf', 'Шарт № 1.pdf', 'a b (2).tar.gz', '.hidden', '-rf', 'без расширения'])
      expect(nameInside(name, ID)).to.equal(name)
  })

  it('is another where it cannot be', () => {
    const due: readonly (readonly [string, string])[] = [
      ['', ID],
      ['..', ID],
      ['...  ', ID],
      ['a/b\\c:d*e?"<>|.pdf', 'a_b_c_d_e_____.pdf'],
      ['../../etc/passwd', '.._.._etc_passwd'],
      ['a\u202egpj.exe', 'a_gpj.exe'],
      ['a\n\0b', 'a__b'],
      ['contract.pdf. ', 'contract.pdf'],
      ['e\u0301', '\u00e9'],
      ['mimetype', `${ID}-mimetype`],
      ['Meta-INF', `${ID}-Meta-INF`],
    ]
    for (const [name, inside] of due) expect(nameInside(name, ID)).to.equal(inside)
  })

  it('is cut to what file systems take, with the end that tells its kind', () => {
    const long = nameInside(`${'Ұзақ атау '.repeat(100)}.pdf`, ID)
    expect(Buffer.byteLength(long)).to.be.within(190, 200)
    expect(long).to.match(/^Ұзақ атау .*\.pdf$/)
    expect(Buffer.byteLength(nameInside(`a.${'x'.repeat(1000)}`, ID))).to.equal(200)
    expect(Buffer.from(nameInside('😀'.repeat(100), ID)).toString()).to.equal('😀'.repeat(50))
  })

  it('is one that readers take', () => {
    for (const name of ['a/../b', 'x\u0000', 'ａ:ｂ', '', 'я'.repeat(2000), '\ud800', 'mimetype']) {
      const files = ['mimetype', nameInside(name, ID)].map((one, index) => ({
        ...{ name: one, streamed: false },
        content: Buffer.from(index === 0 ? BUNDLE_TYPE : ''),
      }))
      expect(readContainer(sourceOf(zipped(files)), BUNDLE_TYPE)).to.have.length(2)
    }
  })
})
