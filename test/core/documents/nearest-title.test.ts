import { expect } from 'chai'
import fc from 'fast-check'
import { checkTitles } from '#core/documents/file-name.js'
import { nearestTitle } from '#core/documents/nearest-title.js'
import { Limits } from '#core/kernel/limits.js'

/** Any UTF-16 units, halves of surrogate pairs among them. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 })
  .map((all) => String.fromCharCode(...all))
const words = fc.string({ unit: fc.constantFrom(...'a./\\:*?"<>| \t\n\u202e\ud83d\ude00'), maxLength: 600 })

describe('the title nearest to what somebody wrote', () => {
  it('is accepted as a title, whatever that was', () => {
    fc.assert(
      fc.property(fc.oneof(units, words), (text) => checkTitles(nearestTitle(text), '', Limits.defaults)),
      { numRuns: 2000 },
    )
  })

  it('is the same text where that is accepted', () => {
    for (const title of ['', 'Договор № 18-2026.pdf', 'қосымша (2)', '.profile'])
      expect(nearestTitle(title)).to.equal(title)
  })

  it('is not changed again', () => {
    fc.assert(
      fc.property(fc.oneof(units, words), (text) => {
        expect(nearestTitle(nearestTitle(text))).to.equal(nearestTitle(text))
      }),
    )
  })

  for (const [text, title] of [
    ['Contract No 18/2026', 'Contract No 18-2026'],
    ['Акт: "ремонт"', "Акт - 'ремонт'"],
    ['one\ttwo\n', 'one two'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['what?', 'what'],
    ['..', ''],
  ]) {
    it(`is ${JSON.stringify(title)} for ${JSON.stringify(text)}`, () =>
      expect(nearestTitle(text ?? '')).to.equal(title))
  }
})
