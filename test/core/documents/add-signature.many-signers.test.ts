import { anonymous } from '@signed-registry/core'

import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { forEachDatabase } from '../../support/databases.js'
import { testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('contract')
const SEARCHED = ['registry_search_texts', 'registry_search_words', 'registry_search_endings']

describe('a document that very many sign', () => {
  forEachDatabase((open) => {
    it('needs no more work and rows for the next signature than for an early one', async () => {
      const knex: Knex = openDatabase(await open())
      const { registry, authorities } = await testRegistry(knex)
      const signer = (n: number) => authorities.employee({ iin: `9001013${String(n).padStart(5, '0')}` })
      const signed = (n: number) => signer(n).signCms(original).toString('base64')
      const { documentId: id } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { title: 'Общий договор', signature: signed(0) } })
      await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })

      const added: { rows: number; bytes: number }[] = []
      const rows = async () => {
        let total = 0
        for (const table of SEARCHED) total += Number((await knex(table).count({ n: '*' }))[0]?.n)
        return total
      }
      let bytes = 0
      knex.on('query', ({ bindings }: { bindings?: unknown[] }) => {
        bytes += JSON.stringify(bindings ?? []).length
      })
      for (let n = 1; n <= 24; n += 1) {
        const [before, read] = [await rows(), bytes]
        await registry.get(AddSignature).execute(anonymous, { id, request: { signature: signed(n) } })
        added.push({ bytes: bytes - read, rows: (await rows()) - before })
      }
      const [early, late] = [added[3], added.at(-1)]
      expect(late?.rows).to.be.at.most((early?.rows ?? 0) + 2)
      expect(late?.bytes).to.be.at.most((early?.bytes ?? 0) * 1.1)
      await registry.close()
      await knex.destroy()
    })
  })
})
