import { expect } from 'chai'
import { reservedIn } from '#ddc-pdf/kernel-limits.js'

describe('the limit of memory of a process that reads PDFs', () => {
  it('counts nothing that Node sets aside for code and does not hold', () => {
    const of20 = `00400000-00dde000 r--p 00000000 fe:00 1 /usr/bin/node
7f3a9c000000-7f3a9c800000 rw-p 00000000 00:00 0
7f3a9d000000-7f3a9d040000 rwxp 00000000 00:00 0
7ffe11111000-7ffe11132000 rw-p 00000000 00:00 0 [stack]
`
    expect(reservedIn(of20)).to.equal(0)
    const of24 = `${of20}7ecae0040000-7ecb00000000 rwxp 00000000 00:00 0 \n`
    expect(reservedIn(of24)).to.equal(511.75 * 1024)
  })
})
