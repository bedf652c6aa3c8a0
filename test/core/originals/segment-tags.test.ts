import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { SegmentTags } from '#core/originals/segment-tags.js'

describe('the tags of segments', () => {
  const segments = [randomBytes(1000), randomBytes(1000), Buffer.alloc(0)]
  const tags = SegmentTags.create()
  for (const segment of segments) tags.add(segment)
  const kept = SegmentTags.read(tags.bytes)

  it('accept each segment in its place, and no other', () => {
    for (const [number, segment] of segments.entries()) {
      for (const [other, bytes] of segments.entries()) expect(kept.matches(bytes, number)).to.equal(number === other)
      expect(kept.matches(Buffer.concat([segment, Buffer.alloc(1)]), number)).to.equal(false)
    }
    expect(kept.matches(Buffer.alloc(0), 3)).to.equal(false)
  })

  it('use a key of their own', () => {
    const again = SegmentTags.create()
    for (const segment of segments) again.add(segment)
    expect(Buffer.from(again.bytes).equals(tags.bytes)).to.equal(false)
  })

  it('of an empty object accept no segment', () => {
    expect(SegmentTags.read(SegmentTags.create().bytes).matches(Buffer.alloc(0), 0)).to.equal(false)
  })
})
