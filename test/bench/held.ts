import { anonymous } from '@signed-registry/core'

import { RegisterDocument } from '@signed-registry/core/documents'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { der, oidDer } from '../support/der.js'
import { testRegistry } from '../support/registry.js'
import { C14N, signatureTemplate, signTemplate } from '../support/xml/sign-template.js'
import { longestHold } from './loop-held.js'
import { printRow } from './row.js'

const ROUNDS = 5
const MAX_MS = 50
const OCTETS = 7_000_000
/** Of XML, nearly as long as a signature may be. */
const CHARACTERS = 240_000

/** For how long at most one request with the worst signatures that we know lets nobody else come: own work, in milliseconds. */
export async function run(): Promise<void> {
  const { registry, authorities } = await testRegistry(await openSqlite())
  const signer = authorities.person({ algorithm: 'gost512' })
  let count = 0
  const signed = () => {
    count += 1
    const content = Buffer.alloc(OCTETS, `contract ${count} `)
    return signer.signCms(content, { detached: false, timeStamp: true, ocsp: true })
  }
  const spoilt = () => {
    const cms = signed()
    cms[OCTETS / 2] = 0
    return cms
  }
  const algorithms = Buffer.alloc(OCTETS, der(0x30, oidDer('2.16.840.1.101.3.4.2.1')))
  const bomb = der(
    0x30,
    oidDer('1.2.840.113549.1.7.2'),
    der(0xa0, der(0x30, der(2, Buffer.of(1)), der(0x31, algorithms))),
  )
  const reader = authorities.person()
  const elements = '<a xmlns:p="urn:p"><p:b c="d">&amp;</p:b></a>'
  const objects = `<ds:Object Id="o">${elements.repeat(CHARACTERS / elements.length)}</ds:Object>`
  // What is signed lies elsewhere; the object beside it is signed too.
  const references = [{ digestValue: Buffer.alloc(32).toString('base64') }, { uri: ' URI="#o"', transforms: [C14N] }]
  const xml = signTemplate(signatureTemplate(reader, { objects, references }), reader)
  const requests: Record<string, () => { signType?: 'xml'; signature: string }> = {
    'a GOST signature with 7 MB inside': () => ({ signature: signed().toString('base64') }),
    'the same over other data': () => ({ signature: spoilt().toString('base64') }),
    '7 MB of digest algorithms': () => ({ signature: bomb.toString('base64') }),
    '7 MB of line breaks': () => ({ signature: `-----BEGIN CMS-----${'A\n'.repeat(OCTETS / 2)}-----END CMS-----` }),
    'XML of 240,000 characters': () => ({ signType: 'xml', signature: xml }),
  }
  for (const [what, make] of Object.entries(requests)) {
    const held: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = make()
      held.push(
        await longestHold(() =>
          registry
            .get(RegisterDocument)
            .execute(anonymous, { request })
            .catch(() => undefined),
        ),
      )
    }
    printRow({ what, floor: `${MAX_MS} ms`, ratios: held.map((ms) => ms / MAX_MS), aim: '<= 1' })
  }
  await registry.close()
  await closeDatabases()
}
