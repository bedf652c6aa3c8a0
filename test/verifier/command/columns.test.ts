import { expect } from 'chai'
import { COLUMNS, cut, plain, width, wrap } from '#verifier/command/columns.js'

describe('texts of others in a terminal', () => {
  it('are of a length that can be laid out, whatever was sent', () => {
    for (const text of ['x'.repeat(100_000), 'x '.repeat(50_000), `x${'\u0301'.repeat(100_000)}`]) {
      expect(plain(text)).to.have.length(2000)
      expect(plain(text).endsWith('…')).to.equal(true)
    }
    expect(plain('x'.repeat(2000))).to.equal('x'.repeat(2000))
  })

  it('have no signs that turn, hide or break lines', () => {
    expect(plain('a\u202etxt.exe\u001b[2J\u2028b\u200bc')).to.equal('a\ufffdtxt.exe\ufffd[2J\ufffdb\ufffdc')
  })

  it('are broken into lines, long words too, and cut at the last', () => {
    expect(wrap('漢字漢字 abc defgh', 5)).to.deep.equal(['漢字', '漢字', 'abc', 'defgh'])
    expect(wrap('abcdefghij k', 4)).to.deep.equal(['abcd', 'efgh', 'ij k'])
    expect(wrap('one two three four', 7, 2)).to.deep.equal(['one two', 'three…'])
    expect(width(cut('x'.repeat(200), COLUMNS))).to.equal(COLUMNS)
  })
})
