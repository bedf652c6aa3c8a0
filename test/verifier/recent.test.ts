import { expect } from 'chai'
import { Recent } from '#verifier/recent.js'

describe('what was made from bytes recently', () => {
  const bytes = (n: number) => Uint8Array.of(n)

  it('is made once', () => {
    const recent = new Recent<object>(2)
    expect(recent.of(bytes(1), () => ({}))).to.equal(recent.of(bytes(1), () => ({})))
  })
  it('is forgotten when it was not asked for longest', () => {
    const recent = new Recent<object>(2)
    const [one, two] = [1, 2].map((n) => recent.of(bytes(n), () => ({})))
    recent.of(bytes(1), () => ({}))
    recent.of(bytes(3), () => ({}))
    expect(recent.of(bytes(1), () => ({}))).to.equal(one)
    expect(recent.of(bytes(2), () => ({}))).not.to.equal(two)
  })
  it('is distinguished by all its bytes, not only by the last', () => {
    const recent = new Recent<object>(2)
    const [one, two] = [1, 2].map((first) => Buffer.concat([Buffer.of(first), Buffer.alloc(100)])) as [Buffer, Buffer]
    const made = recent.of(one, () => ({}))
    expect(recent.of(two, () => ({}))).not.to.equal(made)
    expect(recent.of(one.subarray(1), () => ({}))).not.to.equal(made)
  })
  it('is made from a copy, and not kept when making it fails', () => {
    const recent = new Recent<Uint8Array>(2)
    const given = Buffer.from([1, 2, 3])
    const made = recent.of(given, (copy) => copy)
    given.fill(0)
    expect([...made]).to.deep.equal([1, 2, 3])
    expect(() =>
      recent.of(bytes(9), () => {
        throw new TypeError('no')
      }),
    ).to.throw('no')
    expect([...recent.of(bytes(9), (copy) => copy)]).to.deep.equal([9])
  })
  it('is not kept when it is made of more than 16 KiB, which strangers could fill the memory with', () => {
    const recent = new Recent<object>(2)
    const [small, large] = [Buffer.alloc(16_384), Buffer.alloc(16_385)]
    expect(recent.of(small, () => ({}))).to.equal(recent.of(small, () => ({})))
    expect(recent.of(large, () => ({}))).not.to.equal(recent.of(large, () => ({})))
  })
})
