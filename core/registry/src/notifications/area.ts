import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { notificationErrors } from './errors.js'
import { MailBudgets, NotificationLimits } from './limits.js'
import { ForgetMailBudgets, MailBudget, MailRates } from './mail-budget.js'
import { MailContacts } from './mail-contacts.js'
import * as mailBudgets from './migrations/0125-mail-budgets.js'
import * as mailContacts from './migrations/0138-mail-contacts.js'

export const notificationsArea = area({
  name: 'notifications',
  errors: [notificationErrors],
  migrations: { '0125-mail-budgets': mailBudgets, '0138-mail-contacts': mailContacts },
  provides: [provideLimits(NotificationLimits), provideValue(MailBudgets, {})],
  services: [MailRates, MailContacts, MailBudget],
  tasks: [ForgetMailBudgets],
})
