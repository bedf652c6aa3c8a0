import Type, { type Static } from 'typebox'
import {
  assertAuthenticated,
  authenticated,
  type Caller,
  OrganizationRights,
  organizationOf,
} from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { UserSettingsStore } from '../settings/index.js'
import { mailErrors } from './errors.js'
import { REFUSABLE } from './news.js'
import { MailKeys, RecipientStore } from './recipients.js'

/** An address in settings, and whether mail is sent to it. */
export const MailAddress = Type.Object(
  {
    owner: Type.String({ description: 'IIN or BIN' }),
    field: Type.String({ description: 'of the settings' }),
    address: Type.String(),
    bouncedAt: Type.Optional(
      Type.Integer({ description: 'since when nothing goes there: the address does not exist' }),
    ),
    bounceReason: Type.Optional(Type.String({ description: 'what its mail server said' })),
    refused: Type.Array(Type.Enum(REFUSABLE), { description: 'kinds of mail that were refused by a link' }),
  },
  { $id: 'MailAddress' },
)
export type MailAddress = Static<typeof MailAddress>

/** Answer of `GET /api/mailAddresses`. */
export const MailAddresses = Type.Object({ addresses: Type.Array(MailAddress) }, { $id: 'MailAddresses' })
export type MailAddresses = Static<typeof MailAddresses>

/** Finds the addresses in the settings that a caller may manage. */
export class OwnAddresses {
  static readonly inject = {
    users: UserSettingsStore,
    organizations: OrganizationStore,
    rights: OrganizationRights,
    keys: MailKeys,
    recipients: RecipientStore,
  }

  constructor(private readonly use: Injected<typeof OwnAddresses.inject>) {}

  async of(caller: Caller): Promise<MailAddress[]> {
    assertAuthenticated(caller)
    const found: Pick<MailAddress, 'owner' | 'field' | 'address'>[] = []
    const add = (owner: string, fields: Readonly<Record<string, string>>) => {
      for (const [field, address] of Object.entries(fields)) if (address !== '') found.push({ owner, field, address })
    }
    if (caller.kind === 'person' || caller.kind === 'employee') {
      const { email, dataArchiveContactEmail } = (await this.use.users.choices.get(caller.iin)).choices
      add(caller.iin, { email, dataArchiveContactEmail })
    }
    const bin = organizationOf(caller)
    if (bin !== undefined && (await this.use.rights.allow(caller, bin, 'organizationSettings'))) {
      const { choices } = await this.use.organizations.choices.get(bin)
      const { dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail } = choices
      add(bin, { dataArchiveContactEmail, subscriptionContactEmail, routingContactEmail })
    }
    return Promise.all(
      found.map(async (one) => {
        const recipient = await this.use.keys.recipient(one.address)
        const bounce = await this.use.recipients.bounceOf(recipient)
        const refused = await this.use.recipients.refusedKinds(recipient)
        return { ...one, ...(bounce && { bouncedAt: bounce.bouncedAt, bounceReason: bounce.reason }), refused }
      }),
    )
  }

  /** Allows mail to an address again. */
  async accept(address: string): Promise<void> {
    const recipient = await this.use.keys.recipient(address)
    await this.use.recipients.forgetBounce(recipient)
    await this.use.recipients.accept(recipient)
  }
}

/** Lists the addresses in the caller's settings, and whether mail is sent to them (not in the specification). */
export class GetMailAddresses {
  static readonly operation = operation({
    id: 'getMailAddresses',
    group: 'settings',
    at: 'GET /mailAddresses',
    who: authenticated('about the addresses in the settings that they look after'),
    summary: 'Show whether mail goes to the addresses in your settings',
    description: 'Of the calling person; and of the organization where the caller may see its settings.',
    answer: MailAddresses,
  })
  static readonly inject = { own: OwnAddresses }

  constructor(private readonly use: Injected<typeof GetMailAddresses.inject>) {}

  async execute(caller: Caller): Promise<MailAddresses> {
    return { addresses: await this.use.own.of(caller) }
  }
}

/** Request of `POST /api/mailAddresses`. */
export const AcceptMailRequest = Type.Object({ address: Type.String() }, { $id: 'AcceptMailRequest' })

/** Allows mail again to an address that bounced or unsubscribed (not in the specification). */
export class AcceptMail {
  static readonly operation = operation({
    id: 'acceptMail',
    group: 'settings',
    at: 'POST /mailAddresses',
    who: authenticated('about the addresses in the settings that they look after'),
    summary: 'Let mail go again to an address in your settings',
    description: 'Forgets that the address bounced, and what was refused for it by links in mails.',
    request: AcceptMailRequest,
    answer: MailAddresses,
    refuses: ['mailAddressNotFound'],
  })
  static readonly inject = { own: OwnAddresses }

  constructor(private readonly use: Injected<typeof AcceptMail.inject>) {}

  async execute(caller: Caller, { request }: Input<typeof AcceptMail.operation>): Promise<MailAddresses> {
    const own = await this.use.own.of(caller)
    if (!own.some(({ address }) => address === request.address)) throw mailErrors.error('mailAddressNotFound')
    await this.use.own.accept(request.address)
    return { addresses: await this.use.own.of(caller) }
  }
}
