import cluster from 'node:cluster'
import { expect } from 'chai'
import { Relay } from '#host/workers/relay.js'
import { RunningWorker } from '#host/workers/running-worker.js'

describe('a worker as a process', () => {
  after(() => cluster.setupPrimary({ cwd: process.cwd() }))

  it('has ended where it cannot be started, so that it is tried again', async () => {
    cluster.setupPrimary({ cwd: '/no/such/folder' })
    const { ended } = new RunningWorker({}, '1/1/a1b2c3d4', new Relay())
    const { failure, ...end } = await ended
    expect(end).to.deep.equal({ code: null, signal: null })
    expect(failure).to.match(/^spawn .* ENOENT$/)
  })
})
