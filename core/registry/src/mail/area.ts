import { DeliveryChannel } from '../deliveries/index.js'
import { RegistrationMails } from '../documents/index.js'
import { EventSubscriber } from '../events/index.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { AskedMails } from './asked-mails.js'
import { Attachments } from './attachments.js'
import { mailErrors } from './errors.js'
import { Letterheads } from './letterheads.js'
import { defaultMailLanguage, MailLanguage, MailLimits, OperatorAddresses } from './limits.js'
import { OwnAddresses } from './mail-addresses.js'
import { MailChannel } from './mail-channel.js'
import { MailOutlook } from './mail-outlook.js'
import { MailRecord } from './mail-record.js'
import { AccountNotices, MailDeliveries, MailSubscriber, RegistrationNotices } from './mail-subscriber.js'
import { MailWriter } from './mail-writer.js'
import { Mailer } from './mailer.js'
import { MailerState } from './mailer-state.js'
import * as mail from './migrations/0070-mail.js'
import * as mailerState from './migrations/0143-mailer-state.js'
import * as operations from './operations.js'
import { DeliveryReports, ReadBounces } from './read-bounces.js'
import { MailKeys, RecipientStore } from './recipients.js'
import { RegisteredAddresses } from './registered-addresses.js'
import { RoutingAddresses } from './routing-addresses.js'
import { ScanVerdicts } from './scan-verdicts.js'
import { SignatureNotices } from './signature-notices.js'
import { MailSpool, ReleaseSpool } from './spool.js'
import { TellEndingDigests } from './tell-ending-digests.js'
import { TellItem } from './tell-item.js'
import { TellOperator } from './tell-operator.js'
import { TellSubscriptions } from './tell-subscriptions.js'
import { TurnNotices } from './turn-notices.js'
import { Unsubscribing } from './unsubscribing.js'

export const mailArea = area({
  name: 'mail',
  errors: [mailErrors],
  migrations: { '0070-mail': mail, '0143-mailer-state': mailerState },
  services: [
    MailKeys,
    RecipientStore,
    RegisteredAddresses,
    RegistrationNotices,
    SignatureNotices,
    RoutingAddresses,
    TurnNotices,
    AccountNotices,
    MailDeliveries,
    AskedMails,
    MailerState,
    ScanVerdicts,
    MailOutlook,
    Attachments,
    TellItem,
    Letterheads,
    MailWriter,
    MailRecord,
    Unsubscribing,
    OwnAddresses,
    MailSubscriber,
    MailChannel,
  ],
  provides: [
    provideValue(Mailer, undefined),
    provideValue(DeliveryReports, undefined),
    provideValue(MailLanguage, defaultMailLanguage),
    provideValue(OperatorAddresses, []),
    provideLimits(MailLimits),
    provide(RegistrationMails, MailSpool),
    provide(EventSubscriber, MailSubscriber),
    provide(DeliveryChannel, MailChannel),
  ],
  tasks: [ReleaseSpool, ReadBounces, TellSubscriptions, TellOperator, TellEndingDigests],
  operations: Object.values(operations),
})
