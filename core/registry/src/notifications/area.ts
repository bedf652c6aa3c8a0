import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { notificationErrors } from './errors.js'
import { NotificationLimits } from './limits.js'
import { ForgetMailBudgets, MailBudget } from './mail-budget.js'
import * as mailBudgets from './migrations/0125-mail-budgets.js'

export const notificationsArea = area({
  name: 'notifications',
  errors: [notificationErrors],
  migrations: { '0125-mail-budgets': mailBudgets },
  provides: [provideLimits(NotificationLimits)],
  services: [MailBudget],
  tasks: [ForgetMailBudgets],
})
