import { expect } from 'chai'
import { nameInside } from '#evidence-asic/name-inside.js'
import { requireFileNames } from '#verifier/evidence/file-names.js'

const ID = 'D'.repeat(16)

describe('the name of an original in an evidence bundle', () => {
  it('stays what it is where file systems take it', () => {
    for (const name of ['contract.pdf', 'Шарт №5 (көшірме).docx', '合同.pdf', 'tar.tar.gz', 'console.txt', "a'b&c.txt"])
      expect(nameInside(name, ID)).to.equal(name)
    expect(nameInside('й.pdf'.normalize('NFD'), ID)).to.equal('й.pdf')
  })

  it('is no name of the container itself, however it is written, and none of a device', () => {
    for (const name of [
      'mimetype',
      'META-INF',
      'ｍｉｍｅｔｙｐｅ',
      'ＭＥＴＡ-ＩＮＦ',
      'ⓜⓘⓜⓔⓣⓨⓟⓔ',
      'CON',
      'aux.txt',
      'lpt1',
    ]) {
      expect(nameInside(name, ID)).to.equal(`${ID}-${name}`)
      requireFileNames(['mimetype', nameInside(name, ID), 'META-INF/signature.p7s'])
    }
  })

  it('is seen by shells, has an end, and no signs that separate or turn', () => {
    expect(nameInside('.env', ID)).to.equal('_env')
    expect(nameInside('a. \u00a0', ID)).to.equal('a')
    for (const name of ['', '.. ', ' ']) expect(nameInside(name, ID), name).to.match(/^(?:D+|_)$/)
    expect(nameInside('../a\\b:c\u202egpj.exe\n', ID)).to.equal('_._a_b_c_gpj.exe_')
  })

  it('is cut to 200 octets with its end', () => {
    const long = nameInside(`${'ә'.repeat(255)}.pdf`, ID)
    expect(long).to.match(/^ә+\.pdf$/)
    expect(Buffer.byteLength(long)).to.equal(200)
  })

  it('is one that readers take', () => {
    for (const name of ['a/../b', 'x\u0000', 'ａ:ｂ', '', 'я'.repeat(2000), '\ud800', 'mimetype', '😀'.repeat(100)])
      requireFileNames(['mimetype', nameInside(name, ID)])
  })
})
