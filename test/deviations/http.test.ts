import { once } from 'node:events'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Database } from '@signed-registry/core'

import { expect } from 'chai'
import { httpDeviations } from '#core/deviations/http.js'
import type { OpenDatabase } from '../support/databases.js'
import { startTestHost, type TestHost, type TestHostOptions } from '../support/host.js'
import { openSocket, postJson, receivedBy, request, sendRaw } from '../support/http.js'
import { until } from '../support/until.js'
import { deviate } from './deviate.js'

describe('deviations about HTTP', () => {
  async function onHost(open: OpenDatabase, test: (host: TestHost) => Promise<void>, settings: TestHostOptions = {}) {
    const host = await startTestHost(open, settings)
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
  const isHeld = ({ registry }: TestHost) =>
    until(async () => (await registry.get(Database).query('registry_held_calls')).length === 1)
  /** Nothing may stand still for longer than a moment. */
  const hurried = { pace: { grace: 50, bytesPerSecond: 2 ** 40 } }

  /** Asks for ten megabytes of answers, reads none until its connection is closed, and gives what had come. */
  async function takenTooLate(host: TestHost): Promise<string> {
    const page = await (await fetch(`${host.url}/docs/`)).text()
    const [script] = /static\/[\w-]+bundle\.js/.exec(page) ?? []
    const accepted = once(host.app.server, 'connection')
    const client = await openSocket(host.url)
    client.pause()
    const [server]: Socket[] = await accepted
    const closed = new Promise((resolve) => (server ?? client).once('close', resolve))
    client.write(`GET /docs/${script} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10))
    await closed
    const received = receivedBy(client)
    client.resume()
    return received
  }

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
        await isHeld(host)
        await host.close()
        expect(await held).to.equal('no answer')
      },
      asWritten: (open) =>
        onHost(open, async (host) => {
          const { signURL } = await begin(host)
          const held = request(String(signURL))
          await isHeld(host)
          const stop = new AbortController()
          const later = request(String(signURL), { signal: stop.signal }).catch(() => undefined)
          const { status, json: problem } = await held
          stop.abort()
          await later
          expect([status, problem.code]).to.deep.equal([409, 'qrOtherEndpoint'])
          expect(problem).to.include.keys('message', 'requestID')
        }),
    },
    floodsUnanswered: {
      ours: async (open) => {
        await onHost(open, async (host) => {
          expect(await sendRaw(host.url, get(20))).to.not.include('requestID')
        })
        const oneConnection = async (host: TestHost) => {
          const first = await openSocket(host.url)
          first.write('GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n')
          await once(first, 'data')
          expect(await sendRaw(host.url, get(1))).to.equal('')
          first.destroy()
        }
        await onHost(open, oneConnection, { connectionsPerAddress: 1 })
        const standingStill = async (host: TestHost) => {
          const head = 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n'
          expect(await sendRaw(host.url, `${head}{`)).to.equal('')
          expect(await takenTooLate(host)).to.not.include('requestID')
        }
        await onHost(open, standingStill, hurried)
      },
      asWritten: async (open) => {
        const few = async (host: TestHost) => {
          const answer = await sendRaw(host.url, get(8))
          expect(JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))).to.include.keys('message', 'requestID')
        }
        await onHost(open, few, { connectionsPerAddress: 1, ...hurried })
      },
    },
  })
})
