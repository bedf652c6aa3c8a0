import { expect } from 'chai'
import { Relay } from '#host/workers/relay.js'
import { type Answering, relayed } from '../../support/relayed-siblings.js'

describe('the relay between workers', () => {
  let workers: Answering[]
  let relay: Relay
  beforeEach(() => {
    relay = new Relay()
    workers = relayed(relay, 3)
  })

  it('tells all others', () => {
    const told: number[] = []
    for (const { siblings } of workers) siblings.on('news', () => told.push(siblings.number))
    workers[1]?.siblings.tell('news', 'of two')
    expect(told).to.deep.equal([1, 3])
  })

  it('gathers what all others answer, in time or later', async () => {
    for (const { siblings } of workers) siblings.on('number', (body) => Promise.resolve(`${body}${siblings.number}`))
    expect(await workers[0]?.siblings.ask('number', 'worker ')).to.have.members(['worker 2', 'worker 3'])
  })

  it('answers without those that have ended, fail, or know nothing of it', async () => {
    workers[1]?.siblings.on('number', () => 2)
    workers[2]?.siblings.on('number', () => new Promise(() => undefined))
    const asked = workers[0]?.siblings.ask('number', undefined)
    const [, , third] = workers
    if (third) relay.remove(third.recipient)
    expect(await asked).to.deep.equal([2])
    workers[1]?.siblings.on('number', () => {
      throw new Error('it fails')
    })
    expect(await workers[0]?.siblings.ask('number', undefined)).to.deep.equal([])
    expect(await workers[0]?.siblings.ask('nothing', undefined)).to.deep.equal([])
  })

  it('answers a worker that is alone', async () => {
    const [alone] = relayed(new Relay(), 1)
    expect(await alone?.siblings.ask('number', undefined)).to.deep.equal([])
  })

  it('answers at last without one that says nothing', async () => {
    workers[1]?.siblings.on('number', () => 2)
    workers[2]?.siblings.on('number', () => new Promise(() => undefined))
    expect(await workers[0]?.siblings.ask('number', undefined)).to.deep.equal([2])
  })
})
