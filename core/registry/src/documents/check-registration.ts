import Type, { type Static } from 'typebox'
import { anyone, type Caller, organizationOf } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'
import { Sending } from './ports.js'
import { RegistrationRules } from './registration-rules.js'
import { DocumentSettings, EmailNotifications, Send } from './schema.js'

/** Request of `POST /api/checkRegistration`. */
export const CheckRegistrationRequest = Type.Object(
  {
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    emailNotifications: Type.Optional(EmailNotifications),
    settings: Type.Optional(DocumentSettings),
    send: Type.Optional(Send),
    isPackage: Type.Optional(Type.Boolean({ description: 'true before `POST /api/package`' })),
  },
  { $id: 'CheckRegistrationRequest' },
)
export type CheckRegistrationRequest = Static<typeof CheckRegistrationRequest>

/** Refuses, before anybody signs, what `POST /api` and `POST /api/package` would refuse after it; stores nothing. */
export class CheckRegistration {
  static readonly operation = operation({
    id: 'checkRegistration',
    group: 'documents',
    at: 'POST /checkRegistration',
    who: anyone(),
    summary: 'Check, before signing, that a registration will be accepted',
    description:
      'Ours. Refuses what POST /api and POST /api/package would refuse after the signature, as far as that is known before it: title, settings, e-mail addresses, the recipient, the right to send and the subscription. Nothing is stored, and nothing is reserved.',
    request: CheckRegistrationRequest,
    answer: Type.Object({}),
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'featureNotAvailable',
      'fieldNotSupported',
      'invalidDeadline',
      'invalidDocumentSettings',
      'invalidDocumentTitle',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidReceiver',
      'requestFieldNotText',
      'requestFieldTooLarge',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = { rules: RegistrationRules, sending: Sending, features: Subscriptions }

  constructor(private readonly use: Injected<typeof CheckRegistration.inject>) {}

  async execute(
    caller: Caller,
    { request }: Input<typeof CheckRegistration.operation>,
  ): Promise<Record<string, never>> {
    this.use.rules.check(request)
    if (request.send) await this.use.sending.prepare(caller, request.send)
    const feature = request.isPackage ? 'documentsPackages' : 'documentsRegistration'
    await this.use.features.assertEnabled(organizationOf(caller), feature)
    return {}
  }
}
