import { ANY_POLICY, type PolicyMapping } from '../x509/policies.js'

interface PolicyNode {
  readonly policy: string
  readonly parents: readonly PolicyNode[]
  expected: readonly string[]
}

type Level = ReadonlyMap<string, PolicyNode>

/**
 * The valid policy graph of RFC 9618 section 5: one node per policy and depth, where the tree of RFC 5280 section 6.1 has one per
 * path, so that its size is linear in that of the certificates (CVE-2023-0464).
 */
export class PolicyGraph {
  private level: Level = new Map([[ANY_POLICY, { policy: ANY_POLICY, parents: [], expected: [ANY_POLICY] }]])
  /** The anyPolicy node of the level above. */
  private anyAbove: PolicyNode | undefined

  /** True when no policy is valid any more. */
  get isNull(): boolean {
    return this.level.size === 0
  }

  /** Section 6.1.3 (d) and (e): goes one certificate down. */
  descend(policies: readonly string[] | undefined, anyPolicyAllowed: boolean): void {
    const above = this.level
    this.anyAbove = above.get(ANY_POLICY)
    const next = new Map<string, PolicyNode>()
    this.level = next
    if (policies === undefined) return
    const expecting = byExpected(above)
    for (const policy of policies) {
      if (policy === ANY_POLICY) continue
      const parents = expecting.get(policy) ?? (this.anyAbove === undefined ? [] : [this.anyAbove])
      if (parents.length > 0) next.set(policy, { policy, parents, expected: [policy] })
    }
    if (!anyPolicyAllowed || !policies.includes(ANY_POLICY)) return
    for (const [policy, parents] of expecting)
      if (!next.has(policy)) next.set(policy, { policy, parents, expected: [policy] })
  }

  /** Section 6.1.4 (b): applies policy mappings. */
  map(mappings: readonly PolicyMapping[], allowed: boolean): void {
    if (mappings.length === 0) return
    const level = new Map(this.level)
    this.level = level
    for (const [issuerDomain, subjectDomains] of bySubjectDomains(mappings)) {
      const node = level.get(issuerDomain)
      if (!allowed) level.delete(issuerDomain)
      else if (node !== undefined) node.expected = subjectDomains
      else if (level.has(ANY_POLICY) && this.anyAbove !== undefined)
        level.set(issuerDomain, { policy: issuerDomain, parents: [this.anyAbove], expected: subjectDomains })
    }
  }

  /** Section 6.1.5 (g): the user-constrained policy set, in the domain of the trust anchor. */
  constrainedTo(initial: ReadonlySet<string>): ReadonlySet<string> {
    const authority = this.authorityConstrained()
    if (initial.has(ANY_POLICY)) return authority
    if (authority.has(ANY_POLICY)) return initial
    return new Set([...authority].filter((policy) => initial.has(policy)))
  }

  private authorityConstrained(): ReadonlySet<string> {
    const policies = new Set<string>()
    if (this.level.has(ANY_POLICY)) policies.add(ANY_POLICY)
    const seen = new Set<PolicyNode>(this.level.values())
    for (const node of seen) {
      for (const parent of node.parents) {
        seen.add(parent)
        if (parent.policy === ANY_POLICY && node.policy !== ANY_POLICY) policies.add(node.policy)
      }
    }
    return policies
  }
}

function byExpected(level: Level): Map<string, PolicyNode[]> {
  const found = new Map<string, PolicyNode[]>()
  for (const node of level.values())
    for (const policy of node.expected) {
      const same = found.get(policy)
      if (same === undefined) found.set(policy, [node])
      else same.push(node)
    }
  return found
}

function bySubjectDomains(mappings: readonly PolicyMapping[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const { issuerDomain, subjectDomain } of mappings) {
    const same = found.get(issuerDomain)
    if (same === undefined) found.set(issuerDomain, new Set([subjectDomain]))
    else same.add(subjectDomain)
  }
  return new Map([...found].map(([issuerDomain, subjectDomains]) => [issuerDomain, [...subjectDomains]]))
}
