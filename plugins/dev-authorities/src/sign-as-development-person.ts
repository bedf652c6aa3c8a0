import { anyone, type Caller, type Injected, type Input, operation } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { messageDigestOf } from './cms/attributes.js'
import { DevelopmentAuthorities } from './development-authorities.js'

/** The people offered by pages: those who sign with SHA-256, which a browser can compute. */
const SIGNERS = ['person-1', 'person-2', 'head-1', 'employee-1'] as const
const SHA256_BYTES = 32

/** Answer of `GET /api/development/people`. It has no name, since OpenAPI leaves the operation out. */
export const DevelopmentPeople = Type.Object({
  people: Type.Array(
    Type.Object({
      person: Type.Enum([...SIGNERS]),
      name: Type.String(),
      organization: Type.Optional(Type.String()),
      iin: Type.Optional(Type.String()),
      bin: Type.Optional(Type.String()),
    }),
  ),
})
export type DevelopmentPeople = Static<typeof DevelopmentPeople>

/** Lists the people that anybody may sign as on a development host. */
export class ListDevelopmentPeople {
  static readonly operation = operation({
    id: 'listDevelopmentPeople',
    group: 'development',
    at: 'GET /development/people',
    who: anyone(),
    summary: 'Whom anybody may sign as on a host for development',
    description: 'There on hosts with development authorities alone.',
    answer: DevelopmentPeople,
  })
  static readonly inject = { authorities: DevelopmentAuthorities }

  constructor(private readonly use: Injected<typeof ListDevelopmentPeople.inject>) {}

  async execute(_caller: Caller): Promise<DevelopmentPeople> {
    return {
      people: SIGNERS.map((person) => {
        const { name, organization, iin, bin } = this.use.authorities.named(person).identity
        return {
          ...{ person, name },
          ...(organization !== undefined && { organization }),
          ...(iin !== undefined && { iin }),
          ...(bin !== undefined && { bin }),
        }
      }),
    }
  }
}

/** Answer of `POST /api/development/sign`, without a name for the same reason. */
export const DevelopmentSignature = Type.Object({ signature: Type.String({ description: 'base64 of a detached CMS' }) })
export type DevelopmentSignature = Static<typeof DevelopmentSignature>

/** Signs as one of the development people, for whoever asks: the operation is there beside development authorities alone. */
export class SignAsDevelopmentPerson {
  static readonly operation = operation({
    id: 'signAsDevelopmentPerson',
    group: 'development',
    at: 'POST /development/sign',
    who: anyone(),
    summary: 'Sign as a development person',
    description: 'A detached CMS over the given hash. There on hosts with development authorities alone.',
    request: Type.Object({
      person: Type.Enum([...SIGNERS]),
      digest: Type.String({
        description: `base64 of the SHA-256 of what is signed, ${SHA256_BYTES} bytes`,
        pattern: '^[A-Za-z0-9+/]{43}=$',
      }),
      use: Type.Optional(Type.Enum(['signing', 'authentication'])),
    }),
    answer: DevelopmentSignature,
  })
  static readonly inject = { authorities: DevelopmentAuthorities }

  constructor(private readonly use: Injected<typeof SignAsDevelopmentPerson.inject>) {}

  async execute(
    _caller: Caller,
    { request: { person, digest, use } }: Input<typeof SignAsDevelopmentPerson.operation>,
  ): Promise<DevelopmentSignature> {
    const signed = messageDigestOf(Buffer.from(digest, 'base64'))
    const signer = this.use.authorities.named(use === 'authentication' ? `${person}-auth` : person)
    const cms = signer.signCms(Buffer.alloc(0), {
      hash: 'sha256',
      signedAttributes: (honest) => honest.map((attribute) => (attribute.oid === signed.oid ? signed : attribute)),
    })
    return { signature: cms.toString('base64') }
  }
}
