import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { anonymous } from '@signed-registry/core'

import { GetDocument } from '@signed-registry/core/documents'
import { GetPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'

/** What is done by then, and the statement that is never sent. */
const MOMENTS: readonly (readonly [string, string])[] = [
  ['all signatures are stored', 'update `registry_documents` set `signatures_total`'],
  ['everything is stored, before the commit', 'commit'],
]
const program = fileURLToPath(new URL('../../support/package-killer.js', import.meta.url))

describe('a host that is killed while it signs a package', () => {
  forEachDatabase((open) => {
    for (const [moment, statement] of MOMENTS) {
      it(`leaves no signature when ${moment}`, async () => {
        const url = await open()
        const child = spawn(process.execPath, [program, url, statement], { stdio: ['ignore', 'pipe', 'inherit'] })
        const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
        expect(signal).to.equal('SIGKILL')
        const { packageId, documentsIds }: { packageId: string; documentsIds: string[] } = JSON.parse(said)

        const registry = await registryWithoutAuthorities(url)
        try {
          for (const id of documentsIds) {
            const document = await registry.get(GetDocument).execute(anonymous, { id })
            expect(document).to.include({ signaturesTotal: 0 })
            expect(document.signatures).to.deep.equal([])
          }
          const { signatureEmailNotifications } = await registry.get(GetPackage).execute(anonymous, { packageId })
          expect(signatureEmailNotifications).to.deep.equal([])
        } finally {
          await registry.close()
        }
      })
    }
  })
})
