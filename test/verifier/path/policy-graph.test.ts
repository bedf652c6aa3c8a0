import { expect } from 'chai'
import { PolicyGraph } from '#verifier/path/policy-graph.js'
import { ANY_POLICY } from '#verifier/x509/policies.js'

const any = new Set([ANY_POLICY])

describe('PolicyGraph', () => {
  it('keeps a policy that every certificate states', () => {
    const graph = new PolicyGraph()
    for (let depth = 0; depth < 3; depth += 1) graph.descend(['1.1', '1.2'], true)
    expect(graph.constrainedTo(any)).to.deep.equal(new Set(['1.1', '1.2']))
    expect(graph.constrainedTo(new Set(['1.2', '1.3']))).to.deep.equal(new Set(['1.2']))
  })

  it('is null once no policy is left', () => {
    const graph = new PolicyGraph()
    graph.descend(['1.1'], true)
    graph.descend(['1.2'], true)
    expect(graph.isNull).to.equal(true)
    graph.descend([ANY_POLICY], true)
    expect(graph.isNull).to.equal(true)
  })

  it('names a mapped policy as the trust anchor knows it', () => {
    const graph = new PolicyGraph()
    graph.descend(['1.1'], true)
    graph.map([{ issuerDomain: '1.1', subjectDomain: '2.1' }], true)
    graph.descend(['2.1'], true)
    expect(graph.constrainedTo(any)).to.deep.equal(new Set(['1.1']))
  })

  it('drops a policy that is mapped while mapping is inhibited', () => {
    const graph = new PolicyGraph()
    graph.descend(['1.1'], true)
    graph.map([{ issuerDomain: '1.1', subjectDomain: '2.1' }], false)
    expect(graph.isNull).to.equal(true)
  })

  it('does not grow exponentially when policies are mapped onto each other (CVE-2023-0464)', () => {
    const policies = Array.from({ length: 200 }, (_, index) => `1.3.${index}`)
    const mappings = policies.flatMap((issuerDomain) => [
      { issuerDomain, subjectDomain: issuerDomain },
      { issuerDomain, subjectDomain: policies[(policies.indexOf(issuerDomain) + 1) % 200] as string },
    ])
    const graph = new PolicyGraph()
    // The tree of RFC 5280 would double at every certificate: 2^60 leaves.
    for (let depth = 0; depth < 60; depth += 1) {
      graph.descend(policies, true)
      graph.map(mappings, true)
    }
    expect(graph.constrainedTo(any).size).to.equal(200)
  })
})
