import { gzipSync } from 'node:zlib'
import { Database } from '@signed-registry/core'
import { expect } from 'chai'
import { httpDeviations } from '#core/deviations/http.js'
import type { OpenDatabase } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { postJson, request, sendRaw } from '../support/http.js'
import { until } from '../support/until.js'
import { deviate } from './deviate.js'

describe('deviations about HTTP', () => {
  async function onHost(open: OpenDatabase, test: (host: TestHost) => Promise<void>) {
    const host = await startTestHost(open)
    try {
      await test(host)
    } finally {
      await host.close()
    }
  }
  const preregister = (host: TestHost, coding: string, body: Uint8Array<ArrayBuffer>) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    return request(`${host.url}/api`, { method: 'POST', headers, body })
  }
  const json = () => Buffer.from('{}')
  const get = (times: number) =>
    `${'GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times)}GET /api/nowhere/at/all HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const begin = async (host: TestHost) =>
    (await postJson(`${host.url}/api/govQr`, { description: 'Sign this', authType: 'None' })).json

  deviate(httpDeviations, {
    noContentCodings: {
      ours: (open) =>
        onHost(open, async (host) => {
          const { status, headers, json: problem } = await preregister(host, 'gzip', gzipSync(json()))
          expect([status, problem.code]).to.deep.equal([415, 'unsupportedMediaType'])
          expect(headers.get('accept-encoding')).to.equal('identity')
        }),
      asWritten: (open) =>
        onHost(open, async (host) => {
          const { json: problem } = await preregister(host, 'identity', json())
          expect(problem.code).to.not.equal('unsupportedMediaType')
        }),
    },
    heldCallsLetGo: {
      ours: async (open) => {
        const host = await startTestHost(open)
        const { signURL } = await begin(host)
        const held = request(String(signURL)).then(
          ({ text }) => text,
          () => 'no answer',
        )
        await until(async () => (await host.registry.get(Database).query('registry_held_calls')).length === 1)
        await host.close()
        expect(await held).to.equal('no answer')
      },
      asWritten: (open) =>
        onHost(open, async (host) => {
          const { status, json: problem } = await request(`${host.url}/api/govQr/unknown/sign`)
          expect(status).to.be.at.least(400)
          expect(problem).to.include.keys('message', 'requestID')
        }),
    },
    floodsUnanswered: {
      ours: (open) =>
        onHost(open, async (host) => {
          expect(await sendRaw(host.url, get(20))).to.not.include('requestID')
        }),
      asWritten: (open) =>
        onHost(open, async (host) => {
          const answer = await sendRaw(host.url, get(8))
          expect(JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))).to.include.keys('message', 'requestID')
        }),
    },
  })
})
