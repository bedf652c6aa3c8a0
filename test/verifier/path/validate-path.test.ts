import { expect } from 'chai'
import { certificatePolicies as writtenPolicies } from '#dev-authorities/x509/extensions.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { Budget } from '#verifier/path/budget.js'
import type { PolicyInputs } from '#verifier/path/policy-state.js'
import { validatePath } from '#verifier/path/validate-path.js'
import { NOW } from '../../support/pki/authorities.js'
import {
  certificatePolicies,
  extension,
  extKeyUsage,
  policyMappings,
  requireExplicitPolicy,
} from '../../support/pki/extensions.js'
import { type Entity, issue, issueAuthority } from '../../support/pki/hierarchy.js'
import { reasonOf } from '../../support/refusal.js'

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

  describe('purposes', () => {
    const [MAIL, STAMPS, ANY_PURPOSE] = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.8', '2.5.29.37.0']
    const judge = (path: Entity[], purposes: string[]) =>
      validatePath(path.map(({ certificate }) => certificate).reverse(), {
        ...{ time: NOW, now: NOW, algorithms: defaultAlgorithmPolicy, budget: new Budget(100_000) },
        purposes,
      })
    const refusedFor = (path: Entity[], purposes: string[]) => reasonOf(() => judge(path, purposes))
    const REFUSED = 'certificatePathNotBuilt: extendedKeyUsage'

    it('must be left open by every certificate of the path, the anchor’s too', () => {
      for (const where of ['anchor', 'authority', 'leaf'] as const) {
        const path = (...purposes: string[]) => {
          const at = (place: string) => ({ extensions: place === where ? [extKeyUsage(...purposes)] : [] })
          const anchor = issueAuthority(undefined, { subject: 'anchor', ...at('anchor') })
          const middle = issueAuthority(anchor, { subject: 'middle', ...at('authority') })
          return [anchor, middle, issue(middle, at('leaf'))]
        }
        expect(refusedFor(path(STAMPS), [MAIL]), where).to.equal(REFUSED)
        judge(path(MAIL, STAMPS), [MAIL])
        judge(path(ANY_PURPOSE), [MAIL])
      }
    })

    it('are looked at in an anchor that is itself the end of the path', () => {
      const anchor = issueAuthority(undefined, { subject: 'anchor', extensions: [extKeyUsage(STAMPS)] })
      expect(refusedFor([anchor], [MAIL])).to.equal(REFUSED)
      judge([anchor], [STAMPS])
    })

    it('may be prefixes, one of which every certificate must allow', () => {
      const path = (above: string, below: string) => {
        const anchor = issueAuthority(undefined, { subject: 'anchor', extensions: [extKeyUsage(above)] })
        return [anchor, issue(anchor, { extensions: [extKeyUsage(below)] })]
      }
      judge(path('1.2.398.3.1', '1.2.398.3.1'), ['1.2.398.'])
      expect(refusedFor(path('1.2.398.3.1', '1.2.398.3.2'), ['1.2.398.'])).to.equal(REFUSED)
      expect(refusedFor(path('1.2.3989.1', '1.2.3989.1'), ['1.2.398.'])).to.equal(REFUSED)
    })
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

    it('are required below a CA with requireExplicitPolicy', () => {
      const bare = (after: number) => under(authority(certificatePolicies(ONE), requireExplicitPolicy(after)))
      expect(reasonOf(() => validate(bare(0)))).to.equal('certificatePathNotBuilt: noValidPolicy')
      expect(reasonOf(() => validate(bare(1)))).to.equal('certificatePathNotBuilt: noValidPolicy')
      expect(validate(bare(2)).policies.size).to.equal(0)
    })

    it('of the anchor bind what it issues (RFC 5937)', () => {
      const anchored = (extensions: Buffer[], policy: string) => {
        const anchor = issueAuthority(undefined, { subject: 'anchor', extensions })
        return [anchor, issue(anchor, { extensions: [certificatePolicies(policy)] })]
      }
      expect(policiesOf(anchored([certificatePolicies(ONE)], ONE), explicit)).to.deep.equal([ONE])
      expect(reasonOf(() => validate(anchored([certificatePolicies(ONE)], TWO), explicit))).to.match(/: noValidPolicy$/)
      expect(policiesOf(anchored([certificatePolicies(ONE)], TWO))).to.deep.equal([])
      expect(policiesOf(anchored([], TWO), explicit)).to.deep.equal([TWO])
      const mapped = [certificatePolicies(ONE), policyMappings([ONE, TWO])]
      expect(policiesOf(anchored(mapped, TWO), { ...explicit, initial: [ONE] })).to.deep.equal([ONE])
      expect(reasonOf(() => validate(anchored(mapped, ONE), explicit))).to.match(/: noValidPolicy$/)
      expect(policiesOf(anchored([policyMappings([ONE, TWO])], TWO), { initial: [ONE], ...explicit })).to.deep.equal([
        ONE,
      ])
      const any = [certificatePolicies(ANY), policyMappings([ANY, TWO])]
      expect(reasonOf(() => validate(anchored(any, TWO)))).to.equal('certificatePathNotBuilt: anyPolicyMapped')
    })

    it('of an anchor that is itself the end of the path bind it', () => {
      const anchor = (...extensions: Buffer[]) => [issueAuthority(undefined, { subject: 'anchor', extensions })]
      expect(policiesOf(anchor(certificatePolicies(ONE)), { ...explicit, initial: [ONE] })).to.deep.equal([ONE])
      expect(reasonOf(() => validate(anchor(certificatePolicies(ONE)), { ...explicit, initial: [TWO] }))).to.match(
        /: noValidPolicy$/,
      )
      expect(policiesOf(anchor(), { ...explicit, initial: [TWO] })).to.deep.equal([TWO])
    })

    it('may have unknown qualifiers, unless the extension is critical', () => {
      const [STATEMENT, NOTICE, UNKNOWN] = ['1.3.6.1.5.5.7.2.1', '1.3.6.1.5.5.7.2.2', '1.3.6.1.4.1.55738.666.3']
      const stated = (qualifiers: string[], isCritical: boolean) => {
        const { oid, critical, value } = writtenPolicies([ONE], { qualifiers, isCritical })
        return extension(oid, value, critical)
      }
      for (const where of ['anchor', 'authority', 'leaf'] as const) {
        const path = (...added: Parameters<typeof stated>) => {
          const at = (place: string) => ({ extensions: place === where ? [stated(...added)] : [] })
          const anchor = issueAuthority(undefined, { subject: 'anchor', ...at('anchor') })
          const middle = issueAuthority(anchor, { subject: 'middle', ...at('authority') })
          return [anchor, middle, issue(middle, at('leaf'))]
        }
        validate(path([STATEMENT, NOTICE], true))
        validate(path([UNKNOWN], false))
        expect(reasonOf(() => validate(path([STATEMENT, UNKNOWN], true)))).to.equal(
          'certificatePathNotBuilt: unknownPolicyQualifier',
        )
      }
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
