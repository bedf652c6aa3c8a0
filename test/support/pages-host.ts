import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import type { Plugin, RegistryOptions } from '@signed-registry/core'

import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { pages } from '@signed-registry/pages'
import { signedFiles } from '@signed-registry/signed-files'
import { openSqlite } from './databases.js'
import { startTestHost, type TestHost } from './host.js'
import { postBytes, postJson } from './http.js'
import { presentAuthorities } from './pki/authorities.js'

/** A development host with pages, cards and an archive, and any further plugins. */
export function startPagesHost(
  registry: Partial<RegistryOptions> = {},
  more: readonly Plugin[] = [],
): Promise<TestHost> {
  const authorities = presentAuthorities()
  const folder = mkdtempSync(join(tmpdir(), 'pages-archive-'))
  return startTestHost(openSqlite, {
    authorities,
    plugins: [
      devAuthorities({ authorities }),
      pages({ development: true }),
      ddcPdf({}),
      archiveFs({ folder }),
      signedFiles({}),
      ...more,
    ],
    registry,
  })
}

let made = 0

/** Registers a complete document, signed by one person. */
export async function registered(
  host: TestHost,
  request: object = {},
  original = Buffer.from(`Contract ${++made}
`),
): Promise<string> {
  const signer = host.authorities.named('person-2')
  const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
  const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, {
    title: 'contract.txt',
    signature,
    ...request,
  })
  await postBytes(`${host.url}/api/${json.documentId}/data`, original)
  return json.documentId
}
