import { ArchiveStore, provideValue } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const HOUR = 60 * 60_000

forEachDatabase((open) => {
  describe('ranges of an original', () => {
    it('are given where there are such bytes, and refused with how many there are', async () => {
      const authorities = presentAuthorities()
      const archive = { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }
      const host = await startTestHost(open, { authorities, plugins: [devAuthorities({ authorities }), archive] })
      try {
        const documentsSettings = { tempStorageAfterRegistration: HOUR, publicDuringPreregistration: true }
        const { json } = await postJson<{ documentsIds: string[]; dataSecret: string }>(`${host.url}/api/package`, {
          ...{ ...UNTITLED, documentsSettings, documents: [UNTITLED] },
        })
        const data = `${host.url}/api/${json.documentsIds[0]}/data`
        await fetch(`${data}?dataSecret=${json.dataSecret}`, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: 'Agreement',
        })
        const ask = async (range: string) => {
          const answer = await fetch(data, { headers: { accept: 'application/octet-stream', range } })
          return { answer, range: answer.headers.get('content-range'), text: await answer.text() }
        }
        const part = await ask('bytes=2-4')
        expect([part.answer.status, part.range, part.text]).to.deep.equal([206, 'bytes 2-4/9', 'ree'])
        const outside = await ask('bytes=9-')
        expect([outside.answer.status, outside.range]).to.deep.equal([416, 'bytes */9'])
        expect(outside.answer.headers.get('content-disposition')).to.equal(null)
        const problem = JSON.parse(outside.text)
        expect([problem.code, problem.details]).to.deep.equal(['rangeNotSatisfiable', { size: 9 }])
        expect(problem).to.include.keys('message', 'requestID')
      } finally {
        await host.close()
      }
    })
  })
})
