import { expect } from 'chai'
import { HttpPeers } from '#host/peers/http-peers.js'
import { WorkerPeers } from '#host/peers/worker-peers.js'
import { Relay } from '#host/workers/relay.js'
import { relayed } from '../../support/relayed-siblings.js'

/** Hosts that note which of them are woken. */
class NotedPeers extends HttpPeers {
  readonly woken: string[] = []
  constructor(address: string) {
    super(address, { all: ['secret'] }, { warn: () => undefined })
  }
  override wake(address: string, procedureId: string): void {
    this.woken.push(`${address} ${procedureId}`)
  }
}

describe('workers that wake held calls', () => {
  const woken: string[] = []
  const workersOf = (host: string, hosts?: HttpPeers) =>
    relayed(new Relay(), 2, host).map(({ siblings }) => {
      const peers = new WorkerPeers(siblings, hosts)
      peers.onWake((id) => woken.push(`${siblings.number} ${id}`))
      return peers
    })
  beforeEach(() => {
    woken.length = 0
  })

  it('have addresses of their own, and wake each other by messages', () => {
    const [first, second] = workersOf('aaaa')
    expect([first?.address, second?.address]).to.deep.equal(['#aaaa-1', '#aaaa-2'])
    first?.wake('#aaaa-2', 'p')
    expect(woken).to.deep.equal(['2 p'])
  })

  it('wake other hosts over HTTP, and pass on what those tell', () => {
    const hosts = new NotedPeers('http://one')
    const [first, second] = workersOf('aaaa', hosts)
    expect(first?.address).to.equal('http://one#aaaa-1')
    first?.wake('http://two#bbbb-1', 'p')
    first?.wake('http://three', 'p')
    expect([hosts.woken, woken]).to.deep.equal([['http://two#bbbb-1 p', 'http://three p'], []])
    second?.passOn('q')
    expect(woken).to.deep.equal(['1 q'])
  })

  it('leave workers of hosts without an address to look for themselves', () => {
    const [first] = workersOf('aaaa')
    first?.wake('#bbbb-1', 'p')
    expect(woken).to.deep.equal([])
  })
})
