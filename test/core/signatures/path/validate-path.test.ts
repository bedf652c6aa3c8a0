import { expect } from 'chai'
import { defaultAlgorithmPolicy } from '../../../../core/dist/signatures/algorithms/policy.js'
import { Budget } from '../../../../core/dist/signatures/path/budget.js'
import type { PolicyInputs } from '../../../../core/dist/signatures/path/policy-state.js'
import { validatePath } from '../../../../core/dist/signatures/path/validate-path.js'
import { NOW } from '../../../support/pki/authorities.js'
import { certificatePolicies, policyMappings, requireExplicitPolicy } from '../../../support/pki/extensions.js'
import { type Entity, issue, issueAuthority } from '../../../support/pki/hierarchy.js'
import { reasonOf } from '../../../support/refusal.js'

const ANY = '2.5.29.32.0'
const [ONE, TWO] = ['1.2.3.1', '1.2.3.2']

/** Judges a path given from the anchor down. */
const validate = (path: Entity[], policies: PolicyInputs = {}) => {
  const rules = { time: NOW, now: NOW, algorithms: defaultAlgorithmPolicy, budget: new Budget(100_000), policies }
  return validatePath(path.map(({ certificate }) => certificate).reverse(), rules)
}

const policiesOf = (path: Entity[], inputs?: PolicyInputs): string[] => [...validate(path, inputs).policies].sort()

const root = issueAuthority(undefined, { subject: 'root' })
const authority = (...extensions: Buffer[]) => issueAuthority(root, { subject: 'authority', extensions })
const under = (issuer: Entity, ...extensions: Buffer[]) => [root, issuer, issue(issuer, { extensions })]

describe('validatePath', () => {
  it('refuses a certificate that names another issuer than the one before it', () => {
    const stranger = issueAuthority(undefined, { subject: 'stranger' })
    expect(reasonOf(() => validate([stranger, issue(root)]))).to.equal('certificatePathNotBuilt: nameChaining')
  })

  it('refuses a certificate that another key of the same name signed', () => {
    const impostor = issueAuthority(undefined, { subject: 'root' })
    expect(reasonOf(() => validate([root, issue(impostor)]))).to.equal('certificatePathNotBuilt: signatureMismatch')
  })

  describe('policies', () => {
    const explicit = { requireExplicit: true }

    it('are those that every certificate states', () => {
      expect(policiesOf(under(authority(certificatePolicies(ONE, TWO)), certificatePolicies(ONE)))).to.deep.equal([ONE])
      expect(policiesOf(under(authority(certificatePolicies(ANY)), certificatePolicies(ANY)))).to.deep.equal([ANY])
      expect(policiesOf(under(authority(), certificatePolicies(ONE)))).to.deep.equal([])
    })

    it('must be among those that are asked for when one is required', () => {
      const path = under(authority(certificatePolicies(ANY)), certificatePolicies(ONE))
      expect(policiesOf(path, { ...explicit, initial: [ONE, TWO] })).to.deep.equal([ONE])
      expect(reasonOf(() => validate(path, { ...explicit, initial: [TWO] }))).to.match(/: noValidPolicy$/)
      expect(policiesOf(path, { initial: [TWO] })).to.deep.equal([])
    })

    it('are required from where an authority says', () => {
      const bare = (after: number) => under(authority(certificatePolicies(ONE), requireExplicitPolicy(after)))
      expect(reasonOf(() => validate(bare(0)))).to.equal('certificatePathNotBuilt: noValidPolicy')
      expect(reasonOf(() => validate(bare(1)))).to.equal('certificatePathNotBuilt: noValidPolicy')
      expect(validate(bare(2)).policies.size).to.equal(0)
    })

    it('are required when the leaf itself says so', () => {
      const path = under(authority(), requireExplicitPolicy(0))
      expect(reasonOf(() => validate(path))).to.equal('certificatePathNotBuilt: noValidPolicy')
    })

    it('follow mappings, unless those are inhibited', () => {
      const path = under(authority(certificatePolicies(ONE), policyMappings([ONE, TWO])), certificatePolicies(TWO))
      expect(policiesOf(path, explicit)).to.deep.equal([ONE])
      const inhibited = { ...explicit, inhibitMapping: true }
      expect(reasonOf(() => validate(path, inhibited))).to.match(/: noValidPolicy$/)
    })

    it('are never mapped to or from anyPolicy', () => {
      for (const [from, to] of [
        [ANY, ONE],
        [ONE, ANY],
      ] as const) {
        const path = under(authority(certificatePolicies(ONE), policyMappings([from, to])), certificatePolicies(ONE))
        expect(reasonOf(() => validate(path))).to.equal('certificatePathNotBuilt: anyPolicyMapped')
      }
    })

    it('are not satisfied by anyPolicy where that is inhibited', () => {
      const path = under(authority(certificatePolicies(ANY)), certificatePolicies(ONE))
      expect(policiesOf(path, explicit)).to.deep.equal([ONE])
      expect(reasonOf(() => validate(path, { ...explicit, inhibitAnyPolicy: true }))).to.match(/: noValidPolicy$/)
    })
  })
})
