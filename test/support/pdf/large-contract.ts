import { randomBytes } from 'node:crypto'
import { contract } from './contract.js'
import { type Sign, signedPdf, visibleField, withFields } from './sign-pdf.js'
import { stream } from './write-pdf.js'

/** A contract with a large picture on its page, which two people signed. */
export function largeContract(mebibytes: number, first: Sign, second: Sign): Buffer {
  const picture = stream('/Type/XObject/Subtype/Image', randomBytes(mebibytes * 1024 * 1024), false)
  const withPicture = (fields: ReturnType<typeof withFields>) => ({
    ...fields,
    3: (fields[3] ?? '').replace('/Resources<<', '/Resources<</XObject<</X 7 0 R>>'),
  })
  const page = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</X 7 0 R>>/Font<</F 5 0 R>>>>>>'
  const once = signedPdf(contract({ objects: { 3: page, 7: picture } }), {
    ...{ sign: first, number: 10, objects: withPicture(withFields(11)) },
  })
  const field = visibleField('Buyer', 20, '300 72 500 122')
  return signedPdf(once, { sign: second, number: 20, objects: withPicture(withFields(11, 21)), field })
}
