import {
  Check,
  defaultSignaturePolicy,
  type Plugin,
  provide,
  provideValue,
  runChecks,
  SignaturePolicy,
} from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { testAuthorities } from '../support/pki/authorities.js'

describe('checks of plugins without a registry', () => {
  const plugin = {
    name: 'judging',
    provides: [
      provide(Check, {
        inject: { policy: SignaturePolicy },
        make: ({ policy }) => ({
          name: 'policy',
          isRequired: false,
          check: async () => ({ state: 'ok' as const, text: `by CRLs: ${policy.statusByCrls === true}` }),
        }),
      }),
    ],
  }
  const found = async (options = {}, ...more: readonly Plugin[]) => {
    const plugins = [devAuthorities({ authorities: testAuthorities() }), plugin, ...more]
    const { checks } = await runChecks({ database: 'sqlite::memory:', plugins, ...options })
    return checks.find(({ name }) => name === 'policy')?.findings.map(({ text }) => text)
  }

  it('judge by the policy of the registry, and by the default one unless given', async () => {
    expect(await found()).to.deep.equal(['by CRLs: false'])
    expect(await found({ signaturePolicy: { statusByCrls: true } })).to.deep.equal(['by CRLs: true'])
  })

  it('judge by the policy that a plugin brings', async () => {
    const policy = { ...defaultSignaturePolicy, statusByCrls: true }
    const bringing = { name: 'bringing', provides: [provideValue(SignaturePolicy, policy)] }
    expect(await found({}, bringing)).to.deep.equal(['by CRLs: true'])
  })
})
