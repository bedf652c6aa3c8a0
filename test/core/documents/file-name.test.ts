import { expect } from 'chai'
import fc from 'fast-check'
import { buildFileName, idFromFileName, normalizeId } from '#core/documents/file-name.js'
import { isFileName } from '#core/documents/nearest-title.js'
import { RegistryError } from '#verifier/error.js'

const ID = 'lQsqLBaS4nQAIIMm'
const refused = (work: () => unknown, code: string) => {
  expect(work).to.throw(RegistryError).with.property('code', code)
}

describe('file names', () => {
  it('carry the identifier before the last extension', () => {
    expect(buildFileName('contract.pdf', ID)).to.equal(`contract-DocId${ID}.pdf`)
    expect(buildFileName('archive.tar.gz', ID)).to.equal(`archive.tar-DocId${ID}.gz`)
    expect(buildFileName('README', ID)).to.equal(`README-DocId${ID}`)
    expect(buildFileName('.profile', ID)).to.equal(`.profile-DocId${ID}`)
  })

  it('return the identifier that was put in, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }).filter(isFileName), (name) => {
        expect(idFromFileName(buildFileName(name, ID))).to.equal(ID)
      }),
    )
  })

  it('may be links that people share', () => {
    for (const link of [`https://registry.example/d/${ID}`, `https://registry.example/show/?id=${ID}`]) {
      expect(idFromFileName(link)).to.equal(ID)
    }
  })

  it('of the production service are accepted', () => {
    expect(idFromFileName(`Договор-SigexId${ID}.pdf`)).to.equal(ID)
  })

  for (const name of ['', '..', 'a/b', 'a\\b', 'a\r\nb', 'a\u202Efdp.exe', 'a:b', 'a\0b', 'a\ud800']) {
    it(`are refused when they are ${JSON.stringify(name)}`, () =>
      refused(() => buildFileName(name, ID), 'invalidFileName'))
  }

  for (const name of ['contract.pdf', 'contract-DocId.pdf', 'contract-DocIdshort.pdf', `contract-DocId${ID}x.pdf`]) {
    it(`hold no identifier in ${name}`, () => refused(() => idFromFileName(name), 'invalidFileName'))
  }
})

describe('special identifiers', () => {
  for (const text of [
    ID,
    `  ${ID}\n`,
    `https://registry.example/show/?id=${ID}`,
    `x/?a=1&id=${ID}&b=2`,
    `https://registry.example/d/${ID}`,
    `https://registry.example/path/d/${ID}/sign?lang=kk`,
    `a-DocId${ID}.pdf`,
  ]) {
    it(`are found in ${JSON.stringify(text)}`, () => expect(normalizeId(text)).to.equal(ID))
  }
  for (const text of [
    '',
    'abc',
    `${ID}x`,
    `?id=${ID}x`,
    `https://registry.example/d/${ID}x`,
    `https://registry.example/p/${ID}`,
    `${ID} ${ID}`,
  ]) {
    it(`are refused in ${JSON.stringify(text)}`, () => refused(() => normalizeId(text), 'invalidDocumentIdentifier'))
  }
})
