import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type OutboundAnswer, OutboundError } from '@signed-registry/core'
import { expect } from 'chai'
import { LogReader } from '#host/cli/audit-log/log-reader.js'

type Step = Partial<OutboundAnswer> | OutboundError

describe('LogReader', () => {
  /** A reader of a log that answers these in turn, then the last one for ever. */
  const reading = (...steps: readonly Step[]) => {
    const asked: string[] = []
    const send = async ({ url }: { readonly url: string }): Promise<OutboundAnswer> => {
      const step = steps[Math.min(asked.length, steps.length - 1)]
      asked.push(url)
      if (step instanceof OutboundError) throw step
      return { status: 200, headers: {}, body: Buffer.from('ok'), ...step }
    }
    const retries = { timeoutMs: 1000, attempts: 3, pauseMs: 0 }
    return { reader: new LogReader('http://log', { send }, retries), asked }
  }

  for (const step of [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503, headers: { 'retry-after': 'tomorrow' } },
    { status: 502 },
    new OutboundError('timeout'),
    new OutboundError('unreachable'),
  ])
    it(`asks again after ${step instanceof OutboundError ? step.reason : step.status}, three times at most`, async () => {
      const patient = reading(step, step, {})
      expect(await patient.reader.text('checkpoint')).to.equal('ok')
      expect(patient.asked).to.have.length(3)
      const failing = reading(step)
      const error = await failing.reader.text('checkpoint').catch((reason: unknown) => reason)
      expect(error).to.include({ name: 'LogUnreadable' })
      expect(failing.asked).to.have.length(3)
    })

  for (const step of [{ status: 404 }, { status: 302 }, { status: 500 }, new OutboundError('tooLarge')])
    it(`asks once for what is ${step instanceof OutboundError ? step.reason : step.status}`, async () => {
      const { reader, asked } = reading(step, {})
      await reader.text('checkpoint').then(
        () => expect.fail('it was read'),
        (error: unknown) => expect(error).to.include({ name: 'LogUnreadable', isAbsent: Object(step).status === 404 }),
      )
      expect(asked).to.have.length(1)
    })

  it('refuses encodings that it did not ask for, and what is not of its encoding', async () => {
    for (const coding of ['br', 'gzip']) {
      const { reader } = reading({ headers: { 'content-encoding': coding } })
      expect(await reader.text('checkpoint').catch((error: Error) => error.name)).to.equal('LogUnreadable')
    }
  })

  it('reads hashes that compression made larger, and nothing larger than they are', async () => {
    const hashes = randomBytes(8192)
    const tile = { level: 0, index: 0, width: 256 }
    const asked: number[] = []
    const answering = (answer: Partial<OutboundAnswer>) =>
      new LogReader(
        'http://log',
        {
          async send({ maxBytes }) {
            asked.push(maxBytes)
            return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
          },
        },
        { timeoutMs: 1000, attempts: 1, pauseMs: 0 },
      ).tile(tile)
    const body = gzipSync(hashes)
    expect(body.length).to.be.greaterThan(hashes.length)
    expect(await answering({ headers: { 'content-encoding': 'gzip' }, body })).to.deep.equal(hashes)
    expect(asked[0]).to.be.within(body.length, 2 * hashes.length)
    const larger = await answering({ body: Buffer.alloc(8193) }).catch((error: Error) => error)
    expect(larger).to.include({ name: 'LogUnreadable' })
  })

  it('asks for the full tile where a narrower one is gone, and says what is missing where both are', async () => {
    const { reader, asked } = reading({ status: 404 }, { body: Buffer.alloc(8192, 1) })
    expect(await reader.tile({ level: 0, index: 1, width: 3 })).to.have.length(96)
    expect(asked).to.deep.equal(['http://log/tile/0/001.p/3', 'http://log/tile/0/001'])
    const { reader: without } = reading({ status: 404 })
    const error = await without.tile({ level: 0, index: 1, width: 3 }).catch((reason: Error) => reason)
    expect(String(error)).to.include('http://log/tile/0/001.p/3 answers 404')
  })
})
