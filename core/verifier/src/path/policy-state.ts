import type { Certificate } from '../x509/certificate.js'
import { ANY_POLICY } from '../x509/policies.js'
import { PolicyGraph } from './policy-graph.js'

/** Policy inputs of RFC 5280 section 6.1.1 (c), (e), (f), (g); the default accepts any policy. */
export interface PolicyInputs {
  /** user-initial-policy-set as OIDs; default anyPolicy. */
  readonly initial?: readonly string[] | undefined
  readonly requireExplicit?: boolean | undefined
  readonly inhibitMapping?: boolean | undefined
  readonly inhibitAnyPolicy?: boolean | undefined
}

/** The policy variables of RFC 5280 section 6.1.2, on the graph of RFC 9618. */
export class PolicyState {
  private readonly graph = new PolicyGraph()
  private explicitPolicy: number
  private policyMapping: number
  private inhibitAnyPolicy: number

  /** `length` is the number of certificates after the anchor. */
  constructor(
    private readonly inputs: PolicyInputs,
    length: number,
  ) {
    this.explicitPolicy = inputs.requireExplicit === true ? 0 : length + 1
    this.policyMapping = inputs.inhibitMapping === true ? 0 : length + 1
    this.inhibitAnyPolicy = inputs.inhibitAnyPolicy === true ? 0 : length + 1
  }

  /**
   * What the anchor's own certificate says of policies: where it names some, no other holds below it, and its mappings
   * are the first (RFC 5937 section 3). Gives the reason where that cannot be.
   */
  begin(anchor: Certificate): 'anyPolicyMapped' | 'noValidPolicy' | undefined {
    const { certificatePolicies, policyMappings } = anchor.extensions
    const policies = certificatePolicies ?? (policyMappings === undefined ? undefined : [ANY_POLICY])
    if (policies !== undefined) this.graph.descend(policies, this.inhibitAnyPolicy > 0)
    if (!this.map(anchor)) return 'anyPolicyMapped'
    this.constrain(anchor)
    return this.explicitPolicy > 0 || !this.graph.isNull ? undefined : 'noValidPolicy'
  }

  /** Section 6.1.3 (d)-(f); false when a policy is required and none is valid. */
  process({ extensions }: Certificate, selfIssued: boolean, last: boolean): boolean {
    const anyPolicyAllowed = this.inhibitAnyPolicy > 0 || (!last && selfIssued)
    this.graph.descend(extensions.certificatePolicies, anyPolicyAllowed)
    return this.explicitPolicy > 0 || !this.graph.isNull
  }

  /** Section 6.1.4 (a), (b), (h)-(j); false when anyPolicy is mapped. */
  prepare(certificate: Certificate, selfIssued: boolean): boolean {
    if (!this.map(certificate)) return false
    if (!selfIssued) this.countDown()
    this.constrain(certificate)
    return true
  }

  private map({ extensions }: Certificate): boolean {
    const mappings = extensions.policyMappings ?? []
    const bad = mappings.some((mapping) => mapping.issuerDomain === ANY_POLICY || mapping.subjectDomain === ANY_POLICY)
    if (!bad) this.graph.map(mappings, this.policyMapping > 0)
    return !bad
  }

  /** Takes over the constraints that an authority states for what it issues. */
  private constrain({ extensions }: Certificate): void {
    const { requireExplicitPolicy, inhibitPolicyMapping } = extensions.policyConstraints ?? {}
    this.explicitPolicy = Math.min(this.explicitPolicy, requireExplicitPolicy ?? Infinity)
    this.policyMapping = Math.min(this.policyMapping, inhibitPolicyMapping ?? Infinity)
    this.inhibitAnyPolicy = Math.min(this.inhibitAnyPolicy, extensions.inhibitAnyPolicy ?? Infinity)
  }

  /** Section 6.1.5 (a), (b), (g): the user-constrained policy set, undefined when a policy is required and none is valid. */
  wrapUp({ extensions }: Certificate): ReadonlySet<string> | undefined {
    if (this.explicitPolicy > 0) this.explicitPolicy -= 1
    if (extensions.policyConstraints?.requireExplicitPolicy === 0) this.explicitPolicy = 0
    const policies = this.graph.constrainedTo(new Set(this.inputs.initial ?? [ANY_POLICY]))
    return this.explicitPolicy > 0 || policies.size > 0 ? policies : undefined
  }

  private countDown(): void {
    if (this.explicitPolicy > 0) this.explicitPolicy -= 1
    if (this.policyMapping > 0) this.policyMapping -= 1
    if (this.inhibitAnyPolicy > 0) this.inhibitAnyPolicy -= 1
  }
}
